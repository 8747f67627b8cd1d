/// The drag source's half of XDND, for one drag.
///
///     ready ─ begin ─▶ claiming ─ owned ─▶ grabbing ─ grabbed ─▶ dragging ─ release, accepted ─▶ dropped ─▶ ended
///                         │                   │                  │      ▲                          ▲         ▲
///                         └── not owned ──────┴── not grabbed ───┼──────┼──────────────────────────┼─────────┘
///                                                                ▼      │ Status                   │
///                                                             Position ─┘     Finished, target gone, lease expired
///
/// Between release and Drop the machine may wait for promised files. If the target was given their paths while the
/// pointer hovered, the files are written before the Drop, because the target may open them at once.
///
/// If another client holds a grab, the machine notifies the host, and repeats its request for up to ``Timing/grab``.
///
/// While dragging, at most one Position awaits its Status. Until the Status arrives, input only updates the pointer, so
/// the next Position carries the latest state.
///
/// A Status does not tell which Position it answers. A target that is left and entered again may still owe answers to
/// the earlier visit, and a client's messages arrive in order. So the machine ignores as many Statuses as were owed. If
/// no other follows, one of them may have answered the present visit: the Position is repeated after
/// ``Timing/repetition``.
///
/// Where the specification is silent:
/// - *A release while a Status is due*: the machine ungrabs pointer and keyboard and waits up to ``Timing/status``.
/// - *An unsolicited Status* is accepted: some targets change their answer without a new Position.
/// - *Finished without Drop* is ignored; pcmanfm sends five during one hover.
/// - *No Finished*: the source waits for the length of a lease, which each request renews. The lease is long if the
///   agreed operation is Ask: Thunar sends Finished only after the user has chosen from a menu.
/// - *After the end* the ``SelectionServer`` still serves data: Dolphin converts only after the user has typed a file
///   name.
struct SourceMachine: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case begin
    /// The answer to ``Effect/claimSelection(at:)``.
    case claimed(Bool)
    /// The answer to ``Effect/grab(at:)``: the current pointer state, and whether the button is still down.
    case grabbed(PointerSample, buttonIsDown: Bool)
    case grabFailed
    /// The answer to ``Effect/grab(at:)`` while another client, perhaps another connection of the host, holds a grab.
    case grabRefused
    case pointerMoved(PointerSample)
    case modifiersChanged(PointerSample)
    case buttonPressed(PointerButton, PointerSample)
    case buttonReleased(PointerButton, PointerSample)
    case keyPressed(DragKey, PointerSample)
    /// The answer to ``Effect/listDropPlaces``, topmost first.
    case dropPlaces([DropPlace])
    /// The window under the resting pointer may have changed.
    case stackingChanged
    /// The answer to ``Effect/locateTarget(at:)``. `quirks` is set for a new target if
    /// ``SourceMachine/needsQuirks(of:)``.
    case located(DropTarget?, DragRelation = .otherApplication, quirks: Set<Quirk>? = nil)
    case message(XdndMessage)
    /// The target has been silent for too long: from now on, a release does not wait for its Status.
    case targetIsSilent
    case cancel(DragOutcome.Cancellation)
    case windowVanished(WindowID)
    /// The target has requested or received content, or a promised file is being written: time limits start anew.
    case transferProgressed
    /// Data that the target requested could not be delivered.
    case transferFailed
    /// Content has been delivered completely to a window of the client that was dropped on.
    case contentDelivered
    /// The target was told that its direct save succeeded.
    case savedDirectly
    case directSaveFailed
    /// The target has been given the paths of files that are not written yet.
    case preparationNeeded
    /// The answer to ``Effect/prepare``: whether the files are written.
    case prepared(Bool)
    /// The offer has changed. The target under the pointer is left and entered again.
    case offerChanged(
      types: [AtomName], operations: [DragOperation], promised: Set<AtomName> = [], forFileManagers: [AtomName] = [])
    case serverLost
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    // For the window system.
    case claimSelection(at: Timestamp)
    /// Write the type list and the action list to the drag window. Both stay there after the end.
    case publishOffer
    /// Write another type list to the drag window and serve only those types, for the target that is entered next.
    case publishTypes([AtomName])
    case grab(at: Timestamp)
    case ungrab(at: Timestamp)
    case locateTarget(at: Point)
    case watch(WindowID)
    case unwatch(WindowID)
    case send(XdndMessage, to: DropTarget)
    case showCursor(for: DragOperation?)
    /// The target under the pointer has neither accepted nor refused yet, or no drop is possible and the pointer is in
    /// the container that the content comes from.
    case showPlainCursor
    /// Answered by ``Input/pointerMoved(_:)`` with the new position, even if it equals the old one.
    case movePointer(PointerMove, at: Timestamp)
    case listDropPlaces

    // For the host.
    /// Another client has the pointer or the keyboard. If it is another connection of the host, the host must release
    /// them.
    case grabNeeded
    case began
    /// The drag is over another target; `nil` for none.
    case targetChanged(WindowID?)
    /// The operation that a drop would perform now; `nil` for none.
    case proposed(DragOperation?)
    /// Write the files whose paths the target has been given, so that the Drop can be sent.
    case prepare
    /// The Drop was sent; the target converts the data now.
    case dropSent(DragOperation, DragRelation = .otherApplication)
    case ended(DragOutcome)

    case ignored(Violation)
  }

  /// The content and the operations that a drag offers.
  struct Offer: Equatable, Sendable {
    /// The drag window.
    var source: WindowID
    /// The offered types, best first.
    var types: [AtomName]
    /// The permitted operations, default first. Offer only what may happen: file managers move whenever Move is
    /// offered.
    var operations: [DragOperation]
    /// The promised-file types of content that is also offered as text; empty if the content is meant to be a file.
    var promised: Set<AtomName> = []
    /// The types that only file managers without direct save are offered, after ``types``. See ``Quirk``.
    var forFileManagers: [AtomName] = []
    /// Which operation is the default, depending on where the target is.
    var policy = OperationPolicy.firstOffered
    /// The device that began the drag.
    var device = InputDevice.core
    /// The button that began the drag; only its release drops. `nil` if no button is held: then a click drops.
    var button: PointerButton?
    /// The server time of the press.
    var time: Timestamp
    /// Device pixels per point.
    var scale = 1.0

    /// The types to offer to a target with these quirks.
    func types(for quirks: Set<Quirk>) -> [AtomName] {
      let types = quirks.contains { $0.effect == .listsClippings } ? types + forFileManagers : types
      return quirks.contains { $0.effect == .withholdsPromises } ? types.filter { !promised.contains($0) } : types
    }

    /// Whether the types to offer depend on the target's quirks.
    var dependsOnQuirks: Bool { !promised.isEmpty || !forFileManagers.isEmpty }
  }

  struct Timing: Equatable, Sendable {
    /// How long the request for the grab is repeated while another client holds one.
    var grab: Duration = .seconds(1)
    /// How long to wait between two such requests.
    var grabPause: Duration = .milliseconds(20)
    /// How long a release waits for the Status that is due. Chromium sends it only after it has fetched all data.
    var status: Duration = .seconds(5)
    /// How long to wait for another Status after one that may belong to an earlier visit, before the Position is
    /// repeated.
    var repetition: Duration = .milliseconds(200)
    /// How long the target may stay silent after the Drop.
    var finish: Duration = .seconds(30)
    /// How long a target that asks the user what to do may stay silent.
    var ask: Duration = .seconds(600)
    /// How long the preparation of a drop may go without progress.
    var preparation: Duration = .seconds(60)

    /// How long a target that has agreed to `operation` may stay silent.
    func lease(of operation: DragOperation) -> Duration { operation == .ask ? ask : finish }
  }

  private(set) var offer: Offer
  private(set) var timing: Timing
  private(set) var state = State.ready

  init(offer: Offer, timing: Timing = Timing()) {
    self.offer = offer
    self.timing = timing
  }

  /// The time of the next ``Input/deadlineReached``. An earlier one has no effect.
  var nextDeadline: LoopTime? {
    switch state {
    case .ready, .claiming, .ended: nil
    case .grabbing(let grabbing): grabbing.retry
    case .dragging(let dragging): dragging.nextDeadline
    case .dropped(let dropped): dropped.deadline
    }
  }

  /// Whether the offer can still change: until the button is released.
  var takesChanges: Bool {
    switch state {
    case .ready, .claiming, .grabbing: true
    case .dragging(let dragging): dragging.release == nil
    case .dropped, .ended: false
    }
  }

  /// Whether the quirks of a target found under the pointer must be looked up before it is entered. True once per
  /// visit, and only if the offer depends on quirks.
  func needsQuirks(of target: DropTarget) -> Bool {
    guard offer.dependsOnQuirks, case .dragging(let dragging) = state else { return false }
    return dragging.over?.target != target
  }

  /// Whether a Finished from `window` belongs to this drag.
  func awaitsFinished(from window: WindowID) -> Bool {
    if case .dropped(let dropped) = state { dropped.target.answers(as: window) } else { false }
  }

  /// Whether the target of the drop has received content completely.
  var hasDelivered: Bool {
    if case .dropped(let dropped) = state { dropped.hasDelivered } else { false }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    if input == .targetIsSilent { timing.status = .zero }
    var turn = Turn(state: state, offer: offer, timing: timing, now: now)
    turn.handle(input)
    state = turn.state
    offer = turn.offer
    return turn.effects
  }
}

extension DropTarget {
  /// Whether a message that names `window` as its target is from this one. A proxy may name either window.
  func answers(as window: WindowID) -> Bool { window == self.window || window == destination }
}
