/// One window that takes drops: the target's half of XDND.
///
///                 Enter                 offered                 Position
///     outside ───────────▶ reading ─────────────▶ hovering ◀────────────────▶ proposing
///        ▲                    │                       │        proposal/Status     │
///        └────── Leave, another Enter, death ─────────┴────────────────────────────┘
///                                                     │ Drop, accepted
///                                                     ▼
///                               dropped ── finish ──▶ (deleting) ──▶ Finished
///
/// A drop leaves the diagram's first line: it lives on by itself while the next drag may already be over the window.
///
/// Where the specification is silent:
/// - *A second Enter* replaces the first. JX and KWin ignore it, and then stay deaf after a source that died.
/// - *A Position without Enter* is refused with a Status, so that a source which waits for one is not stuck.
/// - *Floods* (FLTK sends thousands of positions a second): while an answer is being found, only the newest counts.
/// - *A Drop while an answer is being found* waits for it.
/// - *A source that says nothing* is looked for after a few seconds, and then each time that its silence has doubled;
///   GTK and Qt are silent over a resting pointer, so silence alone means nothing.
/// - *Exactly one Finished for each Drop*, also one that should not have been sent: GTK 4 waits for it without limit.
struct TargetMachine: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case message(XdndMessage)
    /// The answer to ``Effect/readOffer(of:typeList:)``; types are `nil` if the list could not be read.
    ///
    /// It does not say whose offer it is: the driver queues its own answers before all else, so no Enter comes between.
    case offered(types: [AtomName]?, operations: [AtomName]?, descriptions: [String])
    /// The source has changed its action list in mid-drag.
    case operationsChanged([AtomName]?)
    /// The answer to ``Effect/askForProposal(_:)``; one to an older question is ignored. The application may have had
    /// newer positions taken in before it answered.
    case proposal(DropProposal, to: ProposalRequest)
    /// What is under a resting pointer has changed, because it was scrolled or opened: the source hears it unasked.
    case reconsidered(SessionID, DropProposal)
    /// The application is done with a drop; `nil` rejects it.
    case finish(SessionID, DragOperation?)
    /// Data of the drop has arrived: the application is not forgetful, the content is long.
    case progressed(SessionID)
    /// The user is asked what to do with a drop, and may think.
    case askingUser(SessionID)
    /// The source has answered the request to delete what was moved, one way or the other.
    case deletionAnswered(SessionID)
    case windowVanished(WindowID)
    /// The window shall take no more drops: everything is answered that somebody waits for.
    case unregister
    /// Nobody owns `XdndSelection`: whoever was dragging has given up without saying so.
    case selectionReleased
    /// The answer to ``Effect/checkSource(_:)``, which comes before all else as that to ``Effect/readOffer(of:typeList:)``.
    case sourceChecked(isAlive: Bool)
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    // For the window system.
    case watch(WindowID)
    case unwatch(WindowID)
    case readOffer(of: WindowID, typeList: Bool)
    case checkSource(WindowID)
    case send(XdndMessage, to: WindowID, version: ProtocolVersion)
    /// Convert the target `DELETE`: a GTK source deletes what was moved when it is asked to, not when it is told.
    case requestDeletion(SessionID)

    // For the application.
    case entered(SessionID, source: WindowID, version: ProtocolVersion, OfferedContent)
    case askForProposal(ProposalRequest)
    /// The user turns the wheel, with the pointer at a place in root coordinates.
    case scrolled(SessionID, WheelScroll, at: Point)
    case exited(SessionID, ExitReason)
    case dropped(SessionID, DropDetails)
    case ended(SessionID, DropResult)
    /// Everything is answered; the machine can go.
    case unregistered

    case ignored(Violation)
  }

  /// What the application is asked about.
  struct ProposalRequest: Hashable, Sendable {
    var session: SessionID
    /// Root coordinates.
    var point: Point
    var time: Timestamp
    /// What the user asks for.
    var requested: DragOperation?
    /// What may be answered.
    var permitted: [DragOperation]
    /// What the ``DropOffer`` says.
    var suggested: DropProposal
  }

  struct DropDetails: Equatable, Sendable {
    /// The time to convert the selection with.
    var time: Timestamp
    /// What was agreed on.
    var operation: DragOperation
    /// Root coordinates of the last position.
    var point: Point
  }

  enum ExitReason: Equatable, Sendable {
    /// The source said that it left.
    case left
    /// The source is gone without a word.
    case sourceVanished
    /// Another drag came in without this one having left.
    case replaced
    /// The source dropped although the answer was no.
    case refusedDrop
    /// The window takes no more drops.
    case unregistered
  }

  enum DropResult: Equatable, Sendable {
    case finished(DragOperation)
    case rejected
    case sourceVanished
    /// Neither did the application finish the drop, nor did data arrive, for too long.
    case timedOut
  }

  struct Timing: Equatable, Sendable {
    /// How long a drop may go on without data arriving before it is rejected.
    var finish: Duration = .seconds(30)
    /// How long a source may be silent before it is looked for.
    var sourceCheck: Duration = .seconds(5)
    /// How long to wait for the answer to `DELETE`.
    var deletion: Duration = .seconds(2)
    /// How long after a drop the user may take to choose what to do. Qt's sources wait for ten minutes too.
    var choice: Duration = .seconds(600)
  }

  /// The window that takes drops.
  let window: WindowID
  var offer: DropOffer
  var timing: Timing
  private(set) var state = State()

  /// - Parameter firstSession: Ids count up from here, so that several windows of one program do not share any.
  init(
    window: WindowID, offer: DropOffer, timing: Timing = Timing(), firstSession: SessionID = SessionID(rawValue: 0)
  ) {
    self.window = window
    self.offer = offer
    self.timing = timing
    self.state.lastSession = firstSession
  }

  /// When to send ``Input/deadlineReached``; earlier calls do nothing.
  var nextDeadline: LoopTime? {
    state.drops.values.reduce(state.hover.visit?.checkAt) { LoopTime.earliest($0, $1.deadline) }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    var turn = Turn(state: state, window: window, offer: offer, timing: timing, now: now)
    turn.handle(input)
    state = turn.state
    return turn.effects
  }
}
