import XDnDToolWindow
package import XDnD

/// A display with a window to drag from and a window to drop on, and the hand that does it.
package struct DragScene {
  package let server: XServer
  package let pointer: Pointer
  package let source: ChildProcess
  package let target: ChildProcess
  /// Where to press, and where to let go, in root coordinates.
  package let start: Point
  package let end: Point

  package init(
    server: XServer, pointer: Pointer, source: ChildProcess, target: ChildProcess, start: Point, end: Point
  ) {
    self.server = server
    self.pointer = pointer
    self.source = source
    self.target = target
    self.start = start
    self.end = end
  }

  /// Where the two windows stand, side by side.
  package static let sourceFrame = Rect(x: 60, y: 60, width: 300, height: 300)
  package static let targetFrame = Rect(x: 600, y: 60, width: 300, height: 300)
  package static let sourceGeometry = sourceFrame.description
  package static let targetGeometry = targetFrame.description
  /// The middle of a window to drop on.
  package static let target = targetFrame.middle

  /// The middle of the heading of an `xdnd-source`, which stands for all rows.
  package static func heading(of window: Rect) -> Point {
    Point(x: window.middle.x, y: window.origin.y + Int(SceneLayout.padding + SceneLayout.handleHeight / 2))
  }

  /// Where to press to drag all rows of an `xdnd-source` that says `ready`: the heading, or else the only row.
  package static func everything(in ready: JSONLine) -> Point {
    let rows = ready.objects("rows") ?? []
    return rows.count == 1 ? rows[0].point : heading(of: ready.frame)
  }

  /// Where to press to drag all rows of the source.
  package var heading: Point { source.printed("ready").first.map(Self.everything) ?? start }

  /// Puts the two windows side by side, and returns when both are there.
  ///
  /// - Parameters:
  ///   - source: starts the program to drag from, in a window of the given geometry.
  ///   - target: starts the program to drop on.
  package static func set(
    on server: XServer, source: (_ geometry: String) throws -> ChildProcess,
    target: (_ geometry: String) throws -> ChildProcess
  ) async throws -> DragScene {
    let source = try source(sourceGeometry)
    let target = try target(targetGeometry)
    return DragScene(
      server: server, pointer: try Pointer(server), source: source, target: target,
      start: try await readyPoint(of: source), end: try await readyPoint(of: target))
  }

  /// The middle of the first row of a window that says `ready`, or else of the window; tools and peers say so alike.
  package static func readyPoint(of process: ChildProcess) async throws -> Point {
    let ready = try await process.waitFor("ready", timeout: .seconds(60))
    guard let x = ready.integer("x"), let y = ready.integer("y"), let width = ready.integer("width"),
      let height = ready.integer("height")
    else { throw process.failure("did not say where its window is: \(ready)") }
    if let row = ready.objects("rows")?.first { return row.point }
    return Point(x: x + width / 2, y: y + height / 2)
  }

  /// Presses over the source and carries the drag over the target, with the button still down.
  package func carry(steps: Int = 12) async throws {
    try await pointer.drag(along: [start, end], steps: steps)
  }

  /// Drags from the heading of `xdnd-source` and drops.
  package func dragAndDropEverything() async throws {
    try await pointer.drag(along: [heading, end])
    try await letGo()
  }

  /// Drags from `xdnd-source` and drops.
  package func dragAndDrop() async throws {
    try await carry()
    try await letGo()
  }

  /// Lets go once there is a drag: on a busy machine the hand can be quicker than the source, and a button that is up
  /// before the source has the pointer begins nothing.
  private func letGo() async throws {
    try await source.waitFor("drag-began")
    pointer.release()
  }
}

extension XServer {
  /// Starts `xdnd-source --json`.
  package func launchSource(_ geometry: String, _ arguments: [String]) throws -> ChildProcess {
    try launch(BuiltProducts.executable("xdnd-source"), ["--json", "--geometry", geometry] + arguments)
  }

  /// Starts `xdnd-probe --json`.
  package func launchProbe(_ geometry: String, _ arguments: [String] = []) throws -> ChildProcess {
    try launch(BuiltProducts.executable("xdnd-probe"), ["--json", "--geometry", geometry] + arguments)
  }
}
