import XDnDX11
import Foundation
import Glibc
import TestSupport
import XDnD

/// A display with an application on it, and the hand that drags to it and from it.
struct ApplicationStage: Sendable {
  let server: XServer
  let pointer: Pointer
  /// The application's first window.
  let window: ClientWindow

  private let application: Application
  private let process: ChildProcess
  private let connection: DisplayConnection

  /// Runs `body` with an application that has drawn its window, and ends it.
  ///
  /// What `body` throws comes with what the application has printed.
  ///
  /// - Parameter file: what it opens.
  static func with(
    _ application: Application, opening file: String? = nil, _ body: (ApplicationStage) async throws -> Void
  ) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let connection = try DisplayConnection(server.displayName)
      let process = try application.launch(opening: file, on: server)
      let clients = try await onOwnThread {
        connection.awaitClients(timeout: .seconds(60)) {
          $0.contains { $0.programClass == application.windowClass && !$0.title.isEmpty }
        }
      }
      guard let window = clients?.first(where: { $0.programClass == application.windowClass }) else {
        throw process.failure("shows no window")
      }
      let stage = ApplicationStage(
        server: server, pointer: try Pointer(server), window: window, application: application, process: process,
        connection: connection)
      do {
        try await stage.awaitPicture { _ in true }
        try await body(stage)
      } catch {
        throw process.failure("\(error)")
      }
      // Not asked to, which some would answer with a question about what is not saved.
      process.kill()
      _ = try await process.exit()
    }
  }

  /// The middle of the window.
  var middle: Point { area.middle }

  /// A place near its lower right corner, where folders and lists that have little in them are empty.
  var empty: Point {
    let margin = 90
    return Point(x: area.maxX - margin, y: area.maxY - margin)
  }

  /// The place of the window on the screen.
  private var area: Rect { window.frame }

  // MARK: What it shows

  /// The screen as soon as it is as `isRight` says and stays so for a moment.
  @discardableResult
  func awaitPicture(where isRight: (Screenshot) -> Bool) async throws -> Screenshot {
    let deadline = ContinuousClock.now + .seconds(60)
    var last: Screenshot?
    while .now < deadline, process.isRunning {
      let picture = try Screenshot(of: server, withCursor: false)
      if isRight(picture), picture.colors(in: area) == last?.colors(in: area) { return picture }
      last = picture
      // What a window shows can only be looked at.
      try await Task.sleep(for: .milliseconds(150))
    }
    throw process.failure("does not show what it should")
  }

  /// The middle of everything on the screen that has exactly this colour, as soon as it is drawn.
  func awaitPlace(of color: UInt32) async throws -> Point {
    let picture = try await awaitPicture { $0.middle(of: color) != nil }
    guard let place = picture.middle(of: color) else { throw process.failure("does not show the colour") }
    return place
  }

  /// A place in the last row of a list, as soon as it is drawn: the lowest thing above the empty part of its first column.
  func awaitLastRow() async throws -> Point {
    let picture = try await awaitPicture { $0.lowestInk(above: firstColumn) != nil }
    guard let place = picture.lowestInk(above: firstColumn) else { throw process.failure("shows no row") }
    return place
  }

  /// A place in the first column of a list, below its rows.
  private var firstColumn: Point {
    let indent = 60
    return Point(x: area.origin.x + indent, y: empty.y)
  }

  /// Waits until a window of the application has a title.
  func awaitTitle(where isRight: @escaping @Sendable (String) -> Bool) async throws {
    let windowClass = application.windowClass
    let found = try await onOwnThread { [connection] in
      connection.awaitClients { $0.contains { $0.programClass == windowClass && isRight($0.title) } }
    }
    guard found == nil else { return }
    let titles = connection.awaitClients(timeout: .zero) { _ in true }?.map(\.title)
    throw process.failure("has not the title that it should have: \(titles ?? [])")
  }

  // MARK: What is done with it

  /// Starts `xdnd-source --once` and drops what it has on a place in the window.
  ///
  /// - Returns: The process, whose drag has ended.
  func drop(_ arguments: [String], on place: Point? = nil, holding keys: DragKeys = .none) async throws -> ChildProcess
  {
    let source = try server.launchSource(PeerStage.left, ["--once"] + arguments)
    pointer.move(to: try await DragScene.readyPoint(of: source))
    pointer.press()
    defer { pointer.release() }
    try await pointer.glide(to: place ?? middle)
    for key in keys.names { try pointer.press(key: key) }
    defer { for key in keys.names { try? pointer.release(key: key) } }
    try await pointer.hover { try await source.awaitSteadyAcceptance() }
    pointer.release()
    try await source.waitFor("ended", timeout: .seconds(60))
    return source
  }

  /// Presses at a place in the window and drops on `xdnd-probe --once`.
  ///
  /// - Returns: The probe, which has ended with 0.
  func dragOut(from place: Point, onto arguments: [String] = []) async throws -> ChildProcess {
    try await server.dragOut(with: pointer, from: place, onto: arguments)
  }
}

extension ChildProcess {
  /// Waits until the answer to a drag of `xdnd-source` is yes, and stays so: some targets change their mind at first.
  func awaitSteadyAcceptance() async throws {
    while true {
      try await waitFor("proposal") { $0.string("operation") != nil }
      guard (try? await waitFor("proposal", timeout: .milliseconds(500))) != nil else { return }
    }
  }

  /// The types that `xdnd-source` has sent.
  var sentTypes: [String] { printed("sent").compactMap { $0.string("type") } }
}

extension Screenshot {
  /// The first place above `start` that looks otherwise.
  fileprivate func lowestInk(above start: Point) -> Point? {
    guard let paper = self[start] else { return nil }
    let ink = (0..<start.y).reversed().first { self[Point(x: start.x, y: $0)] != paper }
    return ink.map { Point(x: start.x, y: $0) }
  }
}

extension XServer {
  /// Presses at a place and drops on `xdnd-probe --once`.
  ///
  /// - Returns: The probe, which has ended with 0.
  func dragOut(with pointer: Pointer, from place: Point, onto arguments: [String]) async throws -> ChildProcess {
    let probe = try launchProbe(PeerStage.left, ["--once", "--verbose"] + arguments)
    let goal = try await DragScene.readyPoint(of: probe)
    pointer.move(to: place)
    pointer.press()
    defer { pointer.release() }
    try await pointer.glide(to: goal)
    // A source that has no answer yet when the button goes up may take that for a no; after its second question it has.
    try await pointer.hover { for _ in 0..<2 { try await probe.waitFor("position") } }
    pointer.release()
    let status = try await probe.exit(timeout: .seconds(60))
    guard status == .exited(0) else { throw probe.failure("did not take it") }
    return probe
  }
}
