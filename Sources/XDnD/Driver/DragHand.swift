/// The hand that leads a drag: the user's pointer, or a script.
///
/// ``SourceMachine`` is the same for both. It asks for a grab, for the target at a point and for cursors; the hand
/// answers.
protocol DragHand: AnyObject {
  /// Begins to lead the drag, and requests the grab.
  ///
  /// - Parameters:
  ///   - cursor: The first cursor.
  ///   - answered: Called with the answers to ``SourceMachine/Effect/grab(at:)``, at once or later.
  func begin(
    _ offer: SourceMachine.Offer, cursor: CursorShape, at time: Timestamp,
    then answered: @escaping ([SourceMachine.Input]) -> Void)

  /// Releases the grab, and gives up an unanswered request for it.
  func end(at time: Timestamp)

  /// Ends the search for targets. Called at the end of the drag, not at the drop: unwatching a thousand windows takes
  /// as many requests, and the target's requests for the content come first.
  func endTracking()

  /// Finds the target at a point in root coordinates.
  ///
  /// - Parameters:
  ///   - namesProgram: See ``WindowSystem/locateTarget(at:namingProgram:then:)``.
  ///   - found: Called with the target, at once or later, unless another search begins before that.
  func findTarget(at point: Point, namingProgram namesProgram: Bool, then found: @escaping (FoundTarget) -> Void)

  func show(_ cursor: CursorShape)

  /// Whether the user leads the drag.
  var isUsers: Bool { get }

  /// Whether this hand holds the grab of pointer and keyboard, or has requested it.
  var holdsGrab: Bool { get }

  // MARK: Scripted input

  /// Returns the hand's own input, to be processed before `input`.
  func reaction(before input: SourceMachine.Input, _ machine: SourceMachine) -> SourceMachine.Input?

  /// Returns the hand's own inputs, to be processed after `input`.
  func reaction(after input: SourceMachine.Input, _ machine: SourceMachine) -> [SourceMachine.Input]

  /// When to call ``advance(_:)``.
  var nextDeadline: LoopTime? { get }

  /// Handles due deadlines. Returns the hand's own inputs.
  func advance(_ machine: SourceMachine) -> [SourceMachine.Input]
}

extension DragHand {
  func endTracking() {}
  func reaction(before input: SourceMachine.Input, _ machine: SourceMachine) -> SourceMachine.Input? { nil }
  func reaction(after input: SourceMachine.Input, _ machine: SourceMachine) -> [SourceMachine.Input] { [] }
  var nextDeadline: LoopTime? { nil }
  func advance(_ machine: SourceMachine) -> [SourceMachine.Input] { [] }
}

extension SourceMachine {
  /// The state from the grab to the release.
  var hovering: Dragging? {
    if case .dragging(let dragging) = state, dragging.release == nil { dragging } else { nil }
  }
}
