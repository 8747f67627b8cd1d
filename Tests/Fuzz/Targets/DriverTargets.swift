import FuzzRuns
import Glibc
import Logging

@testable import XDnD
@testable import XDnDTesting

extension FuzzTarget {
  static let drivers = [
    FuzzTarget("desktop", longest: 512, budget: nil) { DesktopRun($0).run() },
    FuzzTarget("selections", longest: 512, budget: nil) { DesktopRun($0, isAboutSelections: true).run() },
  ]
}

/// Two programs with the library, a user, and a third program that says anything to anybody, on a simulated server. Each byte
/// decides what happens next.
///
/// The server reports what no program may do. At the end nothing may be left.
private final class DesktopRun {
  private var choices: ByteChoices
  private let isPlanted: Bool
  private let isAboutSelections: Bool
  private let simulation = Simulation()
  private let programs: [Simulation.Program]
  private lazy var receivers = [Receiver(self), Receiver(self)]
  private let rude: RudeClient
  private var windows: [WindowID] = []
  private var tasks: [LoadTask] = [] { didSet { requests += tasks.count > oldValue.count ? 1 : 0 } }
  private var requests = 0
  /// The number of bytes of each load that is whole.
  private var loaded: [Int] = []

  private static let types: [AtomName] = [
    .utf8String, .plainText, AtomName("image/png"), .string, AtomName("text/uri-list"), .targets, .multiple, .timestamp,
    .delete, .incr, .null, .saveTargets,
  ]
  private static let operations: [DragOperation] = [.copy, .move, .link, .ask, .private]
  private static let lengths = [0, 5, 700, 2500]

  private var server: FakeXServer { simulation.server }

  init(_ input: Input, isAboutSelections: Bool = false) {
    choices = input.choices
    isPlanted = input.isPlanted
    self.isAboutSelections = isAboutSelections
    let server = simulation.server
    server.onImpossible = { finding("impossible: \($0)") }
    server.maximumWriteSize = 1000
    if choices.oneIn(4) { server.epoch = 0 &- 500 }
    var configuration = SimulatedDesktop.configuration
    if getenv("XDND_FUZZ_TRACE") != nil {
      configuration.logger = Logger(label: "fuzz") { StreamLogHandler.standardError(label: $0) }
      configuration.logger.logLevel = .trace
    }
    configuration.showsDragImages = choices.oneIn(2)
    programs = [simulation.program(configuration), simulation.program(configuration)]
    let rude = RudeClient(simulation)
    self.rude = rude
    server.onImpossible = { what in
      // What the third program has written without being asked is in the way of the owner's content.
      let isItsOwn = what.hasSuffix("before it was taken") && rude.strays.contains { what.hasPrefix("\($0) ") }
      if !isItsOwn { finding("impossible: \(what)") }
    }
    let latency = choices.below(3) * 20
    server.latency = { .milliseconds(latency) }
    for (index, program) in programs.enumerated() {
      let window = server.createWindow(of: program.client, frame: Rect(x: index * 200, y: 0, width: 100, height: 100))
      windows.append(window)
      register(window, of: index)
      program.client.behavior.searchesLate = { [unowned self] in choices.oneIn(2) }
      program.client.behavior.beginsLate = { [unowned self] in choices.oneIn(4) }
    }
    windows.append(rude.window)
  }

  private func register(_ window: WindowID, of index: Int) {
    var offer = DropOffer([.plainText, .png], operations: [.copy, .move])
    // No run opens files.
    offer.readsFiles = false
    programs[index].driver.registerDropTarget(window, accepting: offer, delegate: receivers[index])
  }

  func run() {
    while !choices.isOver { if isAboutSelections { convert() } else { act() } }
    end()
  }

  // MARK: The user and the programs

  private func act() {
    let points = [
      Point(x: 50, y: 50), Point(x: 250, y: 50), Point(x: 260, y: 60), Point(x: 450, y: 50), Point(x: 900, y: 900),
    ]
    let keys: [DragKey] = [
      .nextTarget, .previousTarget, .arrow(dx: 1, dy: 0, isLarge: false), .arrow(dx: 0, dy: -1, isLarge: true), .drop,
      .cancel,
    ]
    let program = choices.pick(programs)
    switch choices.below(24) {
    case 0, 1, 2: begin(program)
    case 3, 4, 5, 6: server.movePointer(to: choices.pick(points))
    case 7: server.hold(choices.pick([[], .shift, .control, .alt]))
    case 8, 9: server.release(.primary)
    case 10: server.press(choices.pick(keys))
    case 11: server.turnWheel(choices.pick(WheelScroll.Direction.allCases))
    case 12: if choices.oneIn(8) { server.kill(program.client) }
    case 13: if choices.oneIn(4) { server.destroy(choices.pick(windows)) } else { server.raise(choices.pick(windows)) }
    case 14: program.client.behavior.isFrozen = choices.oneIn(2)
    case 15: server.breakGrab()
    case 16: programs.forEach { if !$0.client.isClosed { $0.process() } }
    case 17: convert()
    case 18: toggle()
    case 19: receivers.forEach { $0.answerLater() }
    case 20, 21: sendAnything()
    case 22: writeAnything()
    default: break
    }
    simulation.run(.milliseconds(choices.below(8) * 10))
  }

  private func begin(_ program: Simulation.Program) {
    guard !program.client.isClosed else { return }
    server.movePointer(to: Point(x: 10, y: 10))
    if server.buttons.isEmpty { server.press(.primary) }
    let items = (0...choices.below(2)).map { _ in
      var item = DragItem()
      item.operations = choices.pick([[.copy], [.move, .copy], [.link], Self.operations])
      item.promise(.plainText, bytes: content())
      if choices.oneIn(3) { item.promise(.png, bytes: content()) }
      return item
    }
    if choices.oneIn(8) {
      program.driver.drop(items, on: choices.pick(windows))
    } else {
      program.driver.beginDrag(items, button: choices.oneIn(8) ? nil : .primary, at: server.time)
    }
  }

  private func content() -> [UInt8] { Array(repeating: 0x41, count: choices.pick(Self.lengths)) }

  private func toggle() {
    let index = choices.below(2)
    guard !programs[index].client.isClosed, server.windows[windows[index]] != nil else { return }
    programs[index].driver.unregisterDropTarget(windows[index])
    if choices.oneIn(2) { register(windows[index], of: index) }
  }

  // MARK: Selections

  private func convert() {
    let program = choices.pick(programs)
    let selection = choices.pick([AtomName.clipboard, .primary, .xdndSelection])
    switch choices.below(10) {
    case 0:
      guard !program.client.isClosed else { return }
      var item = DragItem()
      item.promise(.plainText, bytes: content())
      item.promise(.png, bytes: content())
      try? program.driver.clipboard.write(item)
    // Of 64 conversions that were given up, late answers are deleted.
    case 1 where requests > 40, 2 where requests > 40: break
    case 1: if !program.client.isClosed { load(from: program.driver.clipboard) }
    case 2: if !program.client.isClosed { tasks.append(program.driver.clipboard.types { _ in }) }
    case 3: rude.take(selection)
    case 4: rude.convert(selection, to: choices.pick(Self.types), naming: choices.pick(Self.types))
    case 5: rude.takeProperty(choices.below(3))
    case 6: rude.answers = (0..<choices.below(5)).map { _ in answer() }
    case 7: if choices.oneIn(3) { program.driver.clipboard.clear() } else { tasks.popLast()?.cancel() }
    case 8: if choices.oneIn(6) { server.kill(rude.client) } else { rude.changePart(answer()) }
    default: writeAnything()
    }
    simulation.run(.milliseconds(choices.below(8) * choices.pick([1, 10, 300])))
  }

  private func load(from clipboard: Clipboard) {
    tasks.append(
      clipboard.load(choices.oneIn(2) ? .plainText : .png, limit: choices.oneIn(4) ? 100 : nil) { [weak self] result in
        if case .success(let content) = result { self?.loaded.append(content.bytes.count) }
      })
  }

  /// The values that another program may write to a property; `nil` refuses.
  private func answer() -> PropertyValue? {
    let type = choices.pick(Self.types)
    switch choices.below(6) {
    case 0: return nil
    case 1: return PropertyValue(type: .incr, contents: .words(choices.oneIn(2) ? [] : [choices.word()]))
    case 2: return PropertyValue(type: type, contents: .words([choices.word(), 0, UInt32(choices.below(9))]))
    case 3:
      let pairs = (0..<choices.below(6)).map { _ in choices.oneIn(4) ? nil : choices.pick(Self.types) }
      return PropertyValue(type: choices.pick([.atom, .atomPair, type]), contents: .atoms(pairs))
    case 4: return PropertyValue(type: type, contents: .bytes(choices.bytes(choices.below(16))))
    default: return PropertyValue(type: type, contents: .bytes(content().prefix(900)))
    }
  }

  // MARK: Words of the third program

  private func sendAnything() {
    guard !rude.client.isClosed else { return }
    let everybody = windows + programs.map(\.client.dragWindow)
    let words: [UInt32] = [0, 1, 3, 5 << 24, 5 << 24 | 1, choices.word()]
    let atoms = (Self.types.prefix(4) + Self.operations.map(\.name)).map { server.atom($0).rawValue } + [0, 0xDEAD]
    let kind = choices.pick(XdndMessageKind.allCases)
    server.send(
      kind,
      MessageWords(
        // Who enters in the name of somebody alive is looked after until that one is gone.
        l0: (kind == .enter ? rude.window : choices.pick(everybody)).rawValue, l1: choices.pick(words),
        l2: choices.pick(atoms + words), l3: choices.pick(atoms + words), l4: choices.pick(atoms)),
      to: choices.pick(everybody), via: choices.pick(everybody), from: rude.client)
  }

  private func writeAnything() {
    guard !rude.client.isClosed else { return }
    let names: [AtomName] = [
      .xdndTypeList, .xdndActionList, .xdndActionDescription, .xdndAware, .xdndProxy, .windowClass,
    ]
    let name = choices.pick(names)
    // The awareness of the other programs' windows is theirs.
    guard let value = answer() else { return rude.client.delete(name, of: rude.window) }
    rude.client.write(value, to: name, of: rude.window)
  }

  // MARK: The end

  private func end() {
    for program in programs { program.client.behavior.isFrozen = false }
    server.latency = { .milliseconds(1) }
    server.release(.primary)
    simulation.run(.seconds(100))
    server.pressEscape()
    receivers.forEach { $0.answerLater() }
    server.kill(rude.client)
    // A target that is to ask its user may do so for ten minutes.
    simulation.run(.seconds(700))
    for (index, program) in programs.enumerated() where !program.client.isClosed {
      program.driver.unregisterDropTarget(windows[index])
      program.driver.clipboard.clear()
    }
    simulation.run()
    expectClean()
  }

  private func expectClean() {
    if let grab = server.grab { finding("\(grab.client) still holds a grab") }
    let lists: Set<AtomName> = [.xdndTypeList, .xdndActionList, .xdndActionDescription]
    for program in programs where !program.client.isClosed {
      let (client, reactor) = (program.client, program.driver.reactor)
      let late = reactor.lateAnswers.windows.reduce(into: [WindowID: [WindowInterest: Int]]()) { watches, window in
        for interest in [WindowInterest.destruction, .properties] {
          watches[window, default: [:]][interest, default: 0] += 1
        }
      }
      expect(client.interests == late, "\(client) still watches \(client.interests)")
      expect(!client.isTracking && client.followed.isEmpty, "\(client) still follows \(client.followed)")
      expect(client.image == nil && reactor.image.shownDrag == nil, "\(client) still shows an image")
      let left = (server.windows[client.dragWindow]?.properties ?? [:]).filter {
        !lists.contains($0.key) && !rude.strays.contains($0.key)
      }
      expect(left.isEmpty, "\(left) are left on the drag window")
      expect(program.driver.nextWake == nil, "\(client) still has a deadline")
      expect(reactor.drags.isEmpty && !reactor.targets.hasVisits, "\(client) still has drags or drops")
      expect(reactor.loads.count == 0, "\(client) still loads")
      expect(reactor.offers.deliveries.isEmpty && !reactor.offers.isBusy, "\(client) still has content")
    }
    // The fault: a load in parts, or a drop, is not counted as ended.
    let isForgotten =
      isPlanted && (isAboutSelections ? loaded.contains(2500) : receivers.contains { $0.count > 0 })
    expect(!isForgotten, "a load has no end")
    for (program, receiver) in zip(programs, receivers) where !program.client.isClosed {
      expect(receiver.pending.isEmpty, "\(receiver.pending.count) drops have not ended")
    }
  }
}

/// Takes drops of one program: at once, later, in part or not at all.
extension DesktopRun {
  private final class Receiver: DropDelegate {
    private unowned let run: DesktopRun
    /// The drops that are not answered yet.
    private(set) var pending: [DropSession] = []
    private(set) var count = 0

    init(_ run: DesktopRun) { self.run = run }

    func dropUpdated(_ drop: DropSession) -> DropProposal {
      run.choices.pick([drop.suggestedProposal, drop.suggestedProposal, DropProposal(operation: .copy), .forbidden])
    }

    func performDrop(_ drop: DropSession) {
      count += 1
      switch run.choices.below(6) {
      case 0: drop.reject()
      case 1: drop.finish(.copy)
      case 2:
        drop.waitForUser()
        pending.append(drop)
      case 3: pending.append(drop)
      default:
        pending.append(drop)
        let limit = run.choices.oneIn(4) ? 100 : nil
        let task = drop.load(run.choices.oneIn(3) ? .png : .plainText, limit: limit) { [unowned self] result in
          if case .success(let content) = result { run.loaded.append(content.bytes.count) }
          drop.finish(drop.droppedOperation ?? .copy)
        }
        if run.choices.oneIn(8) { task.cancel() }
      }
    }

    func dropEnded(_ drop: DropSession, _ result: DropResult) { pending.removeAll { $0 === drop } }

    /// Ends the drops that were not ended.
    func answerLater() { for drop in pending { drop.reject() } }
  }
}

/// A client without the library, which keeps to no protocol.
private final class RudeClient: SimulatedClient {
  let client: FakeClient
  let window: WindowID
  /// What it writes to the next requests. Then it answers none.
  var answers: [PropertyValue?] = []
  private var last: SelectionRequest?
  /// The properties that it has written without being asked, which no one can know of.
  private(set) var strays: Set<AtomName> = []

  init(_ simulation: Simulation) {
    client = simulation.server.connect(checked: false)
    window = simulation.server.createWindow(of: client, frame: Rect(x: 400, y: 0, width: 100, height: 100))
    client.write(PropertyValue(type: .atom, contents: .words([5])), to: .xdndAware, of: window)
    client.watch(window, for: .properties)
    simulation.add(self)
  }

  func process() {
    while let arrival = client.nextArrival() {
      guard case .event(.selectionRequest(let request)) = arrival else { continue }
      last = request
      guard !answers.isEmpty else { continue }
      let value = answers.removeFirst()
      if let value, let property = request.property { client.write(value, to: property, of: request.requestor) }
      client.send(
        SelectionNotify(
          requestor: request.requestor, selection: request.selection, target: request.target,
          property: value == nil ? nil : request.property, time: request.time))
    }
  }

  func take(_ selection: AtomName) {
    guard !client.isClosed else { return }
    client.server.setOwner(window, of: selection, at: client.server.time)
  }

  func convert(_ selection: AtomName, to type: AtomName, naming other: AtomName) {
    guard !client.isClosed else { return }
    client.write(
      PropertyValue(type: .atomPair, contents: .atoms([other, AtomName("R1"), type, AtomName("R2")])),
      to: AtomName("R0"), of: window)
    client.convert(selection, to: type, property: AtomName("R0"), requestor: window, time: client.server.time)
  }

  /// Takes what is in one of its properties, as a requestor does.
  func takeProperty(_ number: Int) {
    if !client.isClosed { client.delete(AtomName("R\(number)"), of: window) }
  }

  /// Writes again to the property of the last request: a part of INCR, or what no one waits for.
  func changePart(_ value: PropertyValue?) {
    guard !client.isClosed, let last, let property = last.property else { return }
    strays.insert(property)
    if let value {
      client.write(value, to: property, of: last.requestor)
    } else {
      client.delete(property, of: last.requestor)
    }
  }
}
