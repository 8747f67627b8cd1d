public import XDnD

/// A drag of another program over a window of the program under test. The button is held, and the user of the simulation
/// moves the pointer.
///
/// Made by the `drag` methods of ``SimulatedDesktop``. A simulated display has one pointer: end a drag before the next one
/// begins.
public final class SimulatedDrag {
  /// The outcome of the drag for its source; `nil` before its end.
  public private(set) var outcome: DragOutcome?
  /// The types that the program under test has loaded completely, in order.
  public private(set) var loadedTypes: [ContentType] = []
  /// Whether the program under test has moved the content, and asks its source to delete it.
  public private(set) var isDeletionRequested = false

  private let desktop: SimulatedDesktop
  private let source: Simulation.Program
  private let observer = Observer()
  /// The window that positions are relative to.
  private var window: WindowID
  private var isHeld = false
  /// How many messages the program had sent before this drag.
  private let messagesBefore: Int

  init(_ desktop: SimulatedDesktop, _ source: Simulation.Program, over window: WindowID) {
    self.desktop = desktop
    self.source = source
    self.window = window
    messagesBefore = desktop.program.client.record.messagesSent.count
    observer.drag = self
  }

  func begin(_ items: [DragItem], movingTo place: Point) {
    let server = desktop.server
    server.movePointer(to: SimulatedDesktop.nowhere)
    server.press(.primary)
    isHeld = true
    source.driver.beginDrag(items, at: server.time, delegate: observer)
    desktop.react()
    server.movePointer(to: place)
    desktop.react()
  }

  // MARK: Answers

  /// The answers of the program under test to the positions of this drag, in order: `XdndStatus`.
  ///
  /// They lack the `itemCount`: XDND has no message for it.
  public var answers: [DropProposal] {
    desktop.program.client.record.messagesSent.dropFirst(messagesBefore).compactMap { message -> DropProposal? in
      guard case .status(let status) = message else { return nil }
      guard let acceptance = status.acceptance else { return .forbidden }
      var proposal = DropProposal(operation: acceptance.operation)
      let area = local(acceptance.region, in: status.target)
      if acceptance.wantsPositionsInside { proposal.markedRegion = area } else { proposal.quietRegion = area }
      return proposal
    }
  }

  private func local(_ area: Rect, in window: WindowID) -> Rect {
    guard !area.isEmpty, let corner = desktop.server.windows[window]?.frame.origin else { return area }
    return area.moved(by: Point(x: -corner.x, y: -corner.y))
  }

  /// The last of the ``answers``; `nil` if the program has not answered.
  public var answer: DropProposal? { answers.last }

  // MARK: The user

  /// Moves the pointer in the window under the drag.
  ///
  /// - Parameter point: In window coordinates, in pixels. It may be outside of the window.
  public func move(to point: Point) {
    checkHeld()
    desktop.server.movePointer(to: desktop.root(point, in: window))
    desktop.react()
  }

  /// Moves the pointer over another window. Later positions are relative to this window.
  ///
  /// - Parameters:
  ///   - window: The window.
  ///   - point: In window coordinates, in pixels; `nil` for the middle of the window.
  public func move(over window: WindowID, at point: Point? = nil) {
    self.window = window
    move(to: point ?? middle)
  }

  private var middle: Point {
    let frame = desktop.frame(of: window)
    return Point(x: frame.width / 2, y: frame.height / 2)
  }

  /// Moves the pointer away from all windows. The drag continues, and ``move(to:)`` brings it back.
  public func leave() {
    checkHeld()
    desktop.server.movePointer(to: SimulatedDesktop.nowhere)
    desktop.react()
  }

  /// Holds modifier keys, until the next call: Control asks for a copy, Shift for a move, both for a link, Alt for a
  /// choice.
  public func hold(_ modifiers: Modifiers) {
    checkHeld()
    desktop.hold(modifiers)
  }

  /// Turns the wheel by one notch over the window.
  public func turnWheel(_ direction: WheelScroll.Direction) {
    checkHeld()
    desktop.turnWheel(direction)
  }

  /// Drops the content, and advances the time until the program under test has finished the drop.
  ///
  /// - Parameter limit: The longest virtual time to wait.
  /// - Returns: The ``outcome``; `nil` if the program has neither finished nor rejected the drop. It may still do so: see
  ///   ``SimulatedDesktop/advance(by:)``.
  @discardableResult
  public func drop(within limit: Duration = .seconds(1)) -> DragOutcome? {
    checkHeld()
    letGo()
    desktop.simulation.run(limit) { outcome != nil }
    desktop.react()
    return outcome
  }

  /// Cancels the drag with Escape.
  public func cancel() {
    checkHeld()
    desktop.pressEscape()
    letGo()
    desktop.react()
  }

  /// Ends the source's program, as a crash does, during the drag or after the drop. ``outcome`` stays as it is.
  public func vanish() {
    desktop.server.kill(source.client)
    letGo()
    desktop.react()
  }

  private func letGo() {
    guard isHeld else { return }
    isHeld = false
    desktop.server.release(.primary)
  }

  private func checkHeld() {
    precondition(isHeld, "the drag was dropped or cancelled, or its source has vanished")
  }

  // MARK: The source

  /// The delegate of the drag in the other program.
  private final class Observer: DragDelegate {
    weak var drag: SimulatedDrag?

    func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
      if successfully { self.drag?.loadedTypes.append(type) }
    }

    func dragRequestsDeletion(_ drag: DragSession) { self.drag?.isDeletionRequested = true }

    func drag(_ drag: DragSession, ended outcome: DragOutcome) { self.drag?.outcome = outcome }
  }
}

@available(*, unavailable)
extension SimulatedDrag: Sendable {}
