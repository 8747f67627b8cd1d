import XDnDConformance
import XDnDToolSupport
import XDnD

/// A window with its frame, its program and its drop target, and the outcome of a drag over it.
struct InspectedWindow {
  private let window: WindowID
  private let program: PeerProgram
  private let frame: Rect
  private let place: Point
  /// The ancestor that is a child of the root window, usually the window manager's frame.
  private let topLevel: WindowID
  /// The client window that the window manager manages. It is a descendant if the inspected window is a frame.
  private let managed: WindowID?
  private let isViewable: Bool
  private let target: DropTarget?
  /// The top-level window that covers the inspected window at the position.
  private let cover: (window: WindowID, program: PeerProgram)?
  private let types: [String]
  private let actions: [String]
  private let manager: String?
  private let isXWayland: Bool

  /// - Parameter place: A window-local point; the middle if `nil`.
  init?(_ client: ScriptedClient, _ window: WindowID, at place: Point?) {
    guard let frame = client.frame(of: window) else { return nil }
    self.window = window
    self.frame = frame
    managed = Self.managedWindow(around: window, client)
    program = PeerProgram(of: managed ?? window, seenBy: client)
    let point = frame.rootPosition(of: place)
    self.place = point
    let topLevel = client.ancestors(of: window).last ?? window
    self.topLevel = topLevel
    isViewable = client.isViewable(window)
    target = client.dropTarget(at: point, in: window).map { DropTarget(client, $0) }
    cover = client.viewableChild(of: client.root, at: point).flatMap {
      $0 == topLevel || window == client.root ? nil : ($0, PeerProgram(of: $0, seenBy: client))
    }
    let names = { (property: String) in
      client.readProperty(property, of: window)?.words.compactMap { client.name(of: $0)?.rawValue } ?? []
    }
    types = names("XdndTypeList")
    actions = names("XdndActionList")
    manager = Desktop.windowManager(client)
    isXWayland = Desktop.isXWayland(client)
  }

  /// Returns the managed window that a window belongs to or, if it is a window manager's frame, contains.
  private static func managedWindow(around window: WindowID, _ client: ScriptedClient) -> WindowID? {
    // A managed window has WM_STATE (ICCCM §4.1.3.1).
    let isManaged = { client.readProperty("WM_STATE", of: $0) != nil }
    if let outer = ([window] + client.ancestors(of: window)).first(where: isManaged) { return outer }
    guard window != client.root else { return nil }
    let inner = client.children(of: window)
    // The client is at most two levels below the frame.
    return (inner + inner.flatMap(client.children)).first(where: isManaged)
  }

  /// Whether a drag at the position would reach a window that accepts drops.
  var takesDrops: Bool { isViewable && cover == nil && target?.takesDrops ?? false }

  private var sentences: [String] {
    var all: [String] = []
    if !isViewable { all.append("The window is not visible: no drag can reach it.") }
    if let cover {
      all.append(
        "Covered at \(place) by another window, which would receive the drag: \(cover.program.name(withWindow: cover.window))."
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
      all.append("Nothing there takes drops: sources show a refusal and send no messages.")
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
    func list(_ title: String, _ names: [String]) -> String? {
      names.isEmpty ? nil : "\(title): \(names.map { Formatting.visible($0) }.joined(separator: ", "))."
    }
    var lines: [String?] = [
      program.name(withWindow: window), "Geometry: \(frame)\(isViewable ? "" : ", not visible"); position: \(place).",
    ]
    if topLevel != window {
      lines.append("Frame: \(topLevel)" + (manager.map { " of \(Formatting.visible($0))." } ?? "."))
    }
    if let managed, managed != window { lines.append("Client: \(managed).") }
    if let target {
      let version = target.version.map { ", XdndAware \($0)" } ?? ""
      lines.append("Drop target: \(target.window)\(version).")
    }
    lines += [list("Offers as a source", types), list("Actions", actions)] + sentences
    return Report(
      "inspected", lines.compactMap(\.self).joined(separator: "\n"),
      [
        "window": .integer(Int(window.rawValue)), "program": program.name.map { .string($0) },
        "pid": program.process.map { .integer($0) }, "title": program.title.map { .string($0) },
        "x": .integer(frame.origin.x), "y": .integer(frame.origin.y), "width": .integer(frame.width),
        "height": .integer(frame.height), "frame": .integer(Int(topLevel.rawValue)),
        "at": .list([.integer(place.x), .integer(place.y)]), "shown": .boolean(isViewable),
        "client": managed.map { .integer(Int($0.rawValue)) }, "target": target.map { .object($0.fields) },
        "covered_by": cover.map { .integer(Int($0.window.rawValue)) },
        "types": types.isEmpty ? nil : .strings(types), "actions": actions.isEmpty ? nil : .strings(actions),
        "takes_drops": .boolean(takesDrops), "sentences": .strings(sentences),
      ])
  }
}
