extension SourceMachine {
  enum State: Hashable, Sendable {
    /// Waits to be begun.
    case ready
    /// Waits to hear whether the selection is ours: no Enter goes out before. KWin starts its bridge when it changes.
    case claiming
    /// Waits to hear whether pointer and keyboard are ours.
    case grabbing
    /// Waits for the user, and for the Status to the last Position.
    case dragging(Dragging)
    /// Waits for Finished.
    case dropped(Dropped)
    case ended(DragOutcome)
  }

  struct Dragging: Hashable, Sendable {
    /// The newest of everything, or what it was when the button went up.
    var pointer: PointerSample
    var over: Over?
    /// Set once the button is up.
    var release: Release?
    /// What was proposed last, and what the cursor says unless it is plain.
    var shown: DragOperation?
    var isCursorPlain = false
    /// The type list on the drag window is for targets with these.
    var published: Set<Quirk> = []
    /// How the place under the pointer relates to where the drag comes from.
    var relation = DragRelation.otherApplication
    /// What the target has been told of and is not there yet.
    var preparation = Preparation.unneeded
    var steering = Steering()

    enum Preparation: Hashable, Sendable {
      case unneeded, needed, underWay, done
    }

    struct Release: Hashable, Sendable {
      /// When to stop waiting for a Status.
      var deadline: LoopTime
      /// Whether the target at the place of the release has been looked up.
      var isLocated = false
    }
  }

  /// The target under the pointer, which has had its Enter.
  struct Over: Hashable, Sendable {
    var target: DropTarget
    /// `nil` if nobody has asked for them.
    var quirks: Set<Quirk>?
    /// The last Position.
    var sent: Sent?
    /// Whether its Status is still due.
    var isStatusDue = false
    /// Whether there has been a Status.
    var isAnswered = false
    /// The newest Status; `nil` before the first, or a refusal.
    var acceptance: XdndMessage.Status.Acceptance?
    /// Notches of the wheel that wait until the target may be told.
    private(set) var notches: [WheelScroll] = []

    struct Sent: Hashable, Sendable {
      var point: Point
      var operation: DragOperation?
    }

    /// Keeps a notch of the wheel. What a target has not answered for so long it need not have at all.
    mutating func add(_ scroll: WheelScroll) {
      if notches.count < 16 { notches.append(scroll) }
    }

    mutating func takeNotch() -> WheelScroll? { notches.isEmpty ? nil : notches.removeFirst() }

    /// Whether the target has asked not to be told of this.
    func isQuiet(at point: Point, operation: DragOperation?) -> Bool {
      guard let acceptance, let sent, !acceptance.wantsPositionsInside else { return false }
      return sent.operation == operation && acceptance.quietRegion.contains(point)
    }
  }

  struct Dropped: Hashable, Sendable {
    var target: DropTarget
    /// What the last Status agreed to.
    var operation: DragOperation
    /// What the Drop says, and the target's requests for its content.
    var time: Timestamp
    var hasTransferFailed = false
    /// What has become of the direct save, if there was one.
    var directSave: DirectSave?
    var deadline: LoopTime

    enum DirectSave: Hashable, Sendable {
      case succeeded, failed
    }
  }
}
