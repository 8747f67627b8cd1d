import TestSupport
import Testing

@testable import XDnD

@Suite("The gesture: from a press to a drag or a click")
struct DragGestureTests {
  private static let start = Point(x: 100, y: 100)
  private static let press = press()
  private static let hold = Duration.milliseconds(500)

  private static func press(_ button: PointerButton = .primary, time: UInt32 = 7) -> DragPress {
    DragPress(
      rootLocation: start, location: Point(x: 5, y: 6), button: button, modifiers: .control,
      time: Timestamp(rawValue: time))
  }

  private static func after(_ milliseconds: Int) -> LoopTime {
    LoopTime(sinceStart: .milliseconds(milliseconds))
  }

  /// A gesture with a button down since the start of time.
  private func pressed(_ trigger: DragTrigger = .motion, threshold: Int = 3) -> DragGesture {
    var gesture = DragGesture(DragGesture.Settings(trigger: trigger, threshold: threshold))
    #expect(gesture.send(.pressed(Self.press)) == [])
    #expect(gesture.press == Self.press)
    return gesture
  }

  private func move(_ gesture: inout DragGesture, by x: Int, _ y: Int, at ms: Int = 1) -> [DragGesture.Effect] {
    gesture.send(.moved(to: Point(x: Self.start.x + x, y: Self.start.y + y)), at: Self.after(ms))
  }

  // MARK: Fingers

  private static func touch(_ sequence: UInt32) -> DragPress {
    DragPress(
      rootLocation: start, location: Point(x: 5, y: 6), device: .touch(9, sequence: sequence),
      time: Timestamp(rawValue: 7))
  }

  /// A finger that is down since the start of time.
  private func touched() -> DragGesture {
    var gesture = DragGesture(DragGesture.Settings(trigger: .touch, threshold: 10))
    #expect(gesture.send(.pressed(Self.touch(1))) == [])
    return gesture
  }

  private func slide(_ gesture: inout DragGesture, _ sequence: UInt32, by x: Int, at ms: Int) -> [DragGesture.Effect] {
    gesture.send(
      .moved(to: Point(x: Self.start.x + x, y: Self.start.y), by: .touch(9, sequence: sequence)), at: Self.after(ms))
  }

  @Test func `a finger that holds for half a second and moves drags`() {
    var gesture = touched()
    #expect(slide(&gesture, 1, by: 4, at: 300) == [])
    #expect(gesture.nextDeadline == Self.after(500))
    #expect(gesture.send(.deadlineReached, at: Self.after(500)) == [.lifted(Self.touch(1))])
    #expect(slide(&gesture, 1, by: 12, at: 600) == [.began(Self.touch(1))])
  }

  @Test func `a finger that is up early has tapped`() {
    var gesture = touched()
    #expect(
      gesture.send(.released(.primary, by: .touch(9, sequence: 1)), at: Self.after(120)) == [.clicked(Self.touch(1))])
  }

  @Test func `a finger that moves early scrolls, and never drags`() {
    var gesture = touched()
    #expect(slide(&gesture, 1, by: 30, at: 100) == [])
    #expect(gesture.press == nil && gesture.nextDeadline == nil)
    #expect(slide(&gesture, 1, by: 60, at: 900) == [])
    #expect(gesture.send(.released(.primary, by: .touch(9, sequence: 1)), at: Self.after(1000)) == [])
  }

  @Test(arguments: [100, 700]) func `a second finger ends the gesture`(ms: Int) {
    var gesture = touched()
    let settled =
      gesture.send(.deadlineReached, at: Self.after(ms)).isEmpty ? [] : [DragGesture.Effect.settled(Self.touch(1))]
    #expect(gesture.send(.pressed(Self.touch(2)), at: Self.after(ms)) == settled)
    #expect(slide(&gesture, 1, by: 60, at: 900) == [])
    #expect(slide(&gesture, 2, by: 60, at: 900) == [])
  }

  @Test(arguments: [InputDevice.core, .device(2)])
  func `a finger remains one where the server makes it a pointer as well`(_ device: InputDevice) {
    var gesture = touched()
    var emulated = Self.press()
    emulated.device = device
    #expect(gesture.send(.configured(DragGesture.Settings(trigger: .motion, threshold: 3))) == [])
    #expect(gesture.ignores(emulated))
    #expect(gesture.send(.pressed(emulated)) == [])
    #expect(gesture.press == Self.touch(1))
    let place = Point(x: Self.start.x + 50, y: Self.start.y)
    #expect(gesture.send(.moved(to: place, by: device), at: Self.after(100)) == [])
    #expect(gesture.send(.deadlineReached, at: Self.after(500)) == [.lifted(Self.touch(1))])
    // Another press of the same device is one.
    var later = emulated
    later.time = Timestamp(rawValue: 8)
    #expect(gesture.send(.pressed(later), at: Self.after(600)) == [.settled(Self.touch(1))])
    #expect(gesture.press == later)
  }

  @Test func `what another device does is nothing to the press`() {
    var gesture = pressed()
    #expect(gesture.send(.moved(to: Point(x: 500, y: 500), by: .device(4))) == [])
    #expect(gesture.send(.released(.primary, by: .touch(9, sequence: 1))) == [])
    #expect(gesture.send(.moved(to: Point(x: 500, y: 500), by: .core)) == [.began(Self.press)])
  }

  // MARK: Distance

  @Test(arguments: [(3, 0), (-3, 0), (0, 3), (0, -3), (2, 3), (-20, 40)])
  func `a press that moves as far as the threshold is a drag, and no click any more`(x: Int, y: Int) {
    var gesture = pressed()
    #expect(move(&gesture, by: x, y) == [.began(Self.press)])
    #expect(gesture.press == nil)
    #expect(gesture.send(.released(.primary)) == [])
  }

  @Test(arguments: [(0, 0), (2, 0), (0, -2), (2, -2), (-1, 2)])
  func `a press that moves less is a click when the button goes up`(x: Int, y: Int) {
    var gesture = pressed()
    #expect(move(&gesture, by: x, y) == [])
    #expect(gesture.send(.released(.primary)) == [.clicked(Self.press)])
    #expect(gesture.press == nil)
  }

  @Test func `many small moves to and fro add up to nothing`() {
    var gesture = pressed()
    for step in 0..<100 { #expect(move(&gesture, by: step % 2 * 2, 0) == []) }
    #expect(gesture.send(.released(.primary)) == [.clicked(Self.press)])
  }

  @Test func `the threshold is the one that is set`() {
    for threshold in 1...40 {
      var gesture = pressed(threshold: threshold)
      #expect(move(&gesture, by: threshold - 1, 0) == [])
      #expect(move(&gesture, by: threshold, 0) == [.began(Self.press)])
    }
  }

  @Test(arguments: [0, -5])
  func `a threshold that makes no sense needs a motion all the same`(_ threshold: Int) {
    var gesture = pressed(threshold: threshold)
    #expect(move(&gesture, by: 0, 0) == [])
    #expect(move(&gesture, by: 1, 0) == [.began(Self.press)])
  }

  @Test func `the desktop's threshold wins over three points, and a finger gets ten`() {
    func threshold(_ trigger: DragTrigger, _ desktop: Int?, _ scale: Double) -> Int {
      DragGesture.Settings.threshold(for: trigger, desktop: desktop, scale: scale)
    }
    #expect(threshold(.motion, nil, 1) == 3)
    #expect(threshold(.motion, nil, 1.5) == 5)
    #expect(threshold(.motionOrHold(Self.hold), nil, 2) == 6)
    #expect(threshold(.motion, 8, 2) == 8)
    #expect(threshold(.motion, 1, 2) == 1)
    #expect(threshold(.motion, 0, 2) == 6)
    #expect(threshold(.touch, nil, 2) == 20)
    #expect(threshold(.touch, 8, 2) == 20)
    #expect(threshold(.touch, 30, 2) == 30)
    for scale in [0, -1, .nan, .infinity] { #expect((3...300).contains(threshold(.motion, nil, scale))) }
  }

  @Test func `places at the ends of the numbers do not overflow`() {
    var gesture = pressed(threshold: .max)
    #expect(gesture.send(.moved(to: Point(x: .min, y: .max))) == [.began(Self.press)])
  }

  @Test func `time alone makes no drag`() {
    var gesture = pressed()
    #expect(gesture.nextDeadline == nil)
    #expect(gesture.send(.deadlineReached, at: Self.after(3_600_000)) == [])
    #expect(gesture.send(.released(.primary), at: Self.after(3_600_000)) == [.clicked(Self.press)])
  }

  // MARK: Buttons

  @Test func `motion without a press, and a release without one, are nothing`() {
    var gesture = DragGesture()
    #expect(move(&gesture, by: 50, 50) == [])
    #expect(gesture.send(.released(.primary)) == [])
    #expect(gesture == DragGesture())
  }

  @Test func `another button begins nothing and ends nothing`() {
    let other = PointerButton(rawValue: 3)
    var gesture = DragGesture()
    #expect(gesture.send(.pressed(Self.press(other))) == [])
    #expect(move(&gesture, by: 50, 50) == [])

    gesture = pressed()
    #expect(gesture.send(.pressed(Self.press(other))) == [])
    #expect(gesture.send(.released(other)) == [])
    #expect(move(&gesture, by: 3, 0) == [.began(Self.press)])
  }

  @Test func `a cancelled press is neither a drag nor a click`() {
    var gesture = pressed()
    #expect(gesture.send(.cancelled) == [])
    #expect(move(&gesture, by: 50, 50) == [])
    #expect(gesture.send(.released(.primary)) == [])
  }

  @Test func `of two presses without a release between them the newer counts`() {
    var gesture = pressed()
    let newer = Self.press(time: 9)
    #expect(gesture.send(.pressed(newer)) == [])
    #expect(gesture.send(.released(.primary)) == [.clicked(newer)])
  }

  // MARK: Holding

  @Test(arguments: [DragTrigger.hold(hold), .motionOrHold(hold)])
  func `a press that rests is lifted at its time and not before, and then motion drags it`(_ trigger: DragTrigger) {
    var gesture = pressed(trigger)
    #expect(gesture.nextDeadline == Self.after(500))
    #expect(gesture.send(.deadlineReached, at: Self.after(499)) == [])
    #expect(move(&gesture, by: 2, 0, at: 499) == [])
    #expect(gesture.send(.deadlineReached, at: Self.after(500)) == [.lifted(Self.press)])
    #expect(gesture.nextDeadline == nil)
    #expect(gesture.send(.deadlineReached, at: Self.after(900)) == [])
    #expect(move(&gesture, by: 2, 0, at: 900) == [])
    #expect(move(&gesture, by: 3, 0, at: 901) == [.began(Self.press)])
  }

  @Test func `motion before the hold is over is not for us where it scrolls`() {
    var gesture = pressed(.hold(Self.hold))
    #expect(move(&gesture, by: 3, 0, at: 10) == [])
    #expect(gesture.press == nil)
    #expect(gesture.nextDeadline == nil)
    #expect(move(&gesture, by: 30, 0, at: 600) == [])
    #expect(gesture.send(.released(.primary), at: Self.after(700)) == [])
  }

  @Test func `motion before the hold is over drags where either will do`() {
    var gesture = pressed(.motionOrHold(Self.hold))
    #expect(move(&gesture, by: 3, 0, at: 10) == [.began(Self.press)])
    #expect(gesture.nextDeadline == nil)
  }

  @Test func `a short press is a click with holding too`() {
    var gesture = pressed(.hold(Self.hold))
    #expect(gesture.send(.released(.primary), at: Self.after(499)) == [.clicked(Self.press)])
    #expect(gesture.nextDeadline == nil)
  }

  @Test func `what was lifted and let go is put back, and was no click`() {
    var gesture = pressed(.hold(Self.hold))
    gesture.send(.deadlineReached, at: Self.after(500))
    #expect(gesture.send(.released(.primary), at: Self.after(600)) == [.settled(Self.press)])
    #expect(gesture.send(.released(.primary), at: Self.after(601)) == [])
  }

  @Test func `what was lifted is put back when the press is cancelled or replaced`() {
    for input in [DragGesture.Input.cancelled, .pressed(Self.press)] {
      var gesture = pressed(.touch)
      gesture.send(.deadlineReached, at: Self.after(500))
      #expect(gesture.send(input, at: Self.after(600)) == [.settled(Self.press)])
    }
  }

  @Test func `a clock that nobody has looked at counts all the same`() {
    var gesture = pressed(.hold(Self.hold))
    #expect(move(&gesture, by: 9, 0, at: 501) == [.lifted(Self.press), .began(Self.press)])
    gesture = pressed(.hold(Self.hold))
    #expect(gesture.send(.released(.primary), at: Self.after(500)) == [.lifted(Self.press), .settled(Self.press)])
  }

  // MARK: All of it

  @Test(.computing) func `whatever comes in, each press ends once and each lifted item is put back or dragged`() {
    var random = SplitMix64(seed: 20)
    for _ in 0..<QuickTests.cases(of: 2000) {
      let trigger = [DragTrigger.motion, .hold(Self.hold), .motionOrHold(Self.hold)].randomElement(using: &random)
      var gesture = DragGesture(DragGesture.Settings(trigger: trigger ?? .motion))
      var (now, isHeld, isLifted) = (0, false, false)
      for _ in 0..<40 {
        now += Int.random(in: 0...300, using: &random)
        let input: DragGesture.Input
        switch Int.random(in: 0..<6, using: &random) {
        case 0: input = .pressed(Self.press)
        case 1: input = .released(.primary)
        case 2: input = .cancelled
        case 3: input = .deadlineReached
        default:
          let x = Int.random(in: -4...4, using: &random)
          input = .moved(to: Point(x: Self.start.x + x, y: Self.start.y))
        }
        let deadline = gesture.nextDeadline
        let effects = gesture.send(input, at: Self.after(now))
        if case .pressed = input { isHeld = true }
        for effect in effects {
          switch effect {
          case .lifted:
            #expect(!isLifted && deadline.map { $0 <= Self.after(now) } == true)
            isLifted = true
          case .settled:
            #expect(isLifted)
            isLifted = false
          case .began, .clicked:
            #expect(isHeld && gesture.press == nil)
            if case .clicked = effect { #expect(!isLifted) }
            (isHeld, isLifted) = (false, false)
          }
        }
        #expect(isLifted == (gesture.press != nil && gesture.nextDeadline == nil && trigger != .motion))
      }
    }
  }
}
