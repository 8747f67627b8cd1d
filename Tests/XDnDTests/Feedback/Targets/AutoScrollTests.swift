import Testing

@testable import XDnD

@Suite("Scrolling near the edges")
struct AutoScrollTests {
  private static let behavior = AutoScrollBehavior()
  /// 32 pixels of it at either end scroll.
  private static let view = Rect(x: 50, y: 1000, width: 200, height: 400)

  private static func speed(_ y: Int, _ resting: Duration = .seconds(10)) -> Double {
    behavior.speed(at: y, from: view.origin.y, length: view.height, resting: resting)
  }

  private static func time(_ milliseconds: Int) -> LoopTime { LoopTime(sinceStart: .milliseconds(milliseconds)) }

  /// Sends a tick at each deadline until `end`.
  private static func run(_ machine: inout AutoScroll, until end: LoopTime) -> [(at: LoopTime, ScrollDelta)] {
    var deltas: [(LoopTime, ScrollDelta)] = []
    while let deadline = machine.nextDeadline, deadline <= end {
      if let delta = machine.receive(.tick, at: deadline) { deltas.append((deadline, delta)) }
    }
    return deltas
  }

  // MARK: Speed

  @Test func `outside and in the middle nothing scrolls`() {
    for y in [-5000, 0, 999, 1400, 1401, 5000, 1032, 1200, 1367] { #expect(Self.speed(y) == 0, "\(y)") }
  }

  @Test func `up at the upper edge, down at the lower one`() {
    #expect(Self.speed(1000) == -1600)
    #expect(Self.speed(1399) == 1600)
    #expect(Self.speed(1031) < 0)
    #expect(Self.speed(1368) > 0)
  }

  @Test func `the nearer to the edge, the faster, and on both sides alike`() {
    for distance in 0..<31 {
      #expect(Self.speed(1399 - distance) > Self.speed(1399 - distance - 1))
      #expect(Self.speed(1399 - distance) == -Self.speed(1000 + distance))
    }
  }

  @Test func `it begins after the delay, slowly, and gets faster for two seconds`() {
    #expect(Self.speed(1399, .milliseconds(249)) == 0)
    #expect(Self.speed(1399, .milliseconds(250)) == 200)
    #expect(Self.speed(1399, .milliseconds(1250)) == 900)
    #expect(Self.speed(1399, .milliseconds(2250)) == 1600)
    #expect(Self.speed(1399, .seconds(3600)) == 1600)
  }

  @Test func `a view that is lower than its margins keeps a quiet middle`() {
    for length in 0...70 {
      let speeds = (0..<length).map { Self.behavior.speed(at: $0, from: 0, length: length, resting: .seconds(10)) }
      #expect(speeds.count { $0 == 0 } >= (length + 1) / 2, "\(length)")
      #expect(speeds.allSatisfy { $0.magnitude <= 1600 })
    }
  }

  @Test func `a view of any length, anywhere, does not trap`() {
    func edge(_ position: Int, _ start: Int, _ length: Int) -> Int {
      Self.behavior.edge(at: position, from: start, length: length)
    }
    #expect([29, 30, 61, 62, Int.max].map { edge($0, 30, .max) } == [0, -1, -1, 0, 1])
    #expect([Int.min, -2, 0, .max].map { edge($0, .min, .max) } == [-1, 1, 0, 0])
    #expect([Int.min, 0, .max].map { edge($0, .max, .max) } == [0, 0, -1])
    #expect([Int.min, 0, .max].allSatisfy { edge($0, 0, .min) == 0 })
    let speeds = [30, Int.max].map {
      Self.behavior.speed(at: $0, from: 30, length: .max, resting: .seconds(10))
    }
    #expect(speeds[0] == -1600 && speeds[1] > 0)
  }

  // MARK: A resting pointer

  @Test func `a pointer that rests at the edge scrolls on and on`() {
    var machine = AutoScroll(Self.behavior)
    #expect(machine.receive(.moved(Point(x: 100, y: 1399), in: Self.view), at: .zero) == nil)
    #expect(machine.nextDeadline == Self.time(250))
    let deltas = Self.run(&machine, until: Self.time(5000))
    #expect(deltas.allSatisfy { $0.1.dx == 0 && $0.1.dy > 0 })
    // The integral of the speed: 250 ms nothing, 2 s at 900 in the mean, the rest at 1600.
    let expected = 2.0 * 900 + (5.0 - 2.25) * 1600
    let sum = Double(deltas.reduce(0) { $0 + $1.1.dy })
    #expect((sum - expected).magnitude < 30, "\(sum) and not \(expected)")
  }

  @Test func `slow speeds are no standstill: parts of pixels add up`() {
    var machine = AutoScroll(AutoScrollBehavior(initialSpeed: 10, maximumSpeed: 10))
    _ = machine.receive(.moved(Point(x: 100, y: 1000), in: Self.view), at: .zero)
    let sum = Self.run(&machine, until: Self.time(10_250)).reduce(0) { $0 + $1.1.dy }
    #expect(sum == -99 || sum == -100 || sum == -101, "\(sum)")
  }

  @Test func `whoever crosses the edge scrolls nothing`() {
    var machine = AutoScroll(Self.behavior)
    for step in 0...20 {
      _ = machine.receive(.moved(Point(x: 100, y: 990 + step * 5), in: Self.view), at: Self.time(step * 12))
      #expect(Self.run(&machine, until: Self.time(step * 12)).isEmpty)
    }
    #expect(machine.nextDeadline == nil)
  }

  @Test func `motion within the margin does not begin the delay anew`() {
    var machine = AutoScroll(Self.behavior)
    for step in 0..<20 {
      _ = machine.receive(.moved(Point(x: 100 + step, y: 1390 + step % 3), in: Self.view), at: Self.time(step * 12))
    }
    #expect(machine.nextDeadline == Self.time(250))
  }

  @Test func `leaving the margin stops it, and coming back waits again`() {
    var machine = AutoScroll(Self.behavior)
    _ = machine.receive(.moved(Point(x: 100, y: 1399), in: Self.view), at: .zero)
    #expect(!Self.run(&machine, until: Self.time(1000)).isEmpty)
    for place in [Point(x: 100, y: 1200), Point(x: 100, y: 1400), Point(x: 49, y: 1399)] {
      _ = machine.receive(.moved(place, in: Self.view), at: Self.time(1000))
      #expect(machine.nextDeadline == nil)
      _ = machine.receive(.moved(Point(x: 100, y: 1399), in: Self.view), at: Self.time(1000))
      #expect(machine.nextDeadline == Self.time(1250))
    }
  }

  @Test func `the other edge waits too`() {
    var machine = AutoScroll(Self.behavior)
    _ = machine.receive(.moved(Point(x: 100, y: 1399), in: Self.view), at: .zero)
    _ = Self.run(&machine, until: Self.time(1000))
    _ = machine.receive(.moved(Point(x: 100, y: 1000), in: Self.view), at: Self.time(1000))
    let deltas = Self.run(&machine, until: Self.time(1500))
    #expect(deltas.first.map { $0.at >= Self.time(1250) && $0.1.dy < 0 } == true)
  }

  @Test func `at the end of the content nothing runs until the pointer moves`() {
    var machine = AutoScroll(Self.behavior)
    _ = machine.receive(.moved(Point(x: 100, y: 1399), in: Self.view), at: .zero)
    _ = Self.run(&machine, until: Self.time(1000))
    _ = machine.receive(.reachedEnd, at: Self.time(1000))
    #expect(machine.nextDeadline == nil)
    _ = machine.receive(.moved(Point(x: 101, y: 1399), in: Self.view), at: Self.time(3000))
    #expect(machine.nextDeadline == Self.time(3000))
  }

  @Test func `a program that was busy does not jump`() throws {
    var machine = AutoScroll(Self.behavior)
    _ = machine.receive(.moved(Point(x: 100, y: 1399), in: Self.view), at: .zero)
    _ = Self.run(&machine, until: Self.time(3000))
    let delta = machine.receive(.tick, at: Self.time(60_000))
    #expect(try #require(delta).dy > 0)
    #expect(try #require(delta).dy <= 103)
  }

  @Test func `a corner scrolls both ways, where both are wanted`() {
    var machine = AutoScroll(AutoScrollBehavior(isHorizontal: true))
    _ = machine.receive(.moved(Point(x: 50, y: 1399), in: Self.view), at: .zero)
    let deltas = Self.run(&machine, until: Self.time(2000))
    #expect(deltas.allSatisfy { $0.1.dx < 0 && $0.1.dy > 0 })
    #expect(!deltas.isEmpty)
  }

  @Test func `an axis that is not wanted stays`() {
    var machine = AutoScroll(AutoScrollBehavior(isHorizontal: true, isVertical: false))
    _ = machine.receive(.moved(Point(x: 100, y: 1399), in: Self.view), at: .zero)
    #expect(machine.nextDeadline == nil)
  }

  @Test func `speeds without bounds do not trap`() {
    for speed in [Double.infinity, .greatestFiniteMagnitude, .nan, -1] {
      var machine = AutoScroll(AutoScrollBehavior(initialSpeed: speed, maximumSpeed: speed))
      _ = machine.receive(.moved(Point(x: 100, y: 1399), in: Self.view), at: .zero)
      for (_, delta) in Self.run(&machine, until: Self.time(1000)) { #expect(delta.dy.magnitude <= 65_536) }
    }
  }
}
