import XDnDConformance
import XDnDToolSupport
import XDnD

/// The facts about a desktop that matter for drags.
enum Desktop {
  private struct SelectionOwner {
    let window: WindowID
    let program: PeerProgram

    init?(of selection: String, _ client: ScriptedClient) {
      window = client.owner(of: selection)
      guard window != .none else { return nil }
      program = PeerProgram(of: window, seenBy: client)
    }

    var name: String { program.name(withWindow: window) }

    var json: Report.Value {
      .members([
        "window": .integer(Int(window.rawValue)), "program": program.name.map { .string($0) },
        "pid": program.process.map { .integer($0) },
      ])
    }
  }

  /// Returns the visible windows that accept drops, topmost first.
  static func targets(_ client: ScriptedClient) -> [DropTarget] {
    let root = client.isDropTarget(client.root) ? [client.root] : []
    let windows = client.children(of: client.root).reversed().flatMap { client.dropTargets(in: $0) } + root
    return windows.map { DropTarget(client, $0) }
  }

  static func isXWayland(_ client: ScriptedClient) -> Bool {
    isXWayland(
      hasExtension: client.hasExtension("XWAYLAND"), firstOutput: client.firstOutput,
      windowManager: windowManager(client))
  }

  /// Xwayland has had the `XWAYLAND` extension since version 23.1. Older servers name their outputs `XWAYLAND0` and so
  /// on, unless the compositor names them; then the window manager's name may tell.
  static func isXWayland(hasExtension: Bool, firstOutput: String?, windowManager: String?) -> Bool {
    hasExtension || firstOutput?.hasPrefix("XWAYLAND") == true
      || ["wayland", "weston", "wlroots"].contains { (windowManager ?? "").lowercased().contains($0) }
  }

  /// How drags differ on Xwayland.
  static let rulesOfXWayland = [
    "Between X11 windows, drags work as on other servers.",
    "Over a Wayland window, X11 programs do not see the pointer: the compositor carries the drag on, if it can.",
    "Keys do not move the pointer, and XTEST may not.",
  ]

  /// Returns the name of the window manager (EWMH `_NET_SUPPORTING_WM_CHECK`).
  static func windowManager(_ client: ScriptedClient) -> String? {
    guard
      let check = client.readProperty("_NET_SUPPORTING_WM_CHECK", of: client.root)?.words.first,
      let name = client.readProperty("_NET_WM_NAME", of: WindowID(rawValue: check))
    else { return nil }
    return String(decoding: name.bytes, as: UTF8.self)
  }

  static func heading(targets count: Int) -> String {
    switch count {
    case 0: "No window accepts drops."
    case 1: "One window accepts drops:"
    default: "\(count) windows accept drops, topmost first:"
    }
  }

  static func report(_ client: ScriptedClient, targetCount: Int) -> Report {
    let (vendor, screen, cursors) = (client.vendor, client.screen, client.cursors)
    let manager = windowManager(client)
    let isXWayland = Self.isXWayland(client)
    let compositor = SelectionOwner(of: "_NET_WM_CM_S\(client.screenNumber)", client)
    let selectionOwner = SelectionOwner(of: "XdndSelection", client)
    let theme = cursors.theme ?? "no theme"
    let lines = [
      "Server: \(vendor.name) \(vendor.release), \(screen.width)×\(screen.height)"
        + (isXWayland ? ", Xwayland. \(rulesOfXWayland.joined(separator: " "))" : "."),
      "Window manager: \(manager.map { Formatting.visible($0) } ?? "none; some sources, such as Java's, find no target without a window manager").",
      "Compositor: \(compositor?.name ?? "none; drag images are opaque").",
      "Drag: \(selectionOwner.map { "XdndSelection is owned by \($0.name)" } ?? "XdndSelection has no owner").",
      "Cursors: \(theme), \(cursors.size) pixels.",
      heading(targets: targetCount),
    ]
    return Report(
      "desktop", lines.joined(separator: "\n"),
      [
        "vendor": .string(vendor.name), "release": .integer(vendor.release), "width": .integer(screen.width),
        "height": .integer(screen.height), "xwayland": .boolean(isXWayland),
        "sentences": isXWayland ? .strings(rulesOfXWayland) : nil,
        "window_manager": manager.map { .string($0) }, "compositor": compositor?.json,
        "selection_owner": selectionOwner?.json, "cursor_theme": cursors.theme.map { .string($0) },
        "cursor_size": .integer(cursors.size),
      ])
  }
}
