import Logging

/// The state that the objects of the driver share: the window system, the clock, the log, the queue of jobs and the
/// notices for the application.
///
/// The objects add jobs and notices; only ``Reactor`` processes them.
final class DriverContext {
  let system: any WindowSystem
  let timing: Reactor.Timing
  let logger: Logger
  /// The log of the exchange with peers.
  let exchange: ExchangeTrace
  let alarms = Alarms()

  private let clock: () -> LoopTime
  private var queue = Queue<Job>()
  private var outbox = Queue<Told>()
  private var lastTransfer = 0
  /// When each exceeded limit was logged last.
  private var limitReports: [Violation.Limit: LoopTime] = [:]

  /// - Parameter clock: A monotonic clock with any start.
  init(system: any WindowSystem, timing: Reactor.Timing, logger: Logger, clock: @escaping () -> LoopTime) {
    self.system = system
    self.timing = timing
    self.logger = logger
    self.exchange = ExchangeTrace(logger: logger)
    self.clock = clock
  }

  var now: LoopTime { clock() }

  /// Returns a new id, for a load or for a direct save of dropped content.
  func nextTransfer() -> TransferID {
    lastTransfer += 1
    return TransferID(rawValue: lastTransfer)
  }

  // MARK: Jobs

  func post(_ job: Job) { queue.append(job) }

  /// Removes the next job; `nil` if there is none, or if it has to wait until notices are delivered.
  func nextJob() -> Job? {
    switch queue.first {
    // Loads that have ended are reported before the loss of their owner: the application may finish the drop with their
    // content, or begin another load, which then fails like the running ones.
    case .event(.windowVanished), .serverLoss: if tellsOfLoads { return nil }
    default: break
    }
    return queue.popFirst()
  }

  /// Replaces the events that wait in the queue; `nil` drops an event.
  func rewriteEvents(_ rewritten: (ServerEvent) -> ServerEvent?) {
    queue.replaceAll { job in
      guard case .event(let event) = job else { return job }
      return rewritten(event).map(Job.event)
    }
  }

  // MARK: Notices

  /// A notice, and the application's half of the object that it is about.
  typealias Told = (notice: Notice, half: AnyObject?)

  /// Keeps a notice until all machines have settled.
  ///
  /// - Parameter half: The application's half of the object that the notice is about. The driver never looks at it.
  func tell(_ notice: Notice, to half: AnyObject? = nil) {
    if case .target(let host, .proposalNeeded(let request)) = notice {
      // Of several positions, only the newest needs an answer.
      outbox.removeAll {
        if case .target(host, .proposalNeeded(let old)) = $0.notice { old.session == request.session } else { false }
      }
    }
    outbox.append((notice, half))
  }

  /// Whether the end of a load is still to be reported, unless the load ended because its owner vanished.
  private var tellsOfLoads: Bool {
    outbox.contains {
      switch $0.notice {
      case .load(_, .ended(.failed(.ownerVanished))): false
      case .load(_, .ended): true
      default: false
      }
    }
  }

  /// Removes the oldest notice.
  func nextNotice() -> Told? { outbox.popFirst() }

  /// Logs a peer's mistake.
  func ignored(_ violation: Violation) {
    guard case .beyondLimit(let limit, let peer) = violation else {
      return logger.debug("ignored", metadata: ["violation": "\(violation)"])
    }
    // A peer may exceed a limit a thousand times in a second.
    if let last = limitReports[limit], now < last + .seconds(1) { return }
    limitReports[limit] = now
    logger.notice("beyond a limit", metadata: ["limit": "\(limit.rawValue)", "peer": "\(peer)"])
  }
}

/// An entry of the queue.
enum Job {
  case event(ServerEvent)
  case answer(Answer)
  case alarm(Int)
  /// Content may have arrived.
  case content
  /// The connection is lost. Ends all drags, loads, saves, transfers and visits.
  case serverLoss
}
