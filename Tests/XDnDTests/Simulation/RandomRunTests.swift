import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// Users, programs and the network at their worst, the same for the same seed.
@Suite("Random runs", .computing, .exhaustive)
struct RandomRunTests {
  @Test(arguments: 0..<8)
  func `random runs leave nothing behind, whatever happens`(block: Int) {
    for seed in block * 500..<(block + 1) * 500 { RandomRun(seed: seed).run() }
  }
}

private final class RandomRun {
  private var random: SplitMix64
  private let pair: DragPair
  private let rude: SimulatedPeer
  private var windows: [WindowID]
  private var isOver = false

  init(seed: Int) {
    random = SplitMix64(spreading: seed)
    var timing = Reactor.Timing()
    timing.outgoing.wholeProperty = 600
    timing.outgoing.part = 250
    pair = DragPair(timing: timing, epoch: Bool.random(using: &random) ? 1_000_000 : 0 &- 500)
    rude = SimulatedPeer(pair.simulation, frame: Rect(x: 400, y: 0, width: 100, height: 100))
    rude.client.write(PropertyValue(type: .atom, contents: .words([5])), to: .xdndAware, of: rude.window)
    let own = pair.server.createWindow(of: pair.source.client, frame: Rect(x: 0, y: 300, width: 100, height: 100))
    let second = pair.server.createWindow(of: pair.target.client, frame: Rect(x: 300, y: 0, width: 100, height: 100))
    windows = [pair.window, second, own]
    pair.target.register(second, accepting: DropOffer([.plainText], operations: [.copy, .move]))
    pair.source.register(own, accepting: DropOffer([.plainText], operations: [.copy, .move]))
    pair.label = "seed \(seed)"
    let slowness = Int.random(in: 0...3, using: &random) * 20
    pair.server.latency = { [unowned self] in .milliseconds(Int.random(in: 0...slowness, using: &random)) }
    for side in pair.sides { prepare(side) }
  }

  private func prepare(_ side: TestProgram) {
    side.client.behavior.searchesLate = { [unowned self] in Bool.random(using: &random) }
    side.client.behavior.beginsLate = { [unowned self] in Bool.random(using: &random) }
    side.propose = { [unowned self] request in
      pick([request.suggested, request.suggested, .accept(request.permitted.first ?? .copy), .forbidden])
    }
    side.intercept = { [unowned self, unowned side] notice in
      guard case .offer(let drag, .contentNeeded(let transfer, _, _)) = notice else {
        if Int.random(in: 0..<60, using: &random) == 0 { callBack(side) }
        return false
      }
      let reader = TestReader(bytes(of: drag, by: side), knowsLength: .random(using: &random))
      if Bool.random(using: &random) {
        reader.onPending = { [unowned self, unowned side] in
          // Sometimes it takes longer than a requestor waits for a single property.
          let delay = pick([0, 10, 100, 40_000])
          pair.after(.milliseconds(delay)) { [unowned side] in if side.runs { side.reactor.process() } }
        }
      }
      let delay = Int.random(in: 0..<4, using: &random) * 30
      if delay == 0 { side.reactor.provide(transfer, reader) }
      pair.after(.milliseconds(delay)) { [unowned side] in side.reactor.provide(transfer, reader) }
      return true
    }
  }

  private func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }

  /// Its first bytes say whose it is.
  private func bytes(of drag: DragID, by side: TestProgram) -> [UInt8] {
    let length = [5, 600, 601, 2_000][drag.rawValue % 4]
    return [UInt8(side.client.number), UInt8(truncatingIfNeeded: drag.rawValue)]
      + TestContent.bytes(length, seed: drag.rawValue)
  }

  private func callBack(_ side: TestProgram) {
    guard side.runs, !isOver else { return }
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      if let drag = side.reactor.drags.current {
        side.reactor.perform { $0.drags[drag]?.receive(.cancel(.application)) }
      }
    case 1: if let window = side.windows.min() { side.unregister(window) }
    case 2: pair.press(operations: [.copy, .move], by: side)
    case 3:
      guard let drag = side.reactor.drags.current else { return }
      let origins = randomOrigins()
      side.reactor.show { $0.drags[drag]?.setPreview(DragPair.dot.preview, origins: origins) }
    default: side.reactor.process()
    }
  }

  func run() {
    for index in 0..<Int.random(in: 10...40, using: &random) {
      pair.after(.milliseconds(index * Int.random(in: 1...40, using: &random))) { [unowned self] in act() }
    }
    pair.run(.seconds(3))
    // The end: everybody answers again, and the user lets go.
    isOver = true
    pair.letGo(for: .seconds(100))
    pair.server.pressEscape()
    // One that was to ask its user may do so for ten minutes.
    pair.run(.seconds(700))
    for side in pair.sides where side.client.behavior.isFrozen { pair.server.kill(side.client) }
    pair.server.kill(rude.client)
    pair.endClean()
    for side in pair.sides { expectExact(side) }
  }

  private func act() {
    let points = [
      Point(x: 250, y: 50), Point(x: 260, y: 60), Point(x: 350, y: 50), Point(x: 50, y: 350), Point(x: 450, y: 50),
      DragPair.outside,
    ]
    let keys: [DragKey] = [
      .nextTarget, .nextTarget, .previousTarget, .arrow(dx: 1, dy: 0, isLarge: false),
      .arrow(dx: 0, dy: -1, isLarge: true),
      .drop,
    ]
    switch Int.random(in: 0..<48, using: &random) {
    case 40..<45: pair.server.press(pick(keys))
    case 45, 46: pair.server.turnWheel(pick(WheelScroll.Direction.allCases))
    case 47:
      let button = pick([PointerButton.primary, .secondary])
      pair.server.press(button)
      pair.server.release(button)
    case 0..<6: press(pick(pair.sides))
    case 6..<22: pair.server.movePointer(to: pick(points))
    case 22..<26: pair.server.hold(pick([[], .shift, .control, .alt]))
    case 26..<31: pair.server.release(.primary)
    case 31: if Bool.random(using: &random) { pair.server.kill(pick(pair.sides).client) }
    case 32: if Bool.random(using: &random) { pick(pair.sides).client.behavior.isFrozen = true }
    case 33: if Bool.random(using: &random) { pair.server.destroy(pick(windows)) }
    case 34: pair.server.pressEscape()
    case 35: pair.server.raise(pick(windows))
    case 36: toggle(pick(windows))
    case 37: callBack(pick(pair.sides))
    case 38: for side in pair.sides where side.runs { side.reactor.process() }
    default: beRude()
    }
  }

  private func press(_ side: TestProgram) {
    guard side.runs else { return }
    pair.appearance?.origins = randomOrigins()
    let types = Bool.random(using: &random) ? [AtomName.utf8String] : [.utf8String, .string, .integer, .window]
    pair.press(
      types, operations: pick([[.copy], [.move], [.copy, .move, .ask]]), by: side,
      button: pick([.primary, .primary, nil]))
  }

  /// Nothing, or a row of a window that may be covered or gone.
  private func randomOrigins() -> [DragOrigin] {
    pick([[], [DragOrigin(Rect(x: 10, y: 10, width: 4, height: 4), in: pick(windows))]])
  }

  private func toggle(_ window: WindowID) {
    guard let client = pair.server.windows[window]?.client,
      let side = pair.sides.first(where: { $0.client === client }),
      side.runs
    else { return }
    if side.windows.contains(window) {
      side.unregister(window)
    } else {
      side.register(window, accepting: DropOffer([.plainText], operations: [.copy, .move]))
    }
  }

  /// Any words at all, to anybody.
  private func beRude() {
    guard rude.runs else { return }
    let everybody = windows + pair.sides.map(\.client.dragWindow) + [rude.window]
    for _ in 0..<3 {
      let atoms = [0, pair.server.atom(.utf8String).rawValue, rude.atom(.move), rude.atom(.copy), 0xDEAD]
      let kind = pick(XdndMessageKind.allCases)
      rude.say(
        kind,
        MessageWords(
          // Who enters in the name of somebody alive is looked after until that one is gone.
          l0: (kind == .enter ? rude.window : pick(everybody)).rawValue, l1: pick([0, 1, 3, 5 << 24, 5 << 24 | 1]),
          l2: pick(atoms), l3: pick(atoms),
          l4: pick(atoms)), to: pick(everybody))
    }
  }

  /// What arrived is, byte for byte, what some drag had to give.
  private func expectExact(_ side: TestProgram) {
    for bytes in side.received.values.flatMap(\.values) {
      let giver = pair.sides.first { $0.client.number == Int(bytes.first ?? 0) }
      let expected = giver.map { self.bytes(of: DragID(rawValue: Int(bytes.dropFirst().first ?? 0)), by: $0) }
      #expect(bytes == expected, "\(pair.label)")
    }
  }
}
