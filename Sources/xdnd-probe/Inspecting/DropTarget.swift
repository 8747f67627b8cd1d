import XDnDConformance
import XDnDToolSupport
import XDnD

/// A window that claims to accept drops.
struct DropTarget {
  let window: WindowID
  let program: PeerProgram
  let frame: Rect?
  /// The value of `XdndAware`; `nil` if it is missing or not a number.
  let version: Int?
  private let proxy: Proxy?

  /// The window that `XdndProxy` names, which receives the messages.
  private struct Proxy {
    let window: WindowID
    /// Whether the proxy window names itself in its own `XdndProxy`. Otherwise the property is stale, left behind by a
    /// program that has exited.
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

  /// Describes the route and the outcome of a drag over the window, one sentence per fact.
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
        "Claims XDND version \(version), which does not exist: GTK sends it back in XdndEnter, and some targets ignore that."
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
  /// Returns the program's name, with one of its windows and the window's title.
  func name(withWindow window: WindowID) -> String {
    let process = process.map { ", process \($0)" } ?? ""
    let title = title.map { " \u{201C}\(Formatting.visible($0))\u{201D}" } ?? ""
    return "\(Formatting.visible(name ?? "unknown program"))\(process): \(window)\(title)"
  }
}

// The windows that accept drops.
extension ScriptedClient {
  func isDropTarget(_ window: WindowID) -> Bool {
    readProperty("XdndAware", of: window) != nil || readProperty("XdndProxy", of: window) != nil
  }

  /// Returns the drop target at a root position: the outermost within `window`, or else its nearest ancestor.
  func dropTarget(at place: Point, in window: WindowID) -> WindowID? {
    outermostDropTarget(at: place, in: window, depth: 0) ?? ancestors(of: window).first(where: isDropTarget)
  }

  private func outermostDropTarget(at place: Point, in window: WindowID, depth: Int) -> WindowID? {
    if isDropTarget(window) { return window }
    guard depth < 64 else { return nil }
    return viewableChild(of: window, at: place).flatMap { outermostDropTarget(at: place, in: $0, depth: depth + 1) }
  }

  func viewableChild(of window: WindowID, at place: Point) -> WindowID? {
    children(of: window).last { isViewable($0) && frame(of: $0)?.contains(place) ?? false }
  }

  /// Returns the visible drop targets within a window, the outermost of each branch, topmost first.
  func dropTargets(in window: WindowID, depth: Int = 0) -> [WindowID] {
    guard depth < 16, isViewable(window) else { return [] }
    if isDropTarget(window) { return [window] }
    return children(of: window).reversed().flatMap { dropTargets(in: $0, depth: depth + 1) }
  }

  /// Returns the proxy window, which receives the messages for a drop target; `nil` if the target receives them itself.
  ///
  /// A proxy window that does not name itself is stale, left behind by a program that has exited (XDND "XdndProxy").
  func dropProxy(of target: WindowID) -> WindowID? {
    guard let word = readProperty("XdndProxy", of: target)?.words.first else { return nil }
    let proxy = WindowID(rawValue: word)
    return readProperty("XdndProxy", of: proxy)?.words.first == word && proxy != target ? proxy : nil
  }
}

extension Rect {
  /// Returns the root position of a window-local point; `nil` for the window's middle.
  func rootPosition(of place: Point?) -> Point {
    place.map { Point(x: origin.x + $0.x, y: origin.y + $0.y) } ?? middle
  }
}
