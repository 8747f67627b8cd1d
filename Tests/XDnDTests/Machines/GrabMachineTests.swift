import TestSupport
import Testing

@testable import XDnD

/// The grab of pointer and keyboard, as a list of what happens to it. Numbers are serial numbers of requests.
@Suite("The grab of pointer and keyboard", .computing)
struct GrabMachineTests {
  private static let (pressed, later) = (Timestamp(rawValue: 100), Timestamp(rawValue: 200))
  private static let (here, there) = (Point(x: 10, y: 10), Point(x: 40, y: 10))
  private static let window = WindowID(rawValue: 7)
  private static let finger = InputDevice.touch(12, sequence: 5)
  private static let pen = GrabMachine.Hold.pair(pointer: 2, keyboard: 3)

  private static let start = GrabStart(
    pointer: PointerSample(point: here, time: pressed, modifiers: .shift), down: [.primary])

  private static func granted(asked: UInt = 12) -> GrabMachine.Input { .answered(.init(start: start, asked: asked)) }

  private static func event(
    _ kind: GrabMachine.EventKind, _ serial: UInt, of device: InputDevice = .core
  ) -> GrabMachine.Input {
    .event(.init(kind: kind, device: device, serial: serial))
  }

  private static func touch(_ kind: GrabMachine.EventKind, at point: Point = here) -> GrabMachine.Input {
    .touch(.init(kind: kind, device: finger, window: window, point: point))
  }

  private static func ungrab(
    _ hold: GrabMachine.Hold = .core, pointer: Bool = true, keyboard: Bool = true, at time: Timestamp = pressed
  ) -> GrabMachine.Effect {
    .ungrab(hold, pointer: pointer, keyboard: keyboard, at: time)
  }

  /// A grab whose requests begin with number 10.
  private static func requested(_ hold: GrabMachine.Hold = .core) -> GrabMachine {
    var machine = GrabMachine()
    _ = machine.receive(.requested(hold, at: pressed), next: 10)
    return machine
  }

  private static func held(_ hold: GrabMachine.Hold = .core) -> GrabMachine {
    var machine = requested(hold)
    _ = machine.receive(granted(), next: 14)
    return machine
  }

  // MARK: The answer

  @Test func `what is reported before the answer is kept until then`() {
    var machine = Self.requested()
    #expect(machine.receive(Self.event(.motion, 10), next: 14) == [.keep])
    #expect(machine.receive(Self.event(.end, 11), next: 14) == [.keep])
    #expect(machine.receive(Self.granted(), next: 14) == [.settle(.success(Self.start))])
    #expect(machine.isHeld)
    #expect(machine.receive(Self.event(.motion, 13), next: 14) == [.report(at: nil)])
  }

  @Test func `events from before the request belong to an earlier grab`() {
    var machine = Self.requested()
    #expect(machine.receive(Self.event(.end, 9), next: 14) == [])
    _ = machine.receive(Self.granted(), next: 14)
    #expect(machine.receive(Self.event(.end, 9), next: 14) == [])
    #expect(machine.isHeld)
  }

  @Test(arguments: [(GrabFailure.frozen, nil), (nil, .alreadyGrabbed)] as [(GrabFailure?, GrabFailure?)])
  func `a refused grab gives back only what was granted, with its own time`(
    pointer: GrabFailure?, keyboard: GrabFailure?
  ) {
    var machine = Self.requested()
    let answer = GrabMachine.Answer(pointer: pointer, keyboard: keyboard, start: Self.start)
    #expect(
      machine.receive(.answered(answer), next: 14) == [
        Self.ungrab(pointer: pointer == nil, keyboard: keyboard == nil),
        .settle(.failure(pointer ?? keyboard ?? .closed)),
      ])
    #expect(machine.grab == nil)
  }

  @Test func `without a position the grab fails, and nothing stays grabbed`() {
    var machine = Self.requested(Self.pen)
    #expect(machine.receive(.answered(.init()), next: 14) == [Self.ungrab(Self.pen), .settle(.failure(.closed))])
  }

  @Test func `an answer that comes after the release changes nothing`() {
    var machine = Self.requested()
    _ = machine.receive(.release(at: .currentTime), next: 14)
    #expect(machine.receive(Self.granted(), next: 16) == [])
    #expect(machine.grab == nil)
  }

  // MARK: The end

  @Test func `a release has the time of the grab if its own is older`() {
    var machine = Self.held()
    #expect(machine.receive(.release(at: Timestamp(rawValue: 1)), next: 20) == [Self.ungrab()])
    machine = Self.held()
    #expect(machine.receive(.release(at: Self.later), next: 20) == [Self.ungrab(at: Self.later)])
    machine = Self.held()
    #expect(machine.receive(.release(at: .currentTime), next: 20) == [Self.ungrab(at: .currentTime)])
    #expect(machine.receive(.release(at: .currentTime), next: 22) == [])
  }

  @Test func `a release before the answer has the time of the request, and the kept events are read again`() {
    var machine = Self.requested()
    #expect(machine.receive(.release(at: .currentTime), next: 14) == [Self.ungrab(), .settle(nil)])
    #expect(machine.grab == nil)
  }

  @Test func `a loss of one grab releases the other, and is reported once`() {
    var machine = Self.held()
    #expect(machine.receive(Self.event(.end, 15), next: 20) == [Self.ungrab(at: .currentTime), .lost])
    #expect(machine.receive(Self.event(.end, 15), next: 22) == [])
  }

  // MARK: Events

  @Test func `of events that are older than a warp, motion is dropped and the others get the new position`() {
    var machine = Self.held()
    #expect(machine.receive(.warped(to: Self.there, asked: 20), next: 21) == [])
    #expect(machine.receive(Self.event(.motion, 19), next: 21) == [])
    for kind in [GrabMachine.EventKind.press, .release, .key] {
      #expect(machine.receive(Self.event(kind, 19), next: 21) == [.report(at: Self.there)])
    }
    #expect(machine.receive(Self.event(.motion, 20), next: 21) == [.report(at: nil)])
  }

  @Test func `a press before the ungrab takes effect is for the window that was pressed in`() {
    var machine = Self.held()
    _ = machine.receive(.release(at: Self.later), next: 20)
    #expect(machine.receive(Self.event(.motion, 19), next: 22) == [])
    #expect(machine.receive(Self.event(.press, 19), next: 22) == [.findPressedWindow])
    #expect(machine.receive(.pressed(in: Self.window), next: 22) == [.redirect(to: Self.window)])
    #expect(machine.receive(Self.event(.motion, 19), next: 22) == [.redirect(to: Self.window)])
    #expect(machine.receive(Self.event(.key, 19), next: 22) == [])
    #expect(machine.receive(Self.event(.release, 19), next: 22) == [.redirect(to: Self.window)])
    #expect(machine.receive(Self.event(.motion, 19), next: 22) == [])
    #expect(machine.receive(Self.event(.press, 20), next: 22) == [])
  }

  @Test func `a redirected press is that of the released device`() {
    var machine = Self.held(Self.pen)
    _ = machine.receive(.release(at: Self.later), next: 20)
    #expect(machine.receive(Self.event(.press, 19), next: 22) == [])
    #expect(machine.receive(Self.event(.press, 19, of: .device(2)), next: 22) == [.findPressedWindow])
    #expect(machine.receive(.pressed(in: nil), next: 22) == [])
    #expect(machine.receive(Self.event(.release, 19, of: .device(2)), next: 22) == [])
  }

  // MARK: Fingers

  @Test func `a finger that drags is the drag's, and the others are the host's`() {
    var machine = GrabMachine()
    #expect(machine.receive(Self.touch(.press), next: 9) == [])
    _ = machine.receive(.requested(.touch(Self.finger), at: Self.pressed), next: 10)
    #expect(machine.receive(Self.touch(.motion, at: Self.there), next: 14) == [.swallow])
    var start = Self.start
    start.pointer.point = Self.there
    #expect(machine.receive(Self.granted(), next: 14) == [.settle(.success(start))])
    #expect(machine.receive(Self.touch(.motion), next: 14) == [.report(at: nil)])
    #expect(machine.receive(Self.event(.key, 15), next: 16) == [.report(at: Self.here)])
    #expect(machine.receive(Self.touch(.release), next: 14) == [.report(at: nil)])
    let other = GrabMachine.Touch(kind: .motion, device: .touch(12, sequence: 6), window: Self.window, point: Self.here)
    #expect(machine.receive(.touch(other), next: 14) == [])
  }

  @Test func `a finger that is lifted before the answer is not down`() {
    var machine = GrabMachine()
    _ = machine.receive(Self.touch(.press), next: 9)
    _ = machine.receive(.requested(.touch(Self.finger), at: Self.pressed), next: 10)
    #expect(machine.receive(Self.touch(.release), next: 14) == [.swallow])
    var start = Self.start
    start.down = []
    #expect(machine.receive(Self.granted(), next: 14) == [.settle(.success(start))])
  }

  @Test func `a finger's drag ends with the window that it is on`() {
    var machine = GrabMachine()
    _ = machine.receive(Self.touch(.press), next: 9)
    _ = machine.receive(.requested(.touch(Self.finger), at: Self.pressed), next: 10)
    _ = machine.receive(Self.granted(), next: 14)
    #expect(machine.receive(.destroyed(WindowID(rawValue: 8)), next: 20) == [])
    #expect(
      machine.receive(.destroyed(Self.window), next: 20) == [
        Self.ungrab(.touch(Self.finger), at: .currentTime), .lost,
      ])
  }

  @Test func `the fingers that are remembered are bounded`() {
    var machine = GrabMachine()
    func touch(_ sequence: UInt32) -> GrabMachine.Touch {
      .init(kind: .press, device: .touch(12, sequence: sequence), window: Self.window, point: Self.here)
    }
    for sequence in 0..<1000 { _ = machine.receive(.touch(touch(UInt32(sequence))), next: 9) }
    #expect(machine.touch(by: touch(999).device) != nil)
    #expect(machine.touch(by: touch(1).device) == nil)
  }
}

@Suite("Releases before the grab", .computing)
struct NotedReleasesTests {
  private static func release(
    _ button: PointerButton = .primary, of device: InputDevice = .core, at time: UInt32
  ) -> NotedReleases.Release {
    .init(
      device: device, button: button, point: Point(x: Int(time), y: 0), time: Timestamp(rawValue: time), state: 0)
  }

  private static let pressed = Timestamp(rawValue: 100)

  private static func noted(of device: InputDevice = .core, _ releases: NotedReleases.Release...) -> NotedReleases {
    var noted = NotedReleases()
    noted.begin(since: pressed)
    noted.device = device
    for release in releases { noted.note(release) }
    return noted
  }

  @Test func `the first release of a button since the press counts`() {
    let noted = Self.noted(
      Self.release(at: 99), Self.release(.secondary, at: 101), Self.release(at: 102), Self.release(at: 103))
    #expect(noted.release(of: .primary, since: Self.pressed) == Self.release(at: 102))
    #expect(noted.release(of: .primary, since: Timestamp(rawValue: 103)) == nil)
  }

  @Test func `a press of the core protocol may have a release of XInput 2, but not of a finger`() {
    let finger = InputDevice.touch(12, sequence: 5)
    let noted = Self.noted(Self.release(of: finger, at: 101), Self.release(of: .device(2), at: 102))
    #expect(noted.release(of: .primary, since: Self.pressed) == Self.release(of: .device(2), at: 102))
    let others = Self.noted(of: .device(4), Self.release(of: .device(2), at: 102))
    #expect(others.release(of: .primary, since: Self.pressed) == nil)
  }

  @Test func `another press forgets the releases, and the same press does not`() {
    var noted = Self.noted(Self.release(at: 102))
    noted.begin(since: Self.pressed)
    #expect(noted.release(of: .primary, since: Self.pressed) != nil)
    noted.begin(since: Timestamp(rawValue: 101))
    #expect(noted.release(of: .primary, since: Self.pressed) == nil)
  }
}
