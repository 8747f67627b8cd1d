import XDnD

/// Programs on one simulated server, and the loop that they run in.
///
/// Time jumps to the next moment at which something happens. Then each client that is awake processes its events.
final class Simulation {
  let server: FakeXServer
  /// All clients of the server that run in this loop, in the order in which they wake up.
  private var clients: [any SimulatedClient] = []
  private var scheduled: [(at: LoopTime, action: () -> Void)] = []

  /// A program with its own connection.
  final class Program: SimulatedClient {
    let client: FakeClient
    let driver: DragAndDrop

    fileprivate init(_ server: FakeXServer, _ configuration: Configuration) {
      client = server.connect()
      do {
        driver = try DragAndDrop(system: client, configuration: configuration, clock: { server.clock.now })
      } catch {
        fatalError("\(error)")
      }
    }

    var nextWake: LoopTime? { driver.nextWake }

    /// `true` unless the program is frozen: a pipe, a task or the end of the connection may wake it at any time.
    func isAwake(at now: LoopTime) -> Bool { !client.behavior.isFrozen }

    func process() { try? driver.process() }
  }

  init(server: FakeXServer = FakeXServer()) {
    self.server = server
  }

  var now: LoopTime { server.clock.now }

  var programs: [Program] { clients.compactMap { $0 as? Program } }

  func program(_ configuration: Configuration = Configuration()) -> Program {
    let program = Program(server, configuration)
    add(program)
    return program
  }

  func add(_ client: any SimulatedClient) { clients.append(client) }

  /// Removes a client from the loop. Its connection stays open.
  func remove(_ client: any SimulatedClient) { clients.removeAll { $0 === client } }

  // MARK: Time

  /// Schedules an action, after a delay in virtual time.
  func after(_ delay: Duration, _ action: @escaping () -> Void) {
    scheduled.append((now + delay, action))
    scheduled.sort { $0.at < $1.at }
  }

  private var nextMoment: LoopTime? {
    var moments: [LoopTime?] = [scheduled.first?.at]
    for each in clients where each.runs { moments += [each.client.readableAt, each.nextWake] }
    return moments.compactMap { $0 }.min()
  }

  /// Jumps to the next moment at which something happens, and processes it; `false` if there is none up to `limit`.
  func step(until limit: LoopTime? = nil) -> Bool {
    guard let next = nextMoment, limit.map({ next <= $0 }) ?? true else { return false }
    server.clock.advance(to: next)
    while let first = scheduled.first, first.at <= now {
      scheduled.removeFirst()
      first.action()
    }
    for each in clients where each.isAwake(at: now) { each.process() }
    return true
  }

  /// Steps until nothing is left to do, or until `duration` has passed.
  ///
  /// - Parameter isDone: Evaluated before each step; `true` ends the run at that moment.
  func run(_ duration: Duration? = nil, until isDone: () -> Bool = { false }) {
    let end = duration.map { now + $0 }
    for _ in 0..<20_000 {
      if isDone() { return }
      guard step(until: end) else {
        if let end { server.clock.advance(to: end) }
        return
      }
    }
    server.impossible("still busy after 20 000 steps")
  }
}

/// A client of the simulated server that runs in the loop of a simulation.
protocol SimulatedClient: AnyObject {
  var client: FakeClient { get }
  /// When the client wakes up without an event; `nil` for never.
  var nextWake: LoopTime? { get }

  /// Whether the client wakes up at this moment.
  func isAwake(at now: LoopTime) -> Bool

  /// Handles the events that have arrived, and the deadlines that have passed.
  func process()
}

extension SimulatedClient {
  var runs: Bool { !client.isClosed && !client.behavior.isFrozen }

  var nextWake: LoopTime? { nil }

  func isAwake(at now: LoopTime) -> Bool {
    runs && [client.readableAt, nextWake].contains { $0.map { $0 <= now } ?? false }
  }
}
