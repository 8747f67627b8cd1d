import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// Two programs on one simulated server: one drags, the other is dropped on.
final class DragPair {
  let simulation = Simulation.recordingIssues()
  let source: TestProgram
  let target: TestProgram
  /// The target's window, at 200,0 with 100 pixels a side.
  let window: WindowID
  /// What drags look like that begin from now on.
  var appearance: DragAppearance? = dot

  /// The least that there is to see.
  static let dot = DragAppearance(
    preview: DragPreview(
      images: [DragImage(Bitmap(filledWith: 0xFFFF_FFFF, width: 4, height: 4), hotspot: Point(x: 0, y: 0))],
      formation: .none, badge: .none, hasShadow: false))

  static let inside = Point(x: 250, y: 50)
  static let outside = Point(x: 900, y: 900)
  static let text: [UInt8] = Array("Grüße".utf8)

  init(
    operations: [DragOperation] = [.copy, .move, .link, .ask], timing: Reactor.Timing = .init(),
    epoch: UInt32 = 1_000_000
  ) {
    simulation.server.epoch = epoch
    source = TestProgram(simulation, timing: timing)
    target = TestProgram(simulation, timing: timing)
    window = simulation.server.createWindow(of: target.client, frame: Rect(x: 200, y: 0, width: 100, height: 100))
    target.register(window, accepting: DropOffer([.plainText], operations: operations))
    source.content = [.utf8String: Self.text]
  }

  var server: FakeXServer { simulation.server }
  var sides: [TestProgram] { [source, target] }
  var now: LoopTime { simulation.now }

  var label: String {
    get { server.label }
    set { server.label = newValue }
  }

  // MARK: Time

  func after(_ delay: Duration, _ action: @escaping () -> Void) { simulation.after(delay, action) }

  /// Jumps to the next moment at which something happens; `false` if nothing ever will.
  func step() -> Bool { simulation.step() }

  /// Steps until nothing is left to be done. Fails if that takes for ever.
  func drive() { simulation.run() }

  /// Steps for a while: a hovering drag is never idle, since its target looks after it now and then.
  func run(_ duration: Duration = .milliseconds(100)) { simulation.run(duration) }

  // MARK: The user

  /// Presses the button, and has the source begin a drag.
  @discardableResult
  func begin(
    _ types: [AtomName] = [.utf8String], operations: [DragOperation] = [.copy], by side: TestProgram? = nil,
    from container: DragContainer? = nil, descriptions: [DragOperation: String] = [:], saving name: String? = nil,
    button: PointerButton? = .primary
  ) -> DragID {
    let drag = press(
      types, operations: operations, by: side, from: container, descriptions: descriptions, saving: name,
      button: button)
    run()
    return drag
  }

  /// As ``begin(_:operations:by:descriptions:)``, without letting time pass.
  @discardableResult
  func press(
    _ types: [AtomName] = [.utf8String], operations: [DragOperation] = [.copy], by side: TestProgram? = nil,
    from container: DragContainer? = nil, descriptions: [DragOperation: String] = [:], saving name: String? = nil,
    button: PointerButton? = .primary
  ) -> DragID {
    let side = side ?? source
    server.movePointer(to: Point(x: 10, y: 10))
    if let button { server.press(button) }
    let drag = side.reactor.offers.nextID()
    side.reactor.beginDrag(
      drag,
      .init(
        source: side.client.dragWindow, types: types, operations: operations, button: button, time: server.time),
      descriptions: descriptions,
      directSave: name.map {
        DirectSaveOffer.File(
          patience: .seconds(3), name: Array($0.utf8), hostName: "here")
      },
      from: container, appearance: appearance)
    return drag
  }

  func move(to point: Point = inside) {
    server.movePointer(to: point)
    run()
  }

  /// Presses a key, and lets happen what comes of it.
  func press(_ key: DragKey) {
    server.press(key)
    run()
  }

  /// The source begins a drag at a server time, although the user has pressed no button.
  func begin(at time: Timestamp, byteCount: Int = 0) -> DragID {
    let drag = source.reactor.offers.nextID()
    source.reactor.beginDrag(
      drag,
      .init(
        source: source.client.dragWindow, types: [.utf8String], operations: [.copy], button: .primary, time: time),
      byteCount: byteCount)
    return drag
  }

  /// Lets the button go, and runs for a while.
  func letGo(for duration: Duration = .milliseconds(100)) {
    server.release(.primary)
    run(duration)
  }

  /// Lets the button go, and runs to the end.
  func drop() {
    server.release(.primary)
    drive()
  }

  /// A whole drag from here to there.
  @discardableResult
  func drag(
    _ types: [AtomName] = [.utf8String], operations: [DragOperation] = [.copy], to point: Point = inside,
    holding modifiers: Modifiers = []
  ) -> DragOutcome? {
    let drag = begin(types, operations: operations)
    server.hold(modifiers)
    move(to: point)
    drop()
    server.hold([])
    return source.outcomes[drag]
  }
}

extension Bitmap {
  /// All of one premultiplied colour.
  init(filledWith color: UInt32, width: Int, height: Int) {
    self.init(width: width, height: height)
    pixels = Array(repeating: color, count: pixels.count)
  }
}

extension Reactor {
  /// What is watched because a conversion that was given up on may be answered at any time, added to what else is.
  func lateWatches(besides others: [WindowID: [WindowInterest: Int]] = [:]) -> [WindowID: [WindowInterest: Int]] {
    lateAnswers.windows.reduce(into: others) { watches, window in
      for interest in [WindowInterest.destruction, .properties] {
        watches[window, default: [:]][interest, default: 0] += 1
      }
    }
  }
}

extension DragPair {
  /// What stays on a drag window until the next drag.
  private static let lists: Set<AtomName> = [.xdndTypeList, .xdndActionList, .xdndActionDescription]

  /// Runs to the end, where nothing may be left.
  func endClean(_ location: SourceLocation = #_sourceLocation) {
    drive()
    expectClean(location)
  }

  /// Expects how the source's drag has ended, and that nothing is left.
  func expectEnd(of drag: DragID, _ outcome: DragOutcome, _ location: SourceLocation = #_sourceLocation) {
    #expect(source.outcomes[drag] == outcome, sourceLocation: location)
    expectClean(location)
  }

  /// What holds after every drag, however it has ended.
  func expectClean(_ location: SourceLocation = #_sourceLocation) {
    func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
      if !isRight { Issue.record("\(what()) \(label)", sourceLocation: location) }
    }
    if let grab = server.grab {
      expect(!grab.client.isChecked || grab.client.behavior.isFrozen, "\(grab.client) still holds a grab")
    }
    for side in sides where side.runs {
      let reactor = side.reactor
      let registered = side.windows.filter { server.windows[$0] != nil }
      let watches = Dictionary(uniqueKeysWithValues: registered.map { ($0, [WindowInterest.destruction: 1]) })
      expect(
        side.client.interests == reactor.lateWatches(besides: watches),
        "\(side.client) still watches \(side.client.interests)")
      expect(!side.client.isTracking, "\(side.client) still tracks windows")
      expect(side.client.followed.isEmpty, "\(side.client) still follows \(side.client.followed)")
      let left = Set(server.windows[side.client.dragWindow]?.properties.keys.map(\.self) ?? [])
      expect(left.isSubset(of: Self.lists), "\(left) left on the drag window")
      expect(side.client.image == nil && reactor.image.shownDrag == nil, "\(side.client) still shows an image")
      expect(reactor.nextDeadline == nil, "\(side.client) still has a deadline")
      expect(reactor.drags.isEmpty, "drags left: \(reactor.drags)")
      expect(reactor.loads.count == 0, "loads left")
      expect(!reactor.targets.hasVisits, "drops left")
      expect(reactor.offers.deliveries.isEmpty, "content left")
      expect(!reactor.offers.isBusy, "an offer is busy")
      expect(reactor.offers.ids.count <= reactor.timing.history.count, "\(reactor.offers.ids.count) offers kept")
      expect(reactor.targets.windows == registered, "targets left: \(reactor.targets.windows)")
      for machine in reactor.targets.windows.compactMap({ reactor.targets[$0]?.machine }) {
        expect(machine.state.hover.visit == nil && machine.state.drops.isEmpty, "a visit is left")
      }
      expect(side.openSessions.isEmpty, "sessions never ended: \(side.openSessions)")
      expect(
        !server.conversions.contains { $0.owner === side.client && server.windows[$0.request.requestor] != nil },
        "conversions without an answer")
    }
    for visit in server.referee.unfinishedDrops {
      let isOurs = sides.contains {
        $0.runs && $0.client.dragWindow != visit.target && $0.client === server.windows[visit.target]?.client
      }
      expect(!isOurs || server.windows[visit.source] == nil, "no Finished for a Drop on \(visit.target)")
    }
    for window in server.windows.values where window.client.isChecked && !window.client.behavior.isFrozen {
      let left = window.properties.keys.filter(\.isTransfer).map(\.rawValue)
      expect(left.isEmpty, "\(left) left on \(window.id)")
    }
  }
}
