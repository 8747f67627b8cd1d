import Logging
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("What peers may use, and what is said where they use more")
struct PeerLimitsTests {
  private let log = LogLines()

  private func configuration(_ change: (inout PeerLimits) -> Void) -> Configuration {
    var configuration = Configuration()
    configuration.logger = log.logger(.notice)
    change(&configuration.limits)
    return configuration
  }

  /// An item with so many types, none of which has synonyms.
  private func item(_ count: Int) -> DragItem {
    var item = DragItem()
    for number in 0..<count { item.promise(ContentType("a/\(number)"), bytes: [1]) }
    return item
  }

  @Test(arguments: [5, 1001])
  func `types beyond the limit are ignored, and that is logged`(count: Int) {
    let limit = count == 5 ? 4 : 1000
    let stage = DropStage(accepting: ["a/*"], configuration { $0.maximumTypeCount = limit })
    stage.hover([item(count)])
    #expect(stage.receiver.drop?.types.count == limit)
    #expect(log.limits == ["maximumTypeCount"])
  }

  @Test func `as many types as the limit says are all there`() {
    let stage = DropStage(accepting: ["a/*"], configuration { $0.maximumTypeCount = 4 })
    stage.hover([item(4)])
    #expect(stage.receiver.drop?.types.count == 4)
    #expect(log.limits == [])
  }

  @Test func `the types of a clipboard have the same limit`() throws {
    let simulation = Simulation.recordingIssues()
    let giver = simulation.program()
    try giver.clipboard.write(item(9))
    let taker = simulation.program(configuration { $0.maximumTypeCount = 4 })
    #expect((simulation.types(of: taker.clipboard)?.count ?? 0) <= 4)
    #expect(log.limits == ["maximumTypeCount"])
  }

  @Test func `a peer that exceeds a limit again and again fills no log`() {
    let simulation = Simulation.recordingIssues()
    let program = simulation.program(configuration { _ in })
    for _ in 0..<3 {
      for peer in 1...1000 {
        program.driver.reactor.ignored(
          .beyondLimit(.maximumWaitingRequests, peer: WindowID(rawValue: UInt32(peer))))
      }
      simulation.run(.seconds(1))
    }
    #expect(log.limits == Array(repeating: "maximumWaitingRequests", count: 3))
  }

  @Test func `a limit out of its range is the nearest one in it`() {
    var limits = PeerLimits()
    (limits.maximumTypeCount, limits.maximumTransfers, limits.maximumTransfersPerClient) = (0, 0, -1)
    (limits.maximumWaitingRequests, limits.maximumSavedFileCount, limits.maximumSavedDepth) = (-1, 0, 1000)
    #expect(limits.maximumTypeCount == 3 && limits.maximumTransfers == 1 && limits.maximumTransfersPerClient == 1)
    #expect(limits.maximumWaitingRequests == 0 && limits.maximumSavedFileCount == 1 && limits.maximumSavedDepth == 200)
    limits.maximumTypeCount = 5000
    #expect(limits.maximumTypeCount == 1000)
  }
}
