import TestSupport
import Testing

@testable import XDnD

@Suite("Spring loading")
struct SpringLoadingTests {
  private static let behavior = SpringLoadingBehavior()
  private static let place = Point(x: 100, y: 100)

  /// Plays inputs at milliseconds, with a tick at each deadline between them, and notes what comes of it and when.
  private static func play(
    _ inputs: [(Int, SpringLoading.Input)], behavior: SpringLoadingBehavior = behavior, until end: Int = 5000
  ) -> [Moment] {
    var machine = SpringLoading(behavior)
    var moments: [Moment] = []
    func send(_ input: SpringLoading.Input, at now: LoopTime) {
      let milliseconds = Int((now.sinceStart / .milliseconds(1)).rounded())
      moments += machine.receive(input, at: now).map { Moment(at: milliseconds, $0) }
    }
    func runUntil(_ limit: LoopTime) {
      while let deadline = machine.nextDeadline, deadline < limit { send(.tick, at: deadline) }
    }
    for (at, input) in inputs {
      let now = LoopTime(sinceStart: .milliseconds(at))
      runUntil(now)
      send(input, at: now)
    }
    runUntil(LoopTime(sinceStart: .milliseconds(end)))
    return moments
  }

  struct Moment: Equatable, CustomStringConvertible {
    let at: Int
    let effect: SpringLoading.Effect

    init(at: Int, _ effect: SpringLoading.Effect) {
      self.at = at
      self.effect = effect
    }

    var description: String { "\(at): \(effect)" }
  }

  private static let opening: [Moment] = [
    .init(at: 0, .highlight(.standard)), .init(at: 500, .highlight(.emphasized)), .init(at: 580, .highlight(.standard)),
    .init(at: 660, .highlight(.emphasized)), .init(at: 740, .highlight(.standard)),
    .init(at: 820, .highlight(.standard)), .init(at: 820, .activate),
  ]

  @Test func `a place that is rested on blinks twice and opens once`() {
    #expect(Self.play([(0, .entered(Self.place))], until: 600_000) == Self.opening)
  }

  @Test func `a place that is open stays so until the drag has left it, however it is moved`() {
    let moved = (0..<100).map { (1000 + $0 * 40, SpringLoading.Input.moved(Point(x: 100 + $0 * 7, y: 100))) }
    #expect(Self.play([(0, .entered(Self.place))] + moved, until: 60_000) == Self.opening)
  }

  @Test func `a second visit opens it again`() {
    let moments = Self.play([(0, .entered(Self.place)), (1000, .left), (2000, .entered(Self.place))])
    #expect(
      moments == Self.opening + [.init(at: 1000, .highlight(.none))]
        + Self.opening.map { .init(at: $0.at + 2000, $0.effect) })
  }

  @Test(arguments: [1, 499, 500, 579, 700, 819])
  func `what ends the visit before the last blink keeps it shut`(_ at: Int) {
    let moments = Self.play([(0, .entered(Self.place)), (at, .left)], until: 60_000)
    #expect(!moments.contains { $0.effect == .activate })
    #expect(moments.last == .init(at: at, .highlight(.none)))
  }

  @Test func `a trembling hand rests`() {
    let trembles = (1...45).map { (index: Int) in
      (index * 10, SpringLoading.Input.moved(Point(x: 100 + (index % 3 - 1) * 4, y: 100 + (index % 2) * 4)))
    }
    #expect(Self.play([(0, .entered(Self.place))] + trembles) == Self.opening)
  }

  @Test func `a hand that moves begins to rest where it stops`() {
    let moments = Self.play([
      (0, .entered(Self.place)), (300, .moved(Point(x: 107, y: 100))), (700, .moved(Point(x: 114, y: 100))),
    ])
    #expect(moments.first { $0.effect == .highlight(.emphasized) }?.at == 1200)
  }

  @Test func `the slop is a circle around where the hand began to rest`() {
    for (dx, dy, rests) in [(6, 0, true), (7, 0, false), (4, 4, true), (5, 5, false), (0, -6, true), (-7, 0, false)] {
      let moments = Self.play([(0, .entered(Self.place)), (400, .moved(Point(x: 100 + dx, y: 100 + dy)))])
      let blink = moments.first { $0.effect == .highlight(.emphasized) }?.at
      #expect(blink == (rests ? 500 : 900), "\(dx),\(dy)")
    }
  }

  @Test func `a creeping hand does not rest`() {
    let creep = (1...100).map { ($0 * 50, SpringLoading.Input.moved(Point(x: 100 + $0 * 2, y: 100))) }
    let moments = Self.play([(0, .entered(Self.place))] + creep, until: 5000)
    #expect(!moments.contains { $0.effect == .activate })
  }

  @Test func `motion while it blinks does not keep it shut`() {
    let moments = Self.play([(0, .entered(Self.place)), (600, .moved(Point(x: 300, y: 300)))])
    #expect(moments == Self.opening)
  }

  @Test func `a motion that is taken in after the delay has passed is too late`() {
    var machine = SpringLoading(Self.behavior)
    _ = machine.receive(.entered(Self.place), at: .zero)
    _ = machine.receive(.moved(Point(x: 200, y: 200)), at: LoopTime(sinceStart: .milliseconds(510)))
    #expect(machine.receive(.tick, at: LoopTime(sinceStart: .milliseconds(510))) == [.highlight(.emphasized)])
  }

  @Test func `a program that was busy lets it blink before it opens`() {
    var machine = SpringLoading(Self.behavior)
    _ = machine.receive(.entered(Self.place), at: .zero)
    var moments: [SpringLoading.Effect] = []
    for second in 10..<15 { moments += machine.receive(.tick, at: LoopTime(sinceStart: .seconds(second))) }
    #expect(moments == Self.opening.dropFirst().map(\.effect))
  }

  @Test func `an early tick does nothing`() {
    var machine = SpringLoading(Self.behavior)
    #expect(machine.receive(.tick, at: .zero) == [])
    _ = machine.receive(.entered(Self.place), at: .zero)
    let before = machine
    #expect(machine.receive(.tick, at: LoopTime(sinceStart: .milliseconds(499))) == [])
    #expect(machine == before)
  }

  @Test func `without blinks it opens after the delay`() {
    let behavior = SpringLoadingBehavior(delay: .milliseconds(300), blinkCount: 0)
    #expect(
      Self.play([(0, .entered(Self.place))], behavior: behavior) == [
        .init(at: 0, .highlight(.standard)), .init(at: 300, .highlight(.standard)), .init(at: 300, .activate),
      ])
  }

  @Test func `with animations off it opens after the same time and does not flash`() {
    #expect(
      Self.play([(0, .entered(Self.place))], behavior: Self.behavior.withoutBlinks) == [
        .init(at: 0, .highlight(.standard)), .init(at: 820, .highlight(.standard)), .init(at: 820, .activate),
      ])
    let steady = SpringLoadingBehavior(delay: .milliseconds(300), blinkCount: 0)
    #expect(steady.withoutBlinks == steady)
  }

  @Test func `it wants to be woken only while something is to come`() {
    var machine = SpringLoading(Self.behavior)
    #expect(machine.nextDeadline == nil)
    _ = machine.receive(.entered(Self.place), at: .zero)
    while let deadline = machine.nextDeadline { _ = machine.receive(.tick, at: deadline) }
    #expect(machine.receive(.left, at: LoopTime(sinceStart: .seconds(3))) == [.highlight(.none)])
    #expect(machine == SpringLoading(Self.behavior))
  }

  @Test func `whatever comes in whatever order, it opens at most once a visit, and only after all blinks`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<QuickTests.cases(of: 2000) {
      var machine = SpringLoading(Self.behavior)
      var now = LoopTime.zero
      var blinks = 0
      var hasOpened = false
      for _ in 0..<40 {
        now = now + .milliseconds(Int64.random(in: 0...300, using: &random))
        let point = Point(x: Int.random(in: 0...20, using: &random), y: Int.random(in: 0...20, using: &random))
        let input: SpringLoading.Input =
          [.entered(point), .moved(point), .left, .left, .left, .tick, .tick, .tick, .tick].randomElement(
            using: &random)!
        for effect in machine.receive(input, at: now) {
          switch effect {
          case .highlight(.none): (blinks, hasOpened) = (0, false)
          case .highlight(.emphasized): blinks += 1
          case .highlight(.standard): break
          case .activate:
            #expect(!hasOpened && blinks == 2)
            hasOpened = true
          }
        }
      }
    }
  }
}
