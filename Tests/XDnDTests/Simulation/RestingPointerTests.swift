import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Regions under a resting pointer")
struct RestingPointerTests {
  private let stage = RegionStage()

  private func makeSpring(_ region: DropRegion, _ name: String) {
    region.springLoading = SpringLoadingBehavior()
    region.onSpringLoad = { [weak stage] _ in stage?.write("\(name) opens") }
    region.onSpringLoadingHighlight = { [weak stage] in stage?.write("\(name) \($0)") }
  }

  /// Only what is written about springs.
  private func takeSprings() -> [String] {
    let words = ["none", "standard", "emphasized", "opens"]
    return stage.takeDiary().filter { line in words.contains { line.hasSuffix(" \($0)") } }
  }

  private static let opening = [
    "folder standard", "folder emphasized", "folder standard", "folder emphasized", "folder standard",
    "folder standard", "folder opens",
  ]

  @Test func `a drag that rests opens a region once, though the source says nothing more`() {
    makeSpring(stage.folder, "folder")
    stage.beginDrag(to: RegionStage.onFolder, for: .milliseconds(400))
    #expect(takeSprings() == ["folder standard"])
    stage.run(.seconds(60))
    #expect(takeSprings() == Array(Self.opening.dropFirst()))
    stage.move(to: RegionStage.onList, for: .seconds(5))
    #expect(takeSprings() == ["folder none"])
    stage.move(to: RegionStage.onFolder, for: .seconds(5))
    #expect(takeSprings() == Self.opening)
    stage.letGo()
    #expect(takeSprings() == ["folder none"])
    #expect(stage.target.driver.nextWake == nil)
  }

  @Test(arguments: RegionStage.End.allCases)
  func `a drag that ends before opens nothing`(_ end: RegionStage.End) {
    makeSpring(stage.folder, "folder")
    stage.beginDrag(to: RegionStage.onFolder, for: .milliseconds(600))
    stage.end(by: end)
    stage.run(.seconds(20))
    let springs = takeSprings()
    #expect(springs.last == "folder none")
    #expect(!springs.contains("folder opens"))
    stage.server.release(.primary)
    stage.run(.seconds(1))
  }

  @Test(
    arguments: [(nil, true, true), (nil, false, false), (true, true, false), (false, false, true)]
      as [(Bool?, Bool, Bool)])
  func `a region blinks before it opens, unless the program or the desktop has animations off`(
    _ reducesMotion: Bool?, _ areAnimationsEnabled: Bool, _ blinks: Bool
  ) {
    var configuration = Configuration()
    configuration.reducesMotion = reducesMotion
    let stage = RegionStage(configuration: configuration)
    stage.target.client.settings.appearance.reducesMotion = !areAnimationsEnabled
    var highlights: [SpringLoadingHighlight] = []
    var openings = 0
    stage.folder.springLoading = SpringLoadingBehavior()
    stage.folder.onSpringLoadingHighlight = { highlights.append($0) }
    stage.folder.onSpringLoad = { _ in openings += 1 }
    stage.beginDrag(to: RegionStage.onFolder, for: .seconds(2))
    #expect(openings == 1)
    #expect(highlights.contains(.emphasized) == blinks)
    stage.letGo()
    #expect(highlights.last == SpringLoadingHighlight.none)
  }

  @Test func `a region springs open though it takes nothing itself`() {
    stage.folder.offer = DropOffer([])
    makeSpring(stage.folder, "folder")
    stage.beginDrag(to: RegionStage.onFolder, for: .seconds(2))
    #expect(takeSprings() == Self.opening)
    #expect(stage.list.isTargeted)
    stage.letGo()
  }

  @Test func `what has opened is under the pointer at once, and the source hears it unasked`() {
    makeSpring(stage.folder, "folder")
    let inside = DropRegion(accepting: DropOffer([.plainText], operations: [.link]))
    inside.onDrop = { $0.finish(.link) }
    stage.folder.onSpringLoad = { [stage] _ in stage.folder.children = [inside] }
    stage.beginDrag([.copy, .link], to: RegionStage.onFolder, for: .milliseconds(300))
    #expect(stage.statuses.last?.acceptance?.operation == .copy)
    stage.run(.seconds(2))
    #expect(inside.isTargeted && !stage.folder.isTargeted)
    #expect(stage.statuses.last?.acceptance?.operation == .link)
    stage.letGo()
    #expect(stage.drag?.outcome == .dropped(.link))
  }

  @Test func `another spring loading behavior takes effect with the next motion`() {
    var openings = 0
    stage.folder.springLoading = SpringLoadingBehavior()
    stage.folder.onSpringLoad = { _ in openings += 1 }
    stage.beginDrag(to: RegionStage.onFolder, for: .milliseconds(300))
    stage.folder.springLoading = SpringLoadingBehavior(delay: .milliseconds(100), blinkCount: 0)
    stage.run(.milliseconds(150))
    #expect(openings == 0)
    stage.move(to: Point(x: 251, y: 10), for: .milliseconds(200))
    #expect(openings == 1)
    stage.leave()
  }

  // MARK: Scrolling

  /// Lets the list scroll without an end.
  private func scrollList(_ scrolled: @escaping () -> Void) {
    stage.list.autoScroll = AutoScrollBehavior()
    stage.list.onAutoScroll = { _, _ in
      scrolled()
      return true
    }
  }

  @Test func `another scrolling behavior takes effect with the next motion`() {
    var calls = 0
    scrollList { calls += 1 }
    stage.beginDrag(to: Point(x: 250, y: 59), for: .milliseconds(100))
    stage.list.autoScroll = AutoScrollBehavior(delay: .zero)
    #expect(calls == 0)
    stage.move(to: Point(x: 251, y: 59), for: .milliseconds(100))
    #expect(calls > 0)
    stage.leave()
  }

  @Test func `a region without an end scrolls at its beginning`() {
    var distances: [Int] = []
    stage.list.frame = Rect(x: 0, y: 30, width: .max, height: .max)
    stage.list.autoScroll = AutoScrollBehavior()
    stage.list.onAutoScroll = { _, dy in
      distances.append(dy)
      return true
    }
    stage.beginDrag(to: Point(x: 250, y: 35), for: .seconds(1))
    #expect(!distances.isEmpty && distances.allSatisfy { $0 < 0 })
    stage.leave()
  }

  @Test func `a drag that rests near the edge scrolls, and nothing runs at the end`() {
    var offset = 0
    var calls = 0
    stage.list.autoScroll = AutoScrollBehavior()
    stage.list.onAutoScroll = { _, dy in
      calls += 1
      let old = offset
      offset = min(1000, offset + dy)
      return offset != old
    }
    stage.beginDrag(to: Point(x: 250, y: 59), for: .milliseconds(200))
    #expect(offset == 0)
    stage.run(.milliseconds(700))
    #expect(offset > 100 && offset < 600)
    stage.run(.seconds(5))
    #expect(offset == 1000)
    let before = calls
    stage.run(.seconds(60))
    #expect(calls == before)
    stage.move(to: Point(x: 251, y: 59), for: .milliseconds(300))
    #expect(calls == before + 1)
    stage.leave()
    #expect(stage.target.driver.nextWake == nil)
  }

  @Test(arguments: [Point(x: 250, y: 40), Point(x: 250, y: 61), RegionStage.outside])
  func `in the middle, in other regions and outside nothing scrolls`(_ point: Point) {
    var calls = 0
    scrollList { calls += 1 }
    stage.beginDrag(to: Point(x: 250, y: 59), for: .milliseconds(100))
    stage.move(to: point, for: .seconds(5))
    #expect(calls == 0)
    stage.letGo()
  }

  @Test func `what scrolls under the pointer takes the drag`() {
    stage.list.autoScroll = AutoScrollBehavior()
    stage.list.onAutoScroll = { [stage] _, _ in
      guard stage.folder.frame?.origin.y != 50 else { return false }
      stage.folder.frame = Rect(x: 0, y: 50, width: 100, height: 20)
      return true
    }
    stage.beginDrag(to: Point(x: 250, y: 59), for: .seconds(2))
    #expect(stage.folder.isTargeted && !stage.list.isTargeted)
    stage.letGo()
    #expect(stage.takeDiary().contains("folder dropped"))
  }

  // MARK: The wheel

  private func turnWheel(_ direction: WheelScroll.Direction, at point: Point) {
    let system = stage.source.client
    system.send(
      .position(
        .init(
          source: system.dragWindow, point: point, time: stage.server.time, operation: .copy,
          scroll: WheelScroll(direction))),
      version: .v5, to: stage.window, via: stage.window)
    stage.run(.milliseconds(50))
  }

  @Test func `the wheel scrolls the region under it, each notch counts`() {
    stage.list.onWheel = { [weak stage] in stage?.write("list scrolls \($0.direction)") }
    stage.beginDrag(to: RegionStage.onFolder)
    _ = stage.takeDiary()
    for _ in 0..<3 { turnWheel(.down, at: RegionStage.onFolder) }
    turnWheel(.up, at: RegionStage.onButton)
    #expect(
      stage.takeDiary().filter { $0.contains("scrolls") || $0.contains("wheel") }
        == ["list scrolls down", "list scrolls down", "list scrolls down"])
    turnWheel(.up, at: RegionStage.onButton)
    #expect(stage.takeDiary() == ["button wheel up"])
    stage.leave()
  }
}
