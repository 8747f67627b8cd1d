extension SourceMachine {
  enum State: Hashable, Sendable {
    /// Before ``Input/begin``.
    case ready
    /// Waits for ownership of `XdndSelection`. No Enter is sent before: KWin starts its Wayland bridge when the owner
    /// changes.
    case claiming
    /// Waits for the grab of pointer and keyboard.
    case grabbing(Grabbing)
    /// Waits for input, and for the Status to the last Position.
    case dragging(Dragging)
    /// Waits for Finished.
    case dropped(Dropped)
    case ended(DragOutcome)
  }

  struct Grabbing: Hashable, Sendable {
    /// When to request the grab again; `nil` while an answer is due.
    var retry: LoopTime?
    /// When to give up; `nil` before the first refusal.
    var limit: LoopTime?
  }

  struct Dragging: Hashable, Sendable {
    /// The latest pointer state; frozen once the button is released.
    var pointer: PointerSample
    var over: Over?
    /// Set once the button is released.
    var release: Release?
    /// The operation that was last proposed, which the cursor also shows unless it is plain.
    var shown: DragOperation?
    /// Whether the plain cursor is shown. True from the grab to the first answer of hit testing, so that no drag begins
    /// with a refusal.
    var isCursorPlain = true
    /// The quirks that the type list on the drag window is written for.
    var published: Set<Quirk> = []
    /// How the drop location relates to the drag's origin.
    var relation = DragRelation.otherApplication
    /// The state of promised files whose paths the target has been given.
    var preparation = Preparation.unneeded
    var navigation = KeyboardNavigation()
    /// The answers that targets owed when they were left.
    var owed: [OwedAnswers] = []

    /// The earliest time at which the drag continues without an input.
    var nextDeadline: LoopTime? {
      .earliest(over?.repetition, release.map(\.deadline) ?? navigation.deadline)
    }

    enum Preparation: Hashable, Sendable {
      case unneeded, needed, underWay, done
    }

    struct Release: Hashable, Sendable {
      /// When to stop waiting for a Status, or for progress of the preparation.
      var deadline: LoopTime
      /// Whether the target at the point of release has been located.
      var isLocated = false
    }
  }

  /// How many Statuses a target that was left may still send.
  struct OwedAnswers: Hashable, Sendable {
    var target: DropTarget
    var count: Int
    /// When no more Statuses are expected: some targets do not answer the last Position before Leave.
    var limit: LoopTime

    /// Whether a Status from `target` may be an owed one.
    func belong(to target: DropTarget) -> Bool {
      self.target.answers(as: target.window) || self.target.answers(as: target.destination)
    }
  }

  /// The target under the pointer, which has been sent Enter.
  struct Over: Hashable, Sendable {
    var target: DropTarget
    /// `nil` if they have not been looked up.
    var quirks: Set<Quirk>?
    /// The last Position.
    var sent: Sent?
    /// Whether the Status to it is still due.
    var isStatusDue = false
    /// How many of the next Statuses may answer Positions of earlier visits.
    var staleAnswers = 0
    /// The maximum number of Statuses that the target may still send, including the ``staleAnswers``.
    var unanswered = 0
    /// When to repeat the Position, because its Status may have been taken for a stale one.
    var repetition: LoopTime?
    /// Whether any Status has arrived since Enter.
    var isAnswered = false
    /// The latest acceptance; `nil` before the first Status and after a refusal.
    var acceptance: XdndMessage.Status.Acceptance?
    /// Wheel notches that wait for the next Position.
    private(set) var notches: [WheelScroll] = []

    struct Sent: Hashable, Sendable {
      var point: Point
      var operation: DragOperation?
    }

    /// Queues a wheel notch. Drops it if 16 are queued: a target that has not answered for that long can do without.
    mutating func add(_ scroll: WheelScroll) {
      if notches.count < 16 { notches.append(scroll) }
    }

    mutating func takeNotch() -> WheelScroll? { notches.isEmpty ? nil : notches.removeFirst() }

    /// Whether the target has asked for no Position here: the quiet rectangle of XDND v5 "XdndStatus".
    func isQuiet(at point: Point, operation: DragOperation?) -> Bool {
      guard let acceptance, let sent, !acceptance.wantsPositionsInside else { return false }
      return sent.operation == operation && acceptance.region.contains(point)
    }
  }

  struct Dropped: Hashable, Sendable {
    var target: DropTarget
    /// The operation of the last Status.
    var operation: DragOperation
    /// The timestamp of the Drop, which the target's conversion requests repeat.
    var time: Timestamp
    var hasTransferFailed = false
    /// Whether the last transfer to the target delivered its content completely.
    var hasDelivered = false
    /// Whether the target belongs to this program, so that its refusal can be trusted.
    var isOwn = false
    /// The result of the direct save, if there was one.
    var directSave: DirectSave?
    var deadline: LoopTime

    enum DirectSave: Hashable, Sendable {
      case succeeded, failed
    }
  }
}
