/// The drop target's half of XDND, for one registered window.
///
///                 Enter                 offered                 Position
///     outside ───────────▶ reading ─────────────▶ hovering ◀────────────────▶ proposing
///        ▲                    │                       │        proposal/Status     │
///        └── Leave, another Enter, source gone ───────┴────────────────────────────┘
///                                                     │ Drop, accepted
///                                                     ▼
///                               dropped ── finish ──▶ (deleting) ──▶ Finished
///
/// A drop is independent of the hover states: the next drag may enter the window while the drop is still performed.
///
/// Where the specification is silent:
/// - *A second Enter* replaces the first. JX and KWin ignore it, and no longer respond after a source has died.
/// - *A Position without Enter* is answered by a refusing Status, so that a source which waits for one does not hang.
/// - *Position floods* (FLTK sends thousands a second): while the host decides, only the newest Position is kept.
/// - *A Drop while the host decides* waits for the decision.
/// - *A silent source* is checked after a few seconds, and again each time its silence has doubled. GTK and Qt send
///   nothing while the pointer rests, so silence alone proves nothing.
/// - *A drop that takes long*: sources give up on a target that is silent after the Drop. While the host works or asks
///   the user, the machine requests a cheap conversion every ten seconds.
/// - *Finished names no drop*, and sources take it for their oldest one. So the Finished of a later drop of the same
///   source is withheld until the earlier drops are answered.
/// - *Exactly one Finished per Drop*, even for a Drop that should not have been sent: GTK 4 waits for it without limit.
struct TargetMachine: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    /// The window accepts other content from now on.
    case accepting(DropOffer)
    /// A message to the window or its proxy. `nil` stands for the window. The answers name the addressee as the target.
    case message(XdndMessage, to: WindowID? = nil)
    /// The answer to the last ``Effect/readOffer(of:typeList:)``; the driver drops answers to earlier ones. `types` is
    /// `nil` if the list could not be read.
    case offered(types: [AtomName]?, operations: [AtomName]?, descriptions: [String])
    /// The source has changed its `XdndActionList` during the drag.
    case operationsChanged([AtomName]?)
    /// The answer to ``Effect/askForProposal(_:)``, with its areas in root coordinates. Ignored if a newer Position has
    /// arrived since.
    case proposal(DropProposal, to: ProposalRequest)
    /// The content under a resting pointer has changed, for example by scrolling. Sends an unsolicited Status.
    case reconsidered(SessionID, DropProposal)
    /// The host has finished a drop; `nil` rejects it.
    case finish(SessionID, DragOperation?)
    /// Data of the drop has arrived, which extends the deadline of the drop.
    case progressed(SessionID)
    /// The host asks the user what to do with a drop, which extends the deadline of the drop. From now on the source is
    /// kept waiting.
    case askingUser(SessionID)
    /// The host needs long to process the content of a drop. From now on the source is kept waiting.
    case working(SessionID)
    /// The source has answered the `DELETE` conversion, with success or refusal.
    case deletionAnswered(SessionID)
    case windowVanished(WindowID)
    /// Unregister the window. Every source that waits for an answer gets one.
    case unregister
    /// `XdndSelection` no longer has an owner: the source has given up without a message.
    case selectionReleased
    /// The answer to ``Effect/checkSource(_:)``, if that source is still over the window.
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
    /// Convert the target `DELETE` (ICCCM §2.6.3): a GTK source deletes moved content on this request, not on Finished.
    case requestDeletion(SessionID)
    /// Request a cheap conversion and discard the answer, so that the source sees that the drop is still performed.
    case renewLease(SessionID)

    // For the host.
    case entered(SessionID, source: WindowID, version: ProtocolVersion, OfferedContent)
    case askForProposal(ProposalRequest)
    /// The user has turned the wheel with the pointer at a point in root coordinates.
    case scrolled(SessionID, WheelScroll, at: Point)
    case exited(SessionID, DropExit)
    case dropped(SessionID, DropDetails)
    case ended(SessionID, DropResult)
    /// The withheld Finished of an ended drop is sent, or its source has vanished.
    case answered(SessionID)
    /// All answers are sent; the machine can be discarded.
    case unregistered

    case ignored(Violation)
  }

  /// A question to the host: which operation a drop here would perform.
  struct ProposalRequest: Hashable, Sendable {
    var session: SessionID
    /// Root coordinates.
    var point: Point
    var time: Timestamp
    /// The operation that the user requests.
    var requested: DragOperation?
    /// The source's current offer: the source may change its operations during the drag.
    var content: OfferedContent
    /// The answer that the ``DropOffer`` gives to the offer on the wire. For a drag from this program, ``DropSession``
    /// replaces it by the answer to the items.
    var suggested: DropProposal
  }

  struct DropDetails: Equatable, Sendable {
    /// The timestamp to convert the selection with.
    var time: Timestamp
    /// The operation of the last Status.
    var operation: DragOperation
    /// Root coordinates of the last answered Position.
    var point: Point
    /// The source's offer at the drop.
    var content: OfferedContent
  }

  /// The maximum number of unfinished drops. Each may have loads, and a peer can drop without waiting for the end.
  static let dropLimit = 256

  struct Timing: Equatable, Sendable {
    /// How long a drop may go without new data before it is rejected.
    var finish: Duration = .seconds(30)
    /// How long a source may be silent before it is checked.
    var sourceCheck: Duration = .seconds(5)
    /// How long to wait for the answer to `DELETE`.
    var deletion: Duration = .seconds(2)
    /// How long after the Drop the user may take to choose an operation. Qt sources also wait ten minutes.
    var choice: Duration = .seconds(600)
    /// How often ``Effect/renewLease(_:)`` is due while the source is kept waiting: well within the time that sources
    /// wait. This library's source waits half a minute.
    var renewal: Duration = .seconds(10)
  }

  /// The registered window.
  let window: WindowID
  private(set) var offer: DropOffer
  let timing: Timing
  private(set) var state = State()

  /// - Parameter firstSession: IDs count up from here, so that the windows of one program share none.
  init(
    window: WindowID, offer: DropOffer, timing: Timing = Timing(), firstSession: SessionID = SessionID(rawValue: 0)
  ) {
    self.window = window
    self.offer = offer
    self.timing = timing
    self.state.lastSession = firstSession
  }

  /// The time of the next ``Input/deadlineReached``. An earlier one has no effect.
  var nextDeadline: LoopTime? {
    .earliest(state.hover.visit?.checkAt, state.drops.values.earliest { $0.nextDeadline })
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    if case .accepting(let offer) = input { self.offer = offer }
    var turn = Turn(state: state, window: window, offer: offer, timing: timing, now: now)
    turn.handle(input)
    state = turn.state
    return turn.effects
  }
}
