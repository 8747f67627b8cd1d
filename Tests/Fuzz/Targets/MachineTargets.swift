import FuzzRuns

@testable import XDnD

/// The state machines: each byte decides what happens next. Plants change an effect.
extension FuzzTarget {
  /// The number of inputs of a run. Half of the bytes are arguments.
  private static let steps = 400

  private init(machine name: String, run: @escaping @Sendable (Input) -> Void) {
    self.init(name, longest: 1024, budget: nil, run: run)
  }

  static let machines = [
    FuzzTarget(machine: "source") { input in
      var choices = input.choices
      // The Drop after a second Status.
      var statuses = 0
      let run = SourceFuzz(&choices, steps: steps) { effect in
        if case .send(.position, _) = effect { statuses += 1 }
        if input.isPlanted, statuses == 3, case .send(.drop, _) = effect { return [effect, effect] }
        return [effect]
      }
      expect(run.complaint == nil, "\(run.complaint ?? "") after \(run.inputs)")
    },
    FuzzTarget(machine: "target") { input in
      var choices = input.choices
      var drops = 0
      let isUnregistered = choices.oneIn(2)
      let run = TargetFuzz(&choices, steps: steps, isUnregistered: isUnregistered) { effect in
        if case .dropped = effect { drops += 1 }
        if input.isPlanted, drops > 0, case .send(.finished, _, _) = effect { return [] }
        return [effect]
      }
      expect(run.complaints.isEmpty, "\(run.complaints) after \(run.inputs)")
    },
    FuzzTarget(machine: "outgoing") { input in
      var choices = input.choices
      let complaint = TransferFuzz.outgoing(&choices, steps: steps) { effect in
        if input.isPlanted, case .announce(let count) = effect, count > 0 { return [effect, .answer(true)] }
        return [effect]
      }
      expect(complaint == nil, complaint ?? "")
    },
    FuzzTarget(machine: "incoming") { input in
      var choices = input.choices
      var parts = 0
      let complaint = TransferFuzz.incoming(&choices, steps: steps) { effect in
        if case .progressed = effect { parts += 1 }
        if input.isPlanted, parts == 3, case .progressed(let count, let expected) = effect {
          return [.progressed(received: count + 51, expected: expected)]
        }
        return [effect]
      }
      expect(complaint == nil, complaint ?? "")
    },
    FuzzTarget(machine: "selection-server") { input in
      var choices = input.choices
      var lists = 0
      let complaint = TransferFuzz.server(&choices, steps: steps) { effect in
        if case .readPairs = effect { lists += 1 }
        if input.isPlanted, lists == 2, case .unwatch = effect { return [] }
        return [effect]
      }
      expect(complaint == nil, complaint ?? "")
    },
    FuzzTarget(machine: "save-receiver") { input in
      var choices = input.choices
      let complaint = DirectSaveFuzz.receiver(&choices, steps: steps) { effect in
        if input.isPlanted, case .fetch = effect { return [effect, effect] }
        return [effect]
      }
      expect(complaint == nil, complaint ?? "")
    },
    FuzzTarget(machine: "save-provider") { input in
      var choices = input.choices
      var saves = 0
      let complaint = DirectSaveFuzz.provider(&choices, steps: steps) { effect in
        if case .save = effect { saves += 1 }
        if input.isPlanted, saves == 2, case .save = effect { return [effect, effect] }
        return [effect]
      }
      expect(complaint == nil, complaint ?? "")
    },
    FuzzTarget(machine: "proxy", run: runProxy),
    FuzzTarget(machine: "relay", run: runRelay),
    FuzzTarget(machine: "grab", run: runGrab),
    FuzzTarget(machine: "gesture", run: runGesture),
  ]

  // MARK: The proxy of another client's window

  /// A window is covered only between `cover` and `uncover`, and has its properties again at the end, which comes once.
  private static func runProxy(_ input: Input) {
    var choices = input.choices
    let version3 = PropertyValue(type: .atom, contents: .words([3]))
    func link() -> ForeignWindow.Link? {
      let window = WindowID(rawValue: UInt32(choices.below(3) + 0x20))
      return choices.pick([nil, .init(window, .gone), .init(window, .unrelated), .init(window, .proxy)])
    }
    func value() -> PropertyValue? { choices.pick([nil, version3, .advertisedAwareness]) }
    var window = ForeignWindow()
    (window.isRoot, window.aware, window.proxy) = (choices.oneIn(16), value(), link())
    (window.savedBy, window.savedAware, window.savedProxy) = (link(), value(), value())
    guard var machine = try? ProxyMachine(claiming: window) else { return }
    expect(!window.isRoot && window.proxy?.state != .proxy && window.savedBy?.state != .proxy, "\(window) is claimed")

    let own = WindowID(rawValue: 0x10)
    var properties: [AtomName: PropertyValue] = [:]
    func perform(_ effects: [ProxyMachine.Effect]) {
      for case .write(let value, let name) in effects { properties[name] = value }
      for case .delete(let name) in effects { properties[name] = nil }
    }
    perform(machine.claim(for: own))
    expect(properties[.xdndProxy] == .window(own) && properties[.xdndAware] == .advertisedAwareness, "\(properties)")
    var (isCovered, isAsked, ends, covers) = (false, false, 0, 0)
    while !choices.isOver {
      let next: ProxyMachine.Input = choices.pick([
        .left, .left, .pointerFound(isOver: true), .pointerFound(isOver: false), .uncover, .uncover, .left,
        .pointerFound(isOver: true),
        .propertyChanged(choices.pick([.xdndAware, .xdndProxy, .xdndSavedBy, .windowClass])),
        .windowVanished, .release,
      ])
      let effects = machine.receive(next)
      perform(effects)
      expect(ends == 0 || effects.isEmpty, "\(effects) after the end")
      for effect in effects {
        switch effect {
        case .findPointer:
          expect(!isAsked && !isCovered, "asked twice")
          isAsked = true
        case .cover:
          covers += 1
          expect(!isCovered && isAsked, "covered twice")
          isCovered = !(input.isPlanted && covers == 4)
        case .uncover:
          expect(isCovered, "uncovered what was not covered")
          isCovered = false
        case .ended(let end):
          ends += 1
          expect(!isCovered, "ended while it covers the window")
          if end == .released {
            expect(properties.keys.allSatisfy { $0 == .xdndAware || $0 == .xdndProxy }, "\(properties) are left")
            expect(properties[.xdndProxy] != .window(own), "the proxy is left")
            expect((properties[.xdndAware] != nil) == machine.isOwnerAware, "\(properties) are left")
          }
        case .write, .delete: break
        }
      }
      if case .pointerFound = next { isAsked = false }
      if next == .uncover { isAsked = false }
    }
  }

  // MARK: The relay

  /// Each side gets whole visits: Enter, positions, and one end.
  private static func runRelay(_ input: Input) {
    var choices = input.choices
    var machine = RelayMachine()
    let sources = [SourcePeer(0x200), SourcePeer(0x300)]
    var open: [RelayMachine.Side] = []
    var moves = 0
    while !choices.isOver {
      let source = choices.pick(sources)
      let message = choices.pick([
        source.enter(), source.position(), source.position(), source.position(), source.leave(), source.drop(),
        TargetPeer(1).refuse(),
      ])
      let side: RelayMachine.Side = choices.oneIn(2) ? .own : .owner
      if choices.oneIn(32) {
        machine.end()
        open = []
      }
      let visitor = machine.source
      let isVisitor = message.kind != .status && message.sender == visitor
      var deliveries = machine.receive(message, at: side)
      if message.kind == .enter {
        // The side that has the visit of a source that did not leave finds out itself.
        open = []
        expect(deliveries.isEmpty, "\(deliveries)")
        continue
      }
      guard isVisitor else {
        expect(deliveries == [.init(message: message, side: .own)], "\(deliveries) for \(message)")
        continue
      }
      if deliveries.count > 2 { moves += 1 }
      if input.isPlanted, moves == 3 { deliveries.removeFirst() }
      for delivery in deliveries {
        switch delivery.message {
        case .enter:
          expect(open.isEmpty, "two sides have a visit")
          open = [delivery.side]
        case .position: expect(open == [delivery.side], "a position without Enter")
        case .leave, .drop:
          expect(open == [delivery.side], "an end without Enter")
          open = []
        case .status, .finished: finding("\(delivery)")
        }
      }
      if message.kind == .position { expect(deliveries.last?.message == message, "\(message) is not delivered") }
      if [.leave, .drop].contains(message.kind) { expect(open.isEmpty && machine.source == nil, "a visit is left") }
    }
  }

  // MARK: The grab

  /// What is grabbed is let go once; a request has one answer, before which its events are kept.
  private static func runGrab(_ input: Input) {
    var choices = input.choices
    var machine = GrabMachine()
    var serial: UInt = 10
    var (isWaiting, isHeld, settled) = (false, false, 0)
    let devices: [InputDevice] = [.core, .device(2), .touch(12, sequence: 5), .touch(12, sequence: 6)]
    let holds: [GrabMachine.Hold] = [
      .core, .pair(pointer: 2, keyboard: 3), .pair(pointer: 2, keyboard: nil), .touch(devices[2]),
    ]
    let kinds: [GrabMachine.EventKind] = [.motion, .press, .release, .key, .end]
    func time() -> Timestamp { Timestamp(rawValue: UInt32(choices.below(4) * 100)) }
    func point() -> Point { Point(x: choices.below(50), y: choices.below(50)) }
    func window() -> WindowID { WindowID(rawValue: UInt32(choices.below(3) + 7)) }
    while !choices.isOver {
      serial += UInt(choices.below(4))
      let next: GrabMachine.Input
      switch choices.below(10) {
      case 0, 1:
        // A driver releases before it requests again.
        guard !isWaiting, !isHeld else { continue }
        next = .requested(choices.pick(holds), at: time())
      case 2, 3:
        guard isWaiting else { continue }
        let start = GrabStart(
          pointer: PointerSample(point: point(), time: time()), down: choices.oneIn(2) ? [.primary] : [])
        let failures: [GrabFailure?] = [nil, nil, nil, .alreadyGrabbed, .frozen]
        next = .answered(
          .init(
            pointer: choices.pick(failures), keyboard: choices.pick(failures), start: choices.oneIn(8) ? nil : start,
            asked: serial))
      case 4: next = .release(at: time())
      case 5, 6:
        let age = UInt(choices.below(8))
        next = .event(.init(kind: choices.pick(kinds), device: choices.pick(devices), serial: serial - age))
      case 7:
        next = .touch(.init(kind: choices.pick(kinds), device: choices.pick(devices), window: window(), point: point()))
      case 8: next = .pressed(in: choices.oneIn(3) ? nil : window())
      default: next = choices.oneIn(2) ? .destroyed(window()) : .warped(to: point(), asked: serial)
      }
      let effects = machine.receive(next, next: serial)
      if case .requested = next { isWaiting = true }
      for effect in effects {
        switch effect {
        case .ungrab(_, let pointer, let keyboard, _):
          expect(isHeld || isWaiting, "let go what was not grabbed")
          if isHeld { expect(pointer && keyboard, "let go only a part") }
          isHeld = false
        case .settle(let result):
          settled += 1
          expect(isWaiting, "answered twice")
          isWaiting = false
          if case .success? = result { isHeld = !(input.isPlanted && settled == 3) }
        case .keep: expect(isWaiting, "kept without a request")
        case .report: expect(isHeld, "reported without a grab")
        case .lost: expect(!isHeld, "lost and held")
        case .swallow: expect(machine.grab != nil, "swallowed without a grab")
        case .findPressedWindow, .redirect: break
        }
      }
      expect(machine.isHeld == isHeld, "is held or is not")
      expect((machine.grab != nil) == (isHeld || isWaiting), "is grabbed or is not")
    }
  }

  // MARK: The gesture

  /// A press is reported once as a drag or a click; what is lifted settles or is dragged.
  private static func runGesture(_ input: Input) {
    var choices = input.choices
    var settings = DragGesture.Settings()
    settings.trigger = choices.pick([DragTrigger.motion, .touch, .motionOrHold(.milliseconds(300))])
    settings.threshold = choices.below(5)
    var machine = DragGesture(settings)
    var now = LoopTime.zero
    let devices: [InputDevice] = [.core, .device(2), .touch(12, sequence: 5), .touch(12, sequence: 6)]
    let buttons = (1...3).map { PointerButton(rawValue: UInt32($0)) }
    var (lifted, ends): (DragPress?, Int) = (nil, 0)
    func point() -> Point { Point(x: choices.below(12), y: choices.below(12)) }
    while !choices.isOver {
      if choices.oneIn(4) { now = now + .milliseconds(choices.below(700)) }
      let next: DragGesture.Input
      switch choices.below(6) {
      case 0, 1:
        next = .pressed(
          DragPress(
            rootLocation: point(), location: point(), button: choices.pick(buttons), device: choices.pick(devices),
            time: Timestamp(rawValue: UInt32(choices.below(4)))))
      case 2: next = .moved(to: point(), by: choices.oneIn(2) ? nil : choices.pick(devices))
      case 3: next = .released(choices.pick(buttons), by: choices.oneIn(2) ? nil : choices.pick(devices))
      case 4:
        settings.threshold = choices.below(5)
        next = choices.pick([.cancelled, .configured(settings), .deadlineReached, .deadlineReached])
      default:
        now = max(now, machine.nextDeadline ?? now)
        next = .deadlineReached
      }
      let press = machine.press
      for effect in machine.receive(next, at: now) {
        switch effect {
        case .lifted(let pressed):
          expect(lifted == nil && pressed == press, "lifted twice")
          lifted = pressed
        case .settled(let pressed):
          expect(lifted == pressed, "settled what was not lifted")
          lifted = nil
        case .began(let pressed), .clicked(let pressed):
          ends += 1
          expect(pressed == press, "\(pressed) is over")
          if case .clicked = effect { expect(lifted == nil, "clicked what was lifted") }
          lifted = input.isPlanted && ends == 4 ? pressed : nil
          expect(machine.press == nil, "a press is left")
        }
      }
      expect(machine.press != nil || lifted == nil, "nothing is pressed, and something is lifted")
      expect(machine.press == nil || machine.press?.button == settings.button, "another button is pressed")
    }
  }
}
