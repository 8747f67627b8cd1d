extension TargetMachine {
  struct State: Hashable, Sendable {
    var hover = Hover.outside
    /// Drops whose Finished has not been sent.
    var drops: [SessionID: Dropped] = [:]
    var lastSession = SessionID(rawValue: 0)
  }

  /// The drag over the window.
  enum Hover: Hashable, Sendable {
    /// Waits for Enter.
    case outside
    /// Waits for the source's type and action lists, and keeps the source's messages meanwhile.
    case reading(Reading)
    /// Waits for the host's answer to the newest Position.
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

    /// The visit, if it has been announced to the host.
    var announcedVisit: Visit? { if case .reading = self { nil } else { visit } }

    /// The Drop that waits for the source's lists or the host's answer.
    var drop: XdndMessage.Drop? {
      switch self {
      case .outside, .hovering: nil
      case .reading(let reading): reading.drop
      case .proposing(let proposing): proposing.drop
      }
    }

    /// Whether the source waits for a Status. After a Drop it waits only for Finished.
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

  /// The data that all states from Enter to Leave share.
  struct Visit: Hashable, Sendable {
    var session: SessionID
    var source: WindowID
    /// The window, or its proxy: the addressee of the last message.
    var addressee: WindowID
    var version: ProtocolVersion
    var content = OfferedContent()
    /// Whether the window accepts one of the offered types; `nil` until the next Position. Cached, because a source may
    /// offer a thousand long names and send hundreds of positions.
    var isAccepted: Bool?
    /// When the source's last message arrived.
    var silentSince: LoopTime
    /// When to check whether the source is alive.
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

    /// Whether the host was asked about the newest Position.
    func isAbout(_ request: ProposalRequest) -> Bool {
      request.session == visit.session && request.point == position.point && request.time == position.time
        && request.requested == position.operation
    }
  }

  struct Hovering: Hashable, Sendable {
    var visit: Visit
    /// The last answer, and the Position that it belongs to; `nil` before the first.
    var answer: Answer?

    struct Answer: Hashable, Sendable {
      var operation: DragOperation?
      var quietRegion: Rect
      var markedRegion: Rect
      var point: Point
      /// The operation that the Position requested.
      var requested: DragOperation?
    }
  }

  struct Dropped: Hashable, Sendable {
    var source: WindowID
    /// The addressee of the Drop.
    var addressee: WindowID
    var version: ProtocolVersion
    var phase: Phase
    var droppedAt: LoopTime
    /// When the drop times out.
    var deadline: LoopTime
    /// Whether the source is kept waiting although no data is on its way.
    var isKeptWaiting = false
    /// When the lease is renewed, if the source is kept waiting.
    var renewAt: LoopTime

    var nextDeadline: LoopTime { isAnswered ? renewAt : isRenewed ? min(deadline, renewAt) : deadline }

    var isRenewed: Bool { isKeptWaiting && phase != .deleting }

    /// Whether the host has finished, and only the Finished message is withheld.
    var isAnswered: Bool { if case .answered = phase { true } else { false } }

    enum Phase: Hashable, Sendable {
      /// Waits for the host to finish.
      case performing
      /// Waits for the source to delete the moved content (ICCCM §2.6.3).
      case deleting
      /// The host has finished. The Finished is withheld until the source's earlier drops are answered.
      case answered(XdndMessage.Finished.Result)
    }
  }
}
