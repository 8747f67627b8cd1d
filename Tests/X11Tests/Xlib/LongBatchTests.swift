import Glibc
import TestSupport
import Testing

@testable import XDnD

@Suite("Batches with thousands of replies", .requiresXvfb, .timeLimit(.minutes(1)))
struct LongBatchTests {
  private static let windows = 1_000

  /// Asks for as many windows' attributes, each of which takes two replies, and lets a loop take what arrives.
  ///
  /// - Parameters:
  ///   - request: Sends what the server is to do after it has answered.
  ///   - turn: Called after each turn with how many windows have been answered, and the events of the turn. The loop
  ///     ends with the turn for which it returns true.
  private func answer(
    on us: XlibConnection, then request: () -> Void = {}, until turn: (Int, [ServerEvent]) -> Bool
  ) {
    var answered: [Int] = []
    var batch = RequestBatch(us.display)
    for index in 0..<Self.windows { batch.attributes(of: us.dragWindow) { _ in answered.append(index) } }
    batch.send {}
    request()
    us.flush()
    var hasEnded = false
    while !hasEnded {
      if !us.hasQueuedEvents {
        var descriptor = pollfd(fd: us.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 10_000) > 0 else { break }
      }
      var events: [ServerEvent] = []
      while let event = us.nextEvent() { events.append(event) }
      hasEnded = turn(answered.count, events)
    }
    #expect(hasEnded, "the server was quiet for ten seconds")
    #expect(answered == Array(0..<Self.windows))
  }

  @Test func `no turn of a loop takes many of them, and none is lost`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      defer { us.close() }
      var (before, largest) = (0, 0)
      answer(on: us) { count, _ in
        largest = max(largest, count - before)
        before = count
        return count == Self.windows
      }
      #expect(largest <= Self.windows / 4)
    }
  }

  @Test func `an event that the server has sent after them comes after all of them`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      defer { us.close() }
      us.watch(us.dragWindow, for: .properties)
      let property = AtomName("XDND_TEST")
      var answeredBefore: Int?
      answer(on: us, then: { us.write(.atoms([]), to: property, of: us.dragWindow) }) { count, events in
        if events.contains(.propertyChanged(property, of: us.dragWindow)) { answeredBefore = count }
        return answeredBefore != nil
      }
      #expect(answeredBefore == Self.windows)
    }
  }
}
