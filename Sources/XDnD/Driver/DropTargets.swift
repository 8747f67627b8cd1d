/// The windows of this program that take drops, or did until lately.
final class DropTargets {
  /// How many windows are remembered after they were unregistered: messages may still be on their way to them.
  private static let keptRetired = 16

  private let context: DriverContext
  private let drops: DropTable
  private let loads: LoadRunner
  private let saves: SaveRunner
  private var runners: [WindowID: TargetRunner] = [:]
  private var retired: [WindowID] = []
  /// The windows that are destroyed and not unregistered yet.
  private var destroyed: Set<WindowID> = []
  private var registrations = 0

  init(_ context: DriverContext, drops: DropTable, loads: LoadRunner, saves: SaveRunner) {
    self.context = context
    self.drops = drops
    self.loads = loads
    self.saves = saves
  }

  var windows: Set<WindowID> { Set(runners.keys) }

  func machine(of window: WindowID) -> TargetMachine? { runners[window]?.machine }

  func isRegistered(_ window: WindowID) -> Bool { runners[window] != nil }

  /// Whether ``receive(_:to:)`` handles messages to a window.
  func handlesMessages(to window: WindowID) -> Bool { isRegistered(window) || retired.contains(window) }

  // MARK: Registration

  /// Registers a window, or replaces what a registered one accepts.
  func register(_ window: WindowID, accepting offer: DropOffer) {
    if let runner = runners[window] { return runner.setOffer(offer) }
    registrations += 1
    retired.removeAll { $0 == window }
    let machine = TargetMachine(
      window: window, offer: offer, timing: context.timing.target,
      firstSession: SessionID(rawValue: registrations << 32))
    runners[window] = TargetRunner(machine, of: window, context, drops: drops, loads: loads, saves: saves)
    context.system.watch(window, for: .destruction)
    context.system.write(
      PropertyValue(type: .atom, contents: .words([UInt32(ProtocolVersion.advertised.number)])), to: .xdndAware,
      of: window)
    context.system.flush()
  }

  func receive(_ input: TargetMachine.Input, for window: WindowID) {
    guard let runner = runners[window], runner.receive(input) else { return }
    runners[window] = nil
    retired = retired.suffix(Self.keptRetired - 1) + [window]
    if destroyed.remove(window) == nil {
      context.system.delete(.xdndAware, of: window)
      context.system.delete(.dropRegions, of: window)
    }
    context.system.unwatch(window, for: .destruction)
    context.tell(.target(window, .unregistered))
  }

  // MARK: Deadlines

  var nextDeadline: LoopTime? { runners.values.earliest { $0.machine.nextDeadline } }

  func dueJobs(at now: LoopTime) -> [Job] {
    runners.compactMap { $0.value.machine.nextDeadline.isDue(at: now) ? .target($0.key, .deadlineReached) : nil }
  }

  // MARK: Events

  /// Passes a message to the target that it is for. Refuses one to a window that took drops until lately.
  ///
  /// - Returns: Whether the message was for one of these windows.
  func receive(_ message: XdndMessage, to window: WindowID) -> Bool {
    if isRegistered(window) {
      context.answer([.target(window, .message(message))])
      return true
    }
    guard retired.contains(window) else { return false }
    refuse(message, to: window)
    return true
  }

  /// Answers a message that the source sent before it could know that the window takes no more drops.
  private func refuse(_ message: XdndMessage, to window: WindowID) {
    let (answer, source): (XdndMessage, WindowID)
    switch message {
    case .position(let position): (answer, source) = (.status(.init(target: window)), position.source)
    case .drop(let drop): (answer, source) = (.finished(.init(target: window, result: .refused)), drop.source)
    case .enter, .leave, .status, .finished: return
    }
    context.system.send(answer, version: .v5, to: source, via: source)
  }

  /// Passes a source's offer to the target that has asked for it.
  func receive(_ offer: SourceOffer, for question: QuestionID) {
    for runner in runners.values { runner.receive(offer, for: question) }
  }

  /// Tells the target that has asked for it that the place of its window is known.
  func placeSettled(_ question: QuestionID) {
    for runner in runners.values { runner.placeSettled(question) }
  }

  /// Passes the result of a check to the target that has asked for it.
  func sourceChecked(_ question: QuestionID, isAlive: Bool) {
    for runner in runners.values { runner.sourceChecked(question, isAlive: isAlive) }
  }

  /// Handles the release of `XdndSelection`: the drag may be over.
  func dragSelectionReleased() { context.answer(runners.keys.map { .target($0, .selectionReleased) }) }

  /// Handles a change of a source's action list.
  func operationsChanged(of source: WindowID) {
    for runner in runners.values { runner.operationsChanged(of: source) }
  }

  /// Passes a source's action list to the target that has asked for it.
  func receive(_ operations: [AtomName?]?, for question: QuestionID) {
    for runner in runners.values { runner.receive(operations, for: question) }
  }

  /// The jobs for the destruction of a window. A registered window is unregistered, which answers the sources that
  /// wait.
  func jobsForEnd(of window: WindowID) -> [Job] {
    if isRegistered(window) { destroyed.insert(window) }
    return runners.keys.sorted().map { .target($0, $0 == window ? .unregister : .windowVanished(window)) }
  }

  /// The jobs that end all visits and drops.
  var jobsForServerLoss: [Job] {
    let sources = runners.values.flatMap { runner in
      [runner.machine.state.hover.source].compactMap(\.self) + runner.machine.state.drops.values.map(\.source)
    }
    return Set(sources).map { .event(.windowVanished($0)) }
  }
}
