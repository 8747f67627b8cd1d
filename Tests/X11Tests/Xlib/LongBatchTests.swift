import Glibc
import TestSupport
import Testing

@testable import XDnD

@Suite("Batches with thousands of replies", .requiresXvfb, .timeLimit(.minutes(1)))
struct LongBatchTests {
  private static let windows = 1_000

  /// Asks for as many windows' attributes, each of which takes two replies, and lets a loop take what arrives.
  ///
  /// - Parameter turn: Called after each turn with how many windows have been answered, and the events of the turn.
  private func answer(
    on us: XlibConnection, after request: () -> Void = {}, turn: (Int, [ServerEvent]) -> Void
  ) {
    var answered: [Int] = []
    var isComplete = false
    var batch = RequestBatch(us.display)
    for index in 0..<Self.windows { batch.attributes(of: us.dragWindow) { _ in answered.append(index) } }
    batch.send { isComplete = true }
    request()
    us.flush()
    var isQuiet = false
    while !isComplete || !isQuiet {
      if !us.hasQueuedEvents {
        var descriptor = pollfd(fd: us.fileDescriptor, events: Int16(POLLIN), revents: 0)
        isQuiet = poll(&descriptor, 1, isComplete ? 0 : 10_000) == 0
      }
      var events: [ServerEvent] = []
      while let event = us.nextEvent() { events.append(event) }
      turn(answered.count, events)
    }
    #expect(answered == Array(0..<Self.windows))
  }

  @Test func `no turn of a loop takes many of them, and none is lost`() async throws {
    try await XvfbServer.with { server in
      let us = try XlibConnection(server)
      defer { us.close() }
      var (before, largest) = (0, 0)
      answer(on: us) { count, _ in
        largest = max(largest, count - before)
        before = count
      }
      #expect(largest <= Self.windows / 4)
    }
  }

  @Test func `an event that the server has sent after them comes after all of them`() async throws {
    try await XvfbServer.with { server in
      let us = try XlibConnection(server)
      defer { us.close() }
      us.watch(us.dragWindow, for: .properties)
      let property = AtomName("XDND_TEST")
      var answeredBefore: Int?
      answer(on: us, after: { us.write(.atoms([]), to: property, of: us.dragWindow) }) { count, events in
        if events.contains(.propertyChanged(property, of: us.dragWindow)) { answeredBefore = count }
      }
      #expect(answeredBefore == Self.windows)
    }
  }
}
