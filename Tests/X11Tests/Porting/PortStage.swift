import XDnDX11
import TestSupport
import Testing

@testable import XDnD

/// A ported program and another one, with windows on an X server, in one thread; their user has a real pointer.
final class PortStage {
  /// The ported program's.
  let driver: DragAndDrop
  let window: WindowID
  let otherDriver: DragAndDrop
  let otherWindow: WindowID
  private let pointer: Pointer

  /// The ported program's window.
  static let frame = Rect(x: 100, y: 100, width: 100, height: 100)
  static let inside = Point(x: 150, y: 160)
  static let insideOther = Point(x: 350, y: 150)
  private static let otherFrame = Rect(x: 300, y: 100, width: 100, height: 100)
  private static let outside = Point(x: 700, y: 500)

  init(_ displayName: String, _ pointer: Pointer) throws {
    self.pointer = pointer
    (driver, window) = try Self.program(displayName, Self.frame)
    (otherDriver, otherWindow) = try Self.program(displayName, Self.otherFrame)
  }

  private static func program(_ displayName: String, _ frame: Rect) throws -> (DragAndDrop, WindowID) {
    let driver = try DragAndDrop(connectingTo: displayName)
    let display = try #require(driver.display)
    // No window manager moves it.
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = True
    let window = XCreateWindow(
      display, XDefaultRootWindow(display), Int32(frame.origin.x), Int32(frame.origin.y), UInt32(frame.width),
      UInt32(frame.height), 0, 0, UInt32(InputOutput), nil, UInt(CWOverrideRedirect), &attributes)
    XMapWindow(display, window)
    return (driver, WindowID(window))
  }

  // MARK: The programs

  /// What the server has been asked for is done: windows are registered, and presses are observed.
  func settle() {
    _ = driver.serverTime
    _ = otherDriver.serverTime
  }

  /// Runs both programs until `condition` holds.
  func run(at place: SourceLocation = #_sourceLocation, until condition: () -> Bool) throws {
    let limit = ContinuousClock.now + .seconds(20)
    // The other program's events do not wake the first one.
    try driver.run(wakingAt: { .now + .milliseconds(2) }) {
      try? otherDriver.process()
      return !condition() && .now < limit
    }
    #expect(condition(), sourceLocation: place)
  }

  /// Takes drops in the other program's window.
  func take(_ types: [ContentType], operations: [DragOperation] = [.copy]) -> Taker {
    let taker = Taker(types)
    otherDriver.onDrop(of: types, operations: operations, in: otherWindow, delegate: taker)
    return taker
  }

  /// Loads all of its types, and keeps the bytes.
  final class Taker: DropDelegate {
    private let types: [ContentType]
    private(set) var proposals = 0
    private(set) var content: [ContentType: [UInt8]] = [:]
    private(set) var result: DropResult?

    init(_ types: [ContentType]) { self.types = types }

    func dropUpdated(_ drop: DropSession) -> DropProposal {
      proposals += 1
      return drop.suggestedProposal
    }

    func performDrop(_ drop: DropSession) { load(types[...], drop) }

    private func load(_ types: ArraySlice<ContentType>, _ drop: DropSession) {
      guard let type = types.first else { return drop.finish(drop.droppedOperation ?? .copy) }
      drop.load(type) { [self] loaded in
        guard case .success(let loaded) = loaded else { return drop.reject() }
        content[type] = loaded.bytes
        load(types.dropFirst(), drop)
      }
    }

    func dropEnded(_ drop: DropSession, _ result: DropResult) { self.result = result }

    func text(_ type: ContentType) -> String? { content[type].map { String(decoding: $0, as: UTF8.self) } }
  }

  // MARK: Drags of the ported program

  /// Presses in the ported program's window and moves until it drags, and then on to `end`, until `condition` holds.
  func press(at start: Point = inside, movingTo end: Point, until condition: () -> Bool) throws {
    settle()
    pointer.move(to: start)
    pointer.press()
    // Far enough to be a drag, and still in the window.
    pointer.move(to: Point(x: start.x + 30, y: start.y))
    try run { driver.reactor.drags.held != nil }
    pointer.move(to: end)
    try run(until: condition)
  }

  /// Presses in the ported program's window, which begins the drag itself.
  func press(beginning begin: (Timestamp) -> Void) throws {
    settle()
    pointer.move(to: Self.inside)
    pointer.press()
    begin(driver.serverTime)
    try run { driver.reactor.drags.held != nil }
  }

  func move(to point: Point, until condition: () -> Bool) throws {
    pointer.move(to: point)
    try run(until: condition)
  }

  func release(until condition: () -> Bool) throws {
    pointer.release()
    try run(until: condition)
  }

  /// Drags from the ported program to the other one and drops there.
  func give(to taker: Taker) throws {
    try press(movingTo: Self.insideOther) { taker.proposals > 0 }
    try release { taker.result != nil && driver.reactor.drags.held == nil }
  }

  // MARK: Drags of the other program

  private final class Source: DragDelegate {
    var answers: [DragOperation?] = []
    func drag(_ drag: DragSession, answeredAt point: Point, with operation: DragOperation?) {
      answers.append(operation)
    }
  }

  /// Drops an item of the other program on the ported program's window.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - operation: The expected answer; `nil` if the window refuses.
  ///   - hovering: Called while the drag is over the window, and answered.
  func drop(_ item: DragItem, expecting operation: DragOperation? = .copy, hovering: () -> Void = {}) throws
    -> DragOutcome?
  {
    settle()
    let source = Source()
    pointer.move(to: Self.outside)
    pointer.press()
    let drag = otherDriver.beginDrag(item, at: otherDriver.serverTime, delegate: source)
    pointer.move(to: Self.inside)
    try run { source.answers.contains(operation) }
    hovering()
    pointer.release()
    try run { drag.outcome != nil }
    return drag.outcome
  }
}
