/// What leads a drag: the user's pointer, or a script.
///
/// ``SourceMachine`` is the same for both. It asks for a grab, for the target at a point and for cursors; the hand
/// answers.
protocol DragHand: AnyObject {
  /// Takes hold of the drag.
  ///
  /// - Parameter cursor: The first cursor.
  /// - Returns: The answers to ``SourceMachine/Effect/grab(at:)``; none if they come later, as an event.
  func begin(_ offer: SourceMachine.Offer, cursor: CursorShape, at time: Timestamp) -> [SourceMachine.Input]

  /// The answers that follow from a late answer of the window system; none if this hand does not wait for it.
  func inputs(after result: GrabResult, to question: QuestionID) -> [SourceMachine.Input]

  /// Lets go. A request for the grab that has not been answered is given up.
  func end(at time: Timestamp)

  /// Ends the search for targets: the drag has ended. Not at the drop: to stop watching a thousand windows takes as many
  /// requests, and the target's requests for the content come first.
  func endTracking()

  /// The target at a point in root coordinates; `nil` if the answer comes later, as an event.
  ///
  /// - Parameter namesProgram: See ``WindowSystem/locateTarget(at:namingProgram:as:)``.
  func target(at point: Point, namingProgram namesProgram: Bool) -> FoundTarget?

  /// Whether a late answer is the one that this hand waits for.
  func takesAnswer(to question: QuestionID) -> Bool

  /// Shows a cursor.
  func show(_ cursor: CursorShape)

  /// Whether this hand holds the grab of pointer and keyboard, or has requested it.
  var holdsGrab: Bool { get }

  // MARK: A hand that moves by itself

  /// The hand's own input, to be processed before another one.
  func reaction(before input: SourceMachine.Input, _ machine: SourceMachine) -> SourceMachine.Input?

  /// The hand's own inputs, to be processed after another one.
  func reaction(after input: SourceMachine.Input, _ machine: SourceMachine) -> [SourceMachine.Input]

  /// When ``advance(_:)`` has something to do.
  var nextDeadline: LoopTime? { get }

  /// Does what is due. Returns the hand's own inputs.
  func advance(_ machine: inout SourceMachine) -> [SourceMachine.Input]
}

extension DragHand {
  func inputs(after result: GrabResult, to question: QuestionID) -> [SourceMachine.Input] { [] }
  func endTracking() {}
  func takesAnswer(to question: QuestionID) -> Bool { false }
  func reaction(before input: SourceMachine.Input, _ machine: SourceMachine) -> SourceMachine.Input? { nil }
  func reaction(after input: SourceMachine.Input, _ machine: SourceMachine) -> [SourceMachine.Input] { [] }
  var nextDeadline: LoopTime? { nil }
  func advance(_ machine: inout SourceMachine) -> [SourceMachine.Input] { [] }
}

extension SourceMachine {
  /// The state while the button is down.
  var hovering: Dragging? {
    if case .dragging(let dragging) = state, dragging.release == nil { dragging } else { nil }
  }
}
