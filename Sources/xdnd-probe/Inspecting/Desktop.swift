import ScriptedClient
import ToolSupport
import XDnD

/// The facts about a desktop that matter for drags.
struct Desktop {
  private let vendor: (name: String, release: Int)
  private let screen: Rect
  private let isXWayland: Bool
  private let manager: String?
  private let compositor: DropOwner?
  private let selectionOwner: DropOwner?
  private let cursors: (theme: String?, size: Int)
  /// The visible windows that accept drops, topmost first.
  let targets: [DropTarget]

  /// The owner window of a selection, and its program.
  struct DropOwner {
    let window: WindowID
    let client: PeerProgram

    init?(_ peer: ScriptedClient, of selection: String) {
      window = peer.owner(of: selection)
      guard window != .none else { return nil }
      client = PeerProgram(of: window, seenBy: peer)
    }

    var name: String { DropTarget.name(client, window) }

    var json: Report.Value {
      .object(
        [("window", .integer(Int(window.rawValue)))] + (client.name.map { [("program", .string($0))] } ?? [])
          + (client.process.map { [("pid", .integer($0))] } ?? []))
    }
  }

  init(_ peer: ScriptedClient) {
    vendor = peer.vendor
    screen = peer.screen
    isXWayland = Self.isXWayland(peer)
    manager = Self.manager(peer)
    compositor = DropOwner(peer, of: "_NET_WM_CM_S\(peer.screenNumber)")
    selectionOwner = DropOwner(peer, of: "XdndSelection")
    cursors = peer.cursors
    let places = DropPlaces(peer)
    let root = places.isAware(peer.root) ? [peer.root] : []
    targets = (peer.children(of: peer.root).reversed().flatMap { places.targets(in: $0) } + root).map {
      DropTarget(peer, $0)
    }
  }

  /// Xwayland has the `XWAYLAND` extension since version 23.1. Older servers show it only in their outputs' names;
  /// here the window manager's name serves instead.
  static func isXWayland(_ peer: ScriptedClient) -> Bool {
    peer.hasExtension("XWAYLAND") || (manager(peer) ?? "").lowercased().contains("wayland")
  }

  /// Returns the name of the window manager (EWMH `_NET_SUPPORTING_WM_CHECK`).
  static func manager(_ peer: ScriptedClient) -> String? {
    guard
      let check = peer.readProperty("_NET_SUPPORTING_WM_CHECK", of: peer.root)?.words.first,
      let name = peer.readProperty("_NET_WM_NAME", of: WindowID(rawValue: check))
    else { return nil }
    return String(decoding: name.bytes, as: UTF8.self)
  }

  var report: Report {
    let theme = cursors.theme ?? "no theme"
    let lines = [
      "Server: \(vendor.name) \(vendor.release), \(screen.width)×\(screen.height)"
        + (isXWayland ? ", Xwayland: drags to Wayland programs pass through the compositor." : "."),
      "Window manager: \(manager.map { Humane.visible($0) } ?? "none; some sources, such as Java's, find no target without a window manager").",
      "Compositor: \(compositor?.name ?? "none; drag images are opaque").",
      "Drag: \(selectionOwner.map { "XdndSelection is owned by \($0.name)" } ?? "XdndSelection has no owner").",
      "Cursors: \(theme), \(cursors.size) pixels.",
      "\(targets.count) windows accept drops\(targets.isEmpty ? "." : ", topmost first:")",
    ]
    return Report(
      "desktop", lines.joined(separator: "\n"),
      fields: [
        ("vendor", .string(vendor.name)), ("release", .integer(vendor.release)), ("width", .integer(screen.width)),
        ("height", .integer(screen.height)), ("xwayland", .boolean(isXWayland)),
      ] + (manager.map { [("window_manager", .string($0))] } ?? [])
        + (compositor.map { [("compositor", $0.json)] } ?? [])
        + (selectionOwner.map { [("selection_owner", $0.json)] } ?? [])
        + (cursors.theme.map { [("cursor_theme", .string($0))] } ?? []) + [("cursor_size", .integer(cursors.size))])
  }
}

extension DropPlaces {
  /// Returns the visible windows that accept drops within a window, the outermost of each branch.
  func targets(in window: WindowID, depth: Int = 0) -> [WindowID] {
    guard depth < 16, peer.isViewable(window) else { return [] }
    if isAware(window) { return [window] }
    return peer.children(of: window).reversed().flatMap { targets(in: $0, depth: depth + 1) }
  }
}
