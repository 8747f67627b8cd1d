import Foundation
import TestSupport
import Testing

/// Everything that can happen in a drag, up to a number of events.
@Suite(.computing) struct SearchTests {
  /// Where a search begins, and how far it goes in each run of the tests and in the whole search.
  struct Start: CustomTestStringConvertible, Sendable {
    var name: String
    var setting = DragWorld.Setting()
    var beginning: [DragWorld.Event] = []
    var depth: Int
    var wholeDepth: Int

    var testDescription: String { name }
  }

  static let hover: [DragWorld.Event] = [
    .moveOver(.window), .locate, .deliver(.window), .readLists(.window), .deliver(.window), .accept(.window),
    .answer(.window),
  ]

  static let starts = [
    Start(name: "from the beginning, with all faults", depth: 5, wholeDepth: 9),
    Start(
      name: "one window, one fault", setting: .init(places: [.window], faultLimit: 1), depth: 7, wholeDepth: 15),
    Start(
      name: "a proxy, no fault", setting: .init(places: [.proxy, .owner], faultLimit: 0), depth: 8, wholeDepth: 17),
    Start(
      name: "keys and the wheel", setting: .init(places: [.window], isSteered: true, faults: .losses, faultLimit: 1),
      depth: 6, wholeDepth: 12),
    Start(
      name: "from an accepted hover", setting: .init(places: [.window], hasContent: true), beginning: hover, depth: 5,
      wholeDepth: 10),
    Start(
      name: "from a drop", setting: .init(places: [.window], hasContent: true),
      beginning: hover + [.release, .locate, .deliver(.window)], depth: 5, wholeDepth: 12),
    Start(
      name: "a target that sends any message",
      setting: .init(places: [.window], faults: .hostileTarget, faultLimit: nil), depth: 7, wholeDepth: 15),
    Start(
      name: "a source that sends any message",
      setting: .init(places: [.window], faults: .hostileSource, faultLimit: nil), depth: 6, wholeDepth: 13),
  ]

  func search(_ start: Start, depth: Int, capacity: Int, threads: Int = 1) -> Search<DragWorld> {
    let world = DragWorld.dragging(start.setting)
    return Search(start: world, beginning: start.beginning, depth: depth, capacity: capacity, threads: threads)
  }

  @Test(arguments: starts) func `nothing that can happen breaks the protocol or hangs`(start: Start) {
    let report = search(start, depth: start.depth, capacity: 1 << 20).run()
    #expect(report.mistake == nil, "\(report.test(of: "DragWorld.dragging(\(start.setting))") ?? "")")
    #expect(report.states > 1000)
  }

  static let isWhole = ProcessInfo.processInfo.environment["XDND_SEARCH"] != nil

  @Test(.enabled(if: isWhole, "scripts/search")) func `nothing breaks the protocol or hangs, in the whole search`() {
    var total = (states: 0, quiet: 0, transitions: 0)
    print("| from | events | states | quiet | steps | seconds |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for start in Self.starts {
      let clock = ContinuousClock()
      var report: Search<DragWorld>.Report?
      let time = clock.measure {
        report = search(
          start, depth: start.wholeDepth, capacity: 1 << 24, threads: ProcessInfo.processInfo.activeProcessorCount
        ).run()
      }
      guard let report else { continue }
      #expect(report.mistake == nil, "\(report.test(of: "DragWorld.dragging(\(start.setting))") ?? "")")
      total.states += report.states
      total.quiet += report.quietStates
      total.transitions += report.transitions
      print(
        "| \(start.name) | \(report.depth) | \(report.states) | \(report.quietStates) | \(report.transitions) | \(time.components.seconds) |"
      )
    }
    print("| in all | | \(total.states) | \(total.quiet) | \(total.transitions) | |")
    #expect(total.states >= 10_000_000)
  }
}

/// The search finds each rule that a machine breaks: what it could not find, it could not promise.
@Suite(.computing) struct DefectTests {
  @Test(arguments: DragWorld.Defect.allCases) func `the search finds a machine that breaks a rule`(
    defect: DragWorld.Defect
  ) {
    var setting = DragWorld.Setting(places: [.window], faultLimit: 0)
    setting.defect = defect
    let report = Search(
      start: DragWorld.dragging(setting), beginning: SearchTests.hover, depth: 11, capacity: 1 << 20
    ).run()
    #expect(report.mistake?.complaint == defect.complaint)
  }

  @Test func `a mistake is told as a test with the shortest list of events`() {
    let setting = DragWorld.Setting(places: [.window], faultLimit: 0, defect: .losesFinished)
    let report = Search(
      start: DragWorld.dragging(setting), beginning: SearchTests.hover, depth: 9, capacity: 1 << 18
    ).run()
    let test = """
      @Test func `a Finished is owed for ever`() {
        var world = DragWorld.dragging()
        for event in [
          .moveOver(.window), .locate, .deliver(.window), .readLists(.window), .deliver(.window), .accept(.window), \
      .answer(.window), .release,
        ] as [DragWorld.Event] { world.perform(event) }
        #expect(world.complaint == nil)
        #expect(world.complaintWhenQuiet == nil)
      }
      """
    #expect(report.test(of: "DragWorld.dragging()") == test)
  }
}
