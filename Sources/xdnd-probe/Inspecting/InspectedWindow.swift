import ScriptedClient
import ToolSupport
import XDnD

/// A window with its frame, its client and its drop target, and what would happen to a drag over it.
struct InspectedWindow {
  private let window: WindowID
  private let client: PeerProgram
  private let frame: Rect
  /// The inspected position in root pixels.
  private let place: Point
  /// The ancestor that is a child of the root window, usually the window manager's frame.
  private let topLevel: WindowID
  /// The client window that the window manager manages. It is a descendant if the inspected window is a frame.
  private let managed: WindowID?
  private let isViewable: Bool
  private let target: DropTarget?
  /// The top-level window that covers it at the position.
  private let cover: (window: WindowID, client: PeerProgram)?
  private let types: [String]
  private let actions: [String]
  private let manager: String?
  private let isXWayland: Bool

  /// - Parameter place: A window-local point; the middle if `nil`.
  init?(_ peer: ScriptedClient, _ window: WindowID, at place: Point?) {
    guard let frame = peer.frame(of: window) else { return nil }
    self.window = window
    self.frame = frame
    managed =
      ([window] + peer.ancestors(of: window)).first { Self.isManaged($0, peer) } ?? Self.managed(in: window, peer)
    client = PeerProgram(of: managed ?? window, seenBy: peer)
    let inside = place ?? Point(x: frame.width / 2, y: frame.height / 2)
    let point = Point(x: frame.origin.x + inside.x, y: frame.origin.y + inside.y)
    self.place = point
    topLevel = peer.ancestors(of: window).last ?? window
    isViewable = peer.isViewable(window)
    target = DropPlaces(peer).target(at: point, in: window).map { DropTarget(peer, $0) }
    let above = peer.children(of: peer.root).last {
      peer.isViewable($0) && (peer.frame(of: $0)?.contains(point) ?? false)
    }
    let topLevel = topLevel
    cover = above.flatMap { $0 == topLevel || window == peer.root ? nil : ($0, PeerProgram(of: $0, seenBy: peer)) }
    let names = { (property: String) in
      peer.readProperty(property, of: window)?.words.compactMap { peer.name(of: $0)?.rawValue } ?? []
    }
    types = names("XdndTypeList")
    actions = names("XdndActionList")
    manager = Desktop.manager(peer)
    isXWayland = Desktop.isXWayland(peer)
  }

  /// Whether a window is managed: it has `WM_STATE` (ICCCM §4.1.3.1).
  private static func isManaged(_ window: WindowID, _ peer: ScriptedClient) -> Bool {
    peer.readProperty("WM_STATE", of: window) != nil
  }

  private static func managed(in window: WindowID, _ peer: ScriptedClient) -> WindowID? {
    guard window != peer.root else { return nil }
    let children = peer.children(of: window)
    // The client is at most two levels below the frame.
    return (children + children.flatMap { peer.children(of: $0) }).first { isManaged($0, peer) }
  }

  /// Whether a drag at the position would reach a window that accepts drops.
  var takesDrops: Bool { isViewable && cover == nil && target?.takesDrops ?? false }

  /// Describes what would happen to a drag at the position.
  private var sentences: [String] {
    var all: [String] = []
    if !isViewable { all.append("The window is not visible: no drag can reach it.") }
    if let cover {
      all.append(
        "Covered at \(place) by another window, which would receive the drag: \(DropTarget.name(cover.client, cover.window))."
      )
    }
    if let target {
      if target.window != window {
        all.append(
          "The drop target is \(target.window), \(isInside(target) ? "inside this window" : "which contains this window")."
        )
      }
      all += target.sentences
    } else {
      all.append("No drop target there: sources show a refusal and send no messages.")
    }
    if isXWayland {
      all.append("The server is Xwayland: drags from Wayland programs pass through the compositor.")
    }
    return all
  }

  private func isInside(_ target: DropTarget) -> Bool {
    guard let inner = target.frame else { return false }
    return inner.width <= frame.width && inner.height <= frame.height
  }

  var report: Report {
    var lines = [
      DropTarget.name(client, window), "Geometry: \(frame)\(isViewable ? "" : ", not visible"); position: \(place).",
    ]
    if topLevel != window { lines.append("Frame: \(topLevel)" + (manager.map { " of \(Humane.visible($0))." } ?? ".")) }
    if let managed, managed != window { lines.append("Client: \(managed).") }
    if let target {
      let version = target.version.map { ", XdndAware \($0)" } ?? ""
      lines.append("Drop target: \(target.window)\(version).")
    }
    if !types.isEmpty {
      lines.append("Offers as a source: \(types.map { Humane.visible($0) }.joined(separator: ", ")).")
    }
    if !actions.isEmpty {
      lines.append("Actions: \(actions.map { Humane.visible($0) }.joined(separator: ", ")).")
    }
    lines += sentences
    var fields: [(String, Report.Value)] = [("window", .integer(Int(window.rawValue)))]
    fields += client.name.map { [("program", .string($0))] } ?? []
    fields += client.process.map { [("pid", .integer($0))] } ?? []
    fields += client.title.map { [("title", .string($0))] } ?? []
    fields += [
      ("x", .integer(frame.origin.x)), ("y", .integer(frame.origin.y)), ("width", .integer(frame.width)),
      ("height", .integer(frame.height)), ("frame", .integer(Int(topLevel.rawValue))),
      ("at", .list([.integer(place.x), .integer(place.y)])), ("shown", .boolean(isViewable)),
    ]
    fields += managed.map { [("client", .integer(Int($0.rawValue)))] } ?? []
    fields += target.map { [("target", .object($0.fields))] } ?? []
    fields += cover.map { [("covered_by", .integer(Int($0.window.rawValue)))] } ?? []
    fields += types.isEmpty ? [] : [("types", .strings(types))]
    fields += actions.isEmpty ? [] : [("actions", .strings(actions))]
    fields += [("takes_drops", .boolean(takesDrops)), ("sentences", .strings(sentences))]
    return Report("inspected", lines.joined(separator: "\n"), fields: fields)
  }
}
