extension TargetMachine {
  struct State: Hashable, Sendable {
    var hover = Hover.outside
    /// Drops whose Finished is still owed.
    var drops: [SessionID: Dropped] = [:]
    var lastSession = SessionID(rawValue: 0)
  }

  /// What is over the window.
  enum Hover: Hashable, Sendable {
    /// Waits for an Enter.
    case outside
    /// Waits for the source's lists; what the source sends meanwhile is kept.
    case reading(Reading)
    /// Waits for the application's answer to the newest position.
    case proposing(Proposing)
    /// Waits for the source: Position, Leave or Drop.
    case hovering(Hovering)

    var visit: Visit? {
      switch self {
      case .outside: nil
      case .reading(let reading): reading.visit
      case .proposing(let proposing): proposing.visit
      case .hovering(let hovering): hovering.visit
      }
    }

    var source: WindowID? { visit?.source }

    /// The visit, if the application has heard of it.
    var announcedVisit: Visit? { if case .reading = self { nil } else { visit } }

    /// The Drop that waits for an answer to be found.
    var drop: XdndMessage.Drop? {
      switch self {
      case .outside, .hovering: nil
      case .reading(let reading): reading.drop
      case .proposing(let proposing): proposing.drop
      }
    }

    /// Whether the source waits for the answer to a Position; after a Drop it waits for Finished alone.
    var owesStatus: Bool {
      switch self {
      case .outside, .hovering: false
      case .reading(let reading): reading.position != nil && reading.drop == nil
      case .proposing(let proposing): proposing.drop == nil
      }
    }

    mutating func updateVisit(_ update: (inout Visit) -> Void) {
      switch self {
      case .outside: break
      case .reading(var reading):
        update(&reading.visit)
        self = .reading(reading)
      case .proposing(var proposing):
        update(&proposing.visit)
        self = .proposing(proposing)
      case .hovering(var hovering):
        update(&hovering.visit)
        self = .hovering(hovering)
      }
    }
  }

  /// What is the same in all states from Enter to Leave.
  struct Visit: Hashable, Sendable {
    var session: SessionID
    var source: WindowID
    var version: ProtocolVersion
    var content = OfferedContent()
    /// Since when the source says nothing.
    var silentSince: LoopTime
    /// When to look whether it is still there.
    var checkAt: LoopTime
  }

  struct Reading: Hashable, Sendable {
    var visit: Visit
    var inlineTypes: [AtomName]
    var hasTypeList: Bool
    var position: XdndMessage.Position?
    var drop: XdndMessage.Drop?
  }

  struct Proposing: Hashable, Sendable {
    var visit: Visit
    var position: XdndMessage.Position
    var drop: XdndMessage.Drop?

    /// Whether the newest position is what the application was asked about.
    func isAbout(_ request: ProposalRequest) -> Bool {
      request.session == visit.session && request.point == position.point && request.time == position.time
        && request.requested == position.operation
    }
  }

  struct Hovering: Hashable, Sendable {
    var visit: Visit
    /// What was last answered, and to which position; `nil` before the first answer.
    var answer: Answer?

    struct Answer: Hashable, Sendable {
      var operation: DragOperation?
      var quietRegion: Rect
      var point: Point
      /// What the position asked for.
      var requested: DragOperation?
    }
  }

  struct Dropped: Hashable, Sendable {
    var source: WindowID
    var version: ProtocolVersion
    var phase: Phase
    var droppedAt: LoopTime
    /// When the drop ends by itself.
    var deadline: LoopTime

    enum Phase: Hashable, Sendable {
      /// Waits for the application to say that it is done.
      case performing
      /// Waits for the source to delete what was moved, as ICCCM section 2.6.3 has it.
      case deleting
    }
  }
}
