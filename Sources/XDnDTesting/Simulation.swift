import XDnD

/// Programs on one simulated server, and the loop that they run in.
///
/// Time jumps to the next moment at which something happens. Each program wakes up as one that sleeps in `poll` does.
final class Simulation {
  let server: FakeXServer
  private(set) var programs: [Program] = []
  /// The clients that do not use the library.
  private(set) var clients: [any SimulatedClient] = []

  /// One program with a connection of its own.
  final class Program {
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
  }

  init(server: FakeXServer = FakeXServer()) {
    self.server = server
  }

  var now: LoopTime { server.clock.now }

  func program(_ configuration: Configuration) -> Program {
    let program = Program(server, configuration)
    programs.append(program)
    return program
  }

  func add(_ client: any SimulatedClient) { clients.append(client) }

  /// Jumps to the next moment at which something happens, and lets it happen; `false` if nothing ever will.
  private func step(until limit: LoopTime?) -> Bool {
    var moments: [LoopTime?] = clients.map(\.client.readableAt)
    for program in programs where !program.client.isClosed && !program.client.isFrozen {
      moments += [program.client.readableAt, program.driver.nextWake]
    }
    guard let next = moments.compactMap({ $0 }).min(), limit.map({ next <= $0 }) ?? true else { return false }
    server.clock.advance(to: next)
    for program in programs where !program.client.isFrozen { try? program.driver.process() }
    for client in clients { client.takeEvents() }
    return true
  }

  /// Steps until nothing is left to be done, or for a while.
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

/// A client of the simulated server that does not use the library.
protocol SimulatedClient: AnyObject {
  var client: FakeClient { get }

  /// Handles the events that have arrived.
  func takeEvents()
}
