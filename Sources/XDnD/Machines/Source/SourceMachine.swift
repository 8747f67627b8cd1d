/// One drag out of this program: the source's half of XDND.
///
///     ready ─ begin ─▶ claiming ─ owned ─▶ grabbing ─ grabbed ─▶ dragging ─ release, accepted ─▶ dropped ─▶ ended
///                         │                   │                  │      ▲                          ▲         ▲
///                         └── not owned ──────┴── not grabbed ───┼──────┼──────────────────────────┼─────────┘
///                                                                ▼      │ Status                   │
///                                                             Position ─┘     Finished, death, lease run out
///
/// Between release and drop there may be a wait of our own: files that were promised while hovering are put in their
/// place first, for the target may open them at once.
///
/// While dragging there is at most one Position without its Status. Whatever happens meanwhile changes only where the
/// pointer is, so the next Position carries the newest of everything.
///
/// Where the specification is silent:
/// - *The button goes up while a Status is due*: the drag lets pointer and keyboard go and waits for it, for a time.
/// - *A Status that nobody asked for* counts: some targets change their mind by themselves.
/// - *Finished without Drop* is ignored (pcmanfm sends five in one hover).
/// - *No Finished*: the wait is a lease that each transfer renews, and a long one if the target asks the user what to do.
///   Thunar finishes once the user has chosen from a menu.
/// - *After the end* data is still served, by the ``SelectionServer``: Dolphin asks for it once the user has typed a name.
struct SourceMachine: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case begin
    /// The answer to ``Effect/claimSelection(at:)``.
    case claimed(Bool)
    /// The answer to ``Effect/grab(at:)``: where the pointer is now, and whether the button is still down.
    case grabbed(PointerSample, buttonIsDown: Bool)
    case grabFailed
    case pointerMoved(PointerSample)
    case modifiersChanged(PointerSample)
    case buttonPressed(PointerButton, PointerSample)
    case buttonReleased(PointerButton, PointerSample)
    case keyPressed(DragKey, PointerSample)
    /// The answer to ``Effect/listDropPlaces``, top-most first.
    case dropPlaces([DropPlace])
    /// What is under the resting pointer may have changed.
    case stackingChanged
    /// The answer to ``Effect/locateTarget(at:)``; the quirks of a target that is new, if ``SourceMachine/needsQuirks(of:)``.
    case located(DropTarget?, DragRelation = .otherApplication, quirks: Set<Quirk>? = nil)
    case message(XdndMessage)
    case cancel(DragOutcome.Cancellation)
    case windowVanished(WindowID)
    /// A request for data was served, or a part of it: the target is alive and busy.
    case transferProgressed
    /// Data that the target asked for could not be delivered.
    case transferFailed
    /// Data that the target asked for has been delivered, all of it.
    case contentDelivered
    /// The target has been told that the file is where it wanted it: direct save.
    case savedDirectly
    /// The file is not where the target wanted it.
    case directSaveFailed
    /// The target has been told of files that are not there yet.
    case preparationNeeded
    /// The answer to ``Effect/prepare``: whether they are there now.
    case prepared(Bool)
    /// There is more in the drag, or less: who is under the pointer has to be told.
    case offerChanged(types: [AtomName], operations: [DragOperation], promised: Set<AtomName> = [])
    case serverLost
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    // For the window system.
    case claimSelection(at: Timestamp)
    /// Write type list and action list to the drag window. They stay there after the end.
    case publishOffer
    /// Write another type list to the drag window, and serve no other types: for the target that is entered next.
    case publishTypes([AtomName])
    case grab(at: Timestamp)
    case ungrab(at: Timestamp)
    case locateTarget(at: Point)
    case watch(WindowID)
    case unwatch(WindowID)
    case send(XdndMessage, to: DropTarget)
    case showCursor(for: DragOperation?)
    /// The target under the pointer has not answered yet: neither yes nor no.
    case showPlainCursor
    /// Where it has come to is told as ``Input/pointerMoved(_:)``, also if that is where it was.
    case movePointer(PointerMove, at: Timestamp)
    case listDropPlaces

    // For the application.
    case began
    /// Over another target, or over none.
    case targetChanged(WindowID?)
    /// What a drop would do now; `nil` for nothing.
    case proposed(DragOperation?)
    /// Make what the target has been told of, so that the drop can be sent.
    case prepare
    /// The drop has been sent; the target fetches the data now.
    case dropSent(DragOperation, DragRelation = .otherApplication)
    case ended(DragOutcome)

    case ignored(Violation)
  }

  /// What is said of the drag when it begins.
  struct Offer: Equatable, Sendable {
    /// Our drag window.
    var source: WindowID
    /// Best first.
    var types: [AtomName]
    /// The default first. Never more than what may happen: file managers move when they are allowed to.
    var operations: [DragOperation]
    /// The types that promise, as a file, what is offered as text as well; empty where a file is what is meant.
    var promised: Set<AtomName> = []
    /// Which of them is the default where.
    var policy = OperationPolicy.firstOffered
    /// The button that began the drag, and the only one that can end it; `nil` if none is held: then a click does.
    var button: PointerButton?
    /// The time of the press.
    var time: Timestamp
    /// Device pixels in a point.
    var scale = 1.0

    /// What a target is offered that has these quirks.
    func types(for quirks: Set<Quirk>) -> [AtomName] {
      quirks.contains { $0.withholdsPromises } ? types.filter { !promised.contains($0) } : types
    }
  }

  struct Timing: Equatable, Sendable {
    /// How long a release waits for the Status that is due. Chromium answers once it has fetched everything.
    var status: Duration = .seconds(5)
    /// How long a dropped-on target may be silent.
    var finish: Duration = .seconds(30)
    /// How long one may be silent that asks the user what to do.
    var ask: Duration = .seconds(600)
    /// How long the preparation of a drop may be silent.
    var preparation: Duration = .seconds(60)

    /// How long a target may be silent that has agreed to an operation.
    func lease(of operation: DragOperation) -> Duration { operation == .ask ? ask : finish }
  }

  private(set) var offer: Offer
  var timing: Timing
  private(set) var state = State.ready

  init(offer: Offer, timing: Timing = Timing()) {
    self.offer = offer
    self.timing = timing
  }

  /// When to send ``Input/deadlineReached``; earlier calls do nothing.
  var nextDeadline: LoopTime? {
    switch state {
    case .ready, .claiming, .grabbing, .ended: nil
    case .dragging(let dragging): dragging.release?.deadline
    case .dropped(let dropped): dropped.deadline
    }
  }

  /// Whether the offer can still be changed: the button is not up.
  var takesChanges: Bool {
    switch state {
    case .ready, .claiming, .grabbing: true
    case .dragging(let dragging): dragging.release == nil
    case .dropped, .ended: false
    }
  }

  /// Whether a target that is found under the pointer has to be known by its quirks before it is entered: once for each
  /// time that the drag comes over it, and only where the offer depends on it.
  func needsQuirks(of target: DropTarget) -> Bool {
    guard !offer.promised.isEmpty, case .dragging(let dragging) = state else { return false }
    return dragging.over?.target != target
  }

  /// Whether a Finished of `window` would be for this drag.
  func awaitsFinished(from window: WindowID) -> Bool {
    if case .dropped(let dropped) = state { dropped.target.answers(as: window) } else { false }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    var turn = Turn(state: state, offer: offer, timing: timing, now: now)
    turn.handle(input)
    state = turn.state
    offer = turn.offer
    return turn.effects
  }
}

extension DropTarget {
  /// Whether a message that names `window` as its target comes from here. A proxy may name either window.
  func answers(as window: WindowID) -> Bool { window == self.window || window == destination }
}
