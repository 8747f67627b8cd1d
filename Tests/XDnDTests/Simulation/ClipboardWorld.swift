import TestSupport

@testable import XDnD
@testable import XDnDTesting

/// Programs that copy and paste on one simulated server, with nothing but what an application sees of the library.
final class ClipboardWorld {
  typealias Program = Simulation.Program

  private let simulation = Simulation(server: .recordingIssues())

  var server: FakeXServer { simulation.server }
  var programs: [Program] { simulation.programs }
  var now: LoopTime { simulation.now }

  func program(_ configuration: Configuration = Configuration()) -> Program { simulation.program(configuration) }

  fileprivate func add(_ peer: ClipboardPeer) { simulation.add(peer) }

  /// Steps until nothing is left to be done, or for a while.
  func run(_ duration: Duration? = nil) { simulation.run(duration) }

  /// What holds when nobody does anything any more.
  func expectClean() {
    for program in programs where !program.client.isClosed {
      let reactor = program.driver.reactor
      func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
        if !isRight { server.impossible("\(what()) of \(program.client)") }
      }
      expect(program.client.interests == reactor.lateWatches(), "watches left: \(program.client.interests)")
      expect(program.client.followed.isEmpty, "windows followed: \(program.client.followed)")
      let properties = server.windows[program.client.dragWindow]?.properties.keys.map(\.rawValue) ?? []
      expect(properties.isEmpty, "properties left: \(properties)")
      expect(program.driver.nextWake == nil, "a deadline")
      expect(reactor.loads.count == 0 && program.driver.loads.count == 0, "loads left")
      expect(reactor.saves.isEmpty && program.driver.saves.isEmpty, "saves left")
      expect(reactor.offers.deliveries.isEmpty, "content left")
      let copies = program.driver.clipboard.copyCount + program.driver.primarySelection.copyCount
      expect(reactor.offers.ids.count == copies, "copies that nobody offers")
      expect(!reactor.offers.hasRevoked && !reactor.offers.isBusy, "an offer that is over")
    }
  }
}

extension Simulation.Program {
  var clipboard: Clipboard { driver.clipboard }
}

extension ClipboardWorld {
  func types(of clipboard: Clipboard) -> [ContentType]? {
    var result: Result<[ContentType], XDnDError>?
    clipboard.types { result = $0 }
    run()
    return try? result?.get()
  }

  func content(_ type: ContentType, of clipboard: Clipboard) -> [UInt8]? {
    var result: Result<LoadedContent, XDnDError>?
    clipboard.load(type) { result = $0 }
    run()
    return try? result?.get().bytes
  }

  func failure(
    _ type: ContentType, of clipboard: Clipboard, within limit: Duration? = nil
  ) -> XDnDError.Code? {
    var result: Result<LoadedContent, XDnDError>?
    clipboard.load(type) { result = $0 }
    run(limit)
    return result?.failure
  }
}

/// A client without our library that has a selection. Left alone it serves ``content``, each in one property.
class ClipboardPeer: SimulatedClient {
  let world: ClipboardWorld
  let client: FakeClient
  let window: WindowID
  var content: [AtomName: PropertyValue] = [:]
  /// Instead of serving ``content``.
  var onRequest: ((SelectionRequest) -> Void)?
  private(set) var requests: [SelectionRequest] = []

  init(_ world: ClipboardWorld, owning selection: AtomName? = nil) {
    self.world = world
    client = world.server.connect(checked: false)
    window = world.server.createWindow(of: client, frame: Rect(x: 0, y: 0, width: 1, height: 1))
    if let selection { world.server.setOwner(window, of: selection, at: world.server.time) }
    world.add(self)
  }

  func takeEvents() {
    while let event = client.nextEvent() { handle(event) }
  }

  func handle(_ event: ServerEvent) {
    guard case .selectionRequest(let request) = event else { return }
    requests.append(request)
    if let onRequest { onRequest(request) } else { serve(request) }
  }

  func serve(_ request: SelectionRequest) {
    guard let property = request.property, let value = content[request.target] else { return answer(request, nil) }
    client.write(value, to: property, of: request.requestor)
    answer(request, property)
  }

  func answer(_ request: SelectionRequest, _ property: AtomName?) {
    client.send(
      SelectionNotify(
        requestor: request.requestor, selection: request.selection, target: request.target, property: property,
        time: request.time))
  }
}

/// A clipboard manager as those of GNOME, MATE and Xfce are: it asks for all targets at once, with `MULTIPLE`, takes the
/// clipboard when that is answered, and says that it has done so when all parts of all of them are there.
final class ModelClipboardManager: ClipboardPeer {
  private(set) var saved: [AtomName: [UInt8]] = [:]
  private(set) var isDone = false
  /// Whether the answer has a value, as the specification wants it.
  var writesNull = true
  var takesClipboard = true
  private var order: SelectionRequest?
  private var types: [AtomName] = []
  private var incomplete: Set<AtomName> = []

  init(_ world: ClipboardWorld) { super.init(world, owning: .clipboardManager) }

  override func handle(_ event: ServerEvent) {
    switch event {
    case .selectionRequest(let request) where onRequest == nil && request.target == .saveTargets: save(request)
    case .selectionNotify:
      for index in types.indices { take(index) }
      if takesClipboard { world.server.setOwner(window, of: .clipboard, at: world.server.time) }
    case .propertyChanged(let property, window):
      if let index = types.indices.first(where: { Self.property($0) == property }), order != nil { take(index) }
    default: super.handle(event)
    }
  }

  private static func property(_ index: Int) -> AtomName { AtomName("SAVED_\(index)") }

  private func save(_ request: SelectionRequest) {
    order = request
    let list = request.property.flatMap { client.atoms(in: $0, of: request.requestor, type: .atom) }
    types = list?.compactMap { $0 } ?? []
    incomplete = Set(types)
    let pairs = types.enumerated().flatMap { [$1, Self.property($0)] }
    client.write(PropertyValue(type: .atomPair, contents: .atoms(pairs)), to: .multiple, of: window)
    client.convert(.clipboard, to: .multiple, property: .multiple, requestor: window, time: world.server.time)
    client.watch(window, for: .properties)
  }

  private func take(_ index: Int) {
    var bytes: [UInt8] = []
    let header = client.read(Self.property(index), of: window, delete: true) { _, part in bytes += part }
    guard let header, incomplete.contains(types[index]) else { return }
    let isFirst = saved[types[index]] == nil
    saved[types[index], default: []] += header.type == .incr ? [] : bytes
    if header.type != .incr, isFirst || bytes.isEmpty { incomplete.remove(types[index]) }
    guard incomplete.isEmpty, !isDone, let order else { return }
    isDone = true
    if writesNull, let property = order.property {
      client.write(PropertyValue(type: .null, contents: .words([])), to: property, of: order.requestor)
    }
    answer(order, order.property)
    for (type, bytes) in saved { content[type] = PropertyValue(type: type, contents: .bytes(bytes[...])) }
  }
}
