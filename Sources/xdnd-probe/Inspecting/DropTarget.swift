import ScriptedClient
import ToolSupport
import XDnD

/// A window that claims to accept drops.
struct DropTarget {
  let window: WindowID
  let client: PeerProgram
  let frame: Rect?
  /// The value of `XdndAware`; `nil` if it is missing or no number.
  let version: Int?
  /// The proxy window that receives its messages.
  let proxy: Proxy?

  /// The window that `XdndProxy` names.
  struct Proxy {
    let window: WindowID
    /// Whether it names itself. Otherwise the property is stale, left behind by a program that has exited.
    let isValid: Bool
    /// The version in its own `XdndAware`, which takes precedence for sources.
    let version: Int?
  }

  init(_ peer: ScriptedClient, _ window: WindowID) {
    self.window = window
    client = PeerProgram(of: window, seenBy: peer)
    frame = peer.frame(of: window)
    version = Self.version(of: window, peer)
    proxy = peer.readProperty("XdndProxy", of: window)?.words.first.map {
      let proxy = WindowID(rawValue: $0)
      return Proxy(
        window: proxy, isValid: peer.readProperty("XdndProxy", of: proxy)?.words.first == $0,
        version: Self.version(of: proxy, peer))
    }
  }

  private static func version(of window: WindowID, _ peer: ScriptedClient) -> Int? {
    peer.readProperty("XdndAware", of: window)?.words.first.map { Int($0) }
  }

  /// The version that sources use.
  var seenVersion: Int? {
    guard let proxy, proxy.isValid else { return version }
    return proxy.version ?? version
  }

  /// The program and the window's title.
  var name: String { Self.name(client, window) }

  static func name(_ client: PeerProgram, _ window: WindowID) -> String {
    let program = client.name ?? "unknown program"
    let process = client.process.map { ", process \($0)" } ?? ""
    let title = client.title.map { " \u{201C}\(Humane.visible($0))\u{201D}" } ?? ""
    return "\(Humane.visible(program))\(process): \(window)\(title)"
  }

  /// Describes what happens to a drag over the window, one sentence per fact.
  var sentences: [String] {
    var all: [String] = []
    if let proxy {
      all.append(
        proxy.isValid
          ? "Messages go to its proxy, \(proxy.window)."
          : "XdndProxy names \(proxy.window), which does not name itself: sources that check this ignore it, others send messages to a stale window."
      )
    }
    switch seenVersion {
    case nil: all.append("No XdndAware property: sources ignore the window.")
    case let version? where version < 3:
      all.append(
        "Claims XDND version \(version), which is incompatible with version 3 and later: sources ignore the window.")
    case let version? where version < 5:
      all.append(
        "Claims XDND version \(version): Chromium and Wayland compositors ignore it, and sources are not told the result of a drop."
      )
    case 5: all.append("Accepts drops with XDND version 5.")
    case let version?:
      all.append(
        "Claims XDND version \(version), which does not exist: GTK echoes it, and some targets then ignore GTK.")
    }
    return all
  }

  var takesDrops: Bool { (seenVersion ?? 0) >= 3 }

  var fields: [(String, Report.Value)] {
    var fields: [(String, Report.Value?)] = [("window", .integer(Int(window.rawValue)))]
    fields.append(("program", client.name.map { .string($0) }))
    fields.append(("pid", client.process.map { .integer($0) }))
    fields.append(("title", client.title.map { .string($0) }))
    if let frame {
      fields += [
        ("x", .integer(frame.origin.x)), ("y", .integer(frame.origin.y)), ("width", .integer(frame.width)),
        ("height", .integer(frame.height)),
      ]
    }
    fields.append(("version", version.map { .integer($0) }))
    fields.append(
      (
        "proxy",
        proxy.map {
          .object(
            [("window", .integer(Int($0.window.rawValue))), ("valid", .boolean($0.isValid))]
              + ($0.version.map { [("version", .integer($0))] } ?? []))
        }
      ))
    return fields.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The report of the target in the list of a desktop.
  var report: Report {
    let place = frame.map { ", \($0)" } ?? ""
    return Report(
      "drop-target", "\(name)\(place). \(sentences.joined(separator: " "))",
      fields: fields + [("sentences", .strings(sentences))])
  }
}
