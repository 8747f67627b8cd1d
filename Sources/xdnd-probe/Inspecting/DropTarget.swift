import XDnDConformance
import XDnDToolSupport
import XDnD

/// A window that claims to accept drops.
struct DropTarget {
  let window: WindowID
  let program: PeerProgram
  let frame: Rect?
  /// The value of `XdndAware`; `nil` if it is missing or no number.
  let version: Int?
  private let proxy: Proxy?

  /// The window that `XdndProxy` names, which receives the messages.
  private struct Proxy {
    let window: WindowID
    /// Whether it names itself. Otherwise the property is stale, left behind by a program that has exited.
    let isValid: Bool
    /// The version in its own `XdndAware`, which takes precedence for sources.
    let version: Int?
  }

  init(_ client: ScriptedClient, _ window: WindowID) {
    self.window = window
    program = PeerProgram(of: window, seenBy: client)
    frame = client.frame(of: window)
    version = Self.version(of: window, client)
    proxy = client.readProperty("XdndProxy", of: window)?.words.first.map {
      let proxy = WindowID(rawValue: $0)
      return Proxy(
        window: proxy, isValid: client.readProperty("XdndProxy", of: proxy)?.words.first == $0,
        version: Self.version(of: proxy, client))
    }
  }

  private static func version(of window: WindowID, _ client: ScriptedClient) -> Int? {
    client.readProperty("XdndAware", of: window)?.words.first.map { Int($0) }
  }

  /// The version that sources use.
  private var seenVersion: Int? {
    guard let proxy, proxy.isValid else { return version }
    return proxy.version ?? version
  }

  var takesDrops: Bool { (seenVersion ?? 0) >= 3 }

  /// Describes what happens to a drag over the window, one sentence per fact.
  var sentences: [String] {
    let route = proxy.map { proxy in
      proxy.isValid
        ? "Messages go to its proxy, \(proxy.window)."
        : "XdndProxy names \(proxy.window), which does not name itself: sources that check this ignore it, others send messages to a stale window."
    }
    let claim =
      switch seenVersion {
      case nil: "No XdndAware property: sources ignore the window."
      case let version? where version < 3:
        "Claims XDND version \(version), which is incompatible with version 3 and later: sources ignore the window."
      case let version? where version < 5:
        "Claims XDND version \(version): Chromium and Wayland compositors ignore it, and sources are not told the result of a drop."
      case 5: "Accepts drops with XDND version 5."
      case let version?:
        "Claims XDND version \(version), which does not exist: GTK echoes it, and some targets then ignore GTK."
      }
    return [route, claim].compactMap(\.self)
  }

  var fields: [(String, Report.Value)] {
    let fields: KeyValuePairs<String, Report.Value?> = [
      "window": .integer(Int(window.rawValue)), "program": program.name.map { .string($0) },
      "pid": program.process.map { .integer($0) }, "title": program.title.map { .string($0) },
      "x": frame.map { .integer($0.origin.x) }, "y": frame.map { .integer($0.origin.y) },
      "width": frame.map { .integer($0.width) }, "height": frame.map { .integer($0.height) },
      "version": version.map { .integer($0) },
      "proxy": proxy.map { proxy in
        .members([
          "window": .integer(Int(proxy.window.rawValue)), "valid": .boolean(proxy.isValid),
          "version": proxy.version.map { .integer($0) },
        ])
      },
    ]
    return fields.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The report of the target in the list of a desktop.
  var report: Report {
    let place = frame.map { ", \($0)" } ?? ""
    return Report(
      "drop-target", "\(program.name(withWindow: window))\(place). \(sentences.joined(separator: " "))",
      fields: fields + [("sentences", .strings(sentences))])
  }
}

extension PeerProgram {
  /// The program, with a window of it and the window's title.
  func name(withWindow window: WindowID) -> String {
    let process = process.map { ", process \($0)" } ?? ""
    let title = title.map { " \u{201C}\(Formatting.visible($0))\u{201D}" } ?? ""
    return "\(Formatting.visible(name ?? "unknown program"))\(process): \(window)\(title)"
  }
}
