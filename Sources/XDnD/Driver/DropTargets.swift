/// The windows that take drops by this program, or did until lately. Those of other clients have a proxy.
final class DropTargets {
  /// How many windows are remembered after they were unregistered: messages may still be on their way to them.
  private static let keptRetired = 16

  private let context: DriverContext
  private let drops: DropTable
  private let loads: LoadRunner
  private let saves: SaveRunner
  private var runners: [WindowID: TargetRunner] = [:]
  /// The proxies of registered windows that are other clients', by window.
  private var proxies: [WindowID: ProxyRunner] = [:]
  /// Those of the windows that take drops of their own clients, too.
  private var relays: [WindowID: RelayRunner] = [:]
  /// Returns the parts in which a registered window takes drops, in its coordinates; `nil` for the whole window. Asked for
  /// each position: an application may move its regions at any time.
  var parts: (WindowID) -> [Rect]? = { _ in nil }
  /// The windows that were unregistered lately, each with its proxy.
  private var retired: [(window: WindowID, proxy: WindowID?)] = []
  /// The windows that are destroyed and not unregistered yet.
  private var destroyed: Set<WindowID> = []
  /// The registered windows that are about to be unregistered.
  private var leaving: Set<WindowID> = []
  /// What windows accept that are registered again then.
  private var successors: [WindowID: DropOffer] = [:]
  private var registrations = 0

  init(_ context: DriverContext, drops: DropTable, loads: LoadRunner, saves: SaveRunner) {
    self.context = context
    self.drops = drops
    self.loads = loads
    self.saves = saves
  }

  var windows: Set<WindowID> { Set(runners.keys) }

  func machine(of window: WindowID) -> TargetMachine? { runners[window]?.machine }

  /// The windows that the present sources address in place of a registered window.
  func addressees(of window: WindowID) -> [WindowID: WindowID] { runners[window]?.addressees ?? [:] }

  func isRegistered(_ window: WindowID) -> Bool { runners[window] != nil }

  /// Whether a registered window is about to be unregistered. Its drags still end.
  func isLeaving(_ window: WindowID) -> Bool { leaving.contains(window) }

  /// Whether ``receive(_:to:)`` handles messages to a window.
  func handlesMessages(to window: WindowID) -> Bool {
    target(addressedBy: window) != nil || retired.contains { $0.window == window || $0.proxy == window }
  }

  /// The registered window that messages to a window are for: itself, or the window whose proxy it is.
  private func target(addressedBy window: WindowID) -> WindowID? {
    isRegistered(window) ? window : proxies.first { $0.value.proxy == window }?.key
  }

  // MARK: Registration

  /// Registers a window, or replaces what a registered one accepts. ``Notice/TargetNotice/lost(_:)`` follows for another
  /// client's window that cannot be registered.
  func register(_ window: WindowID, accepting offer: DropOffer) {
    if leaving.contains(window) {
      successors[window] = offer
      return
    }
    if let runner = runners[window] { return runner.setOffer(offer) }
    if !context.system.owns(window), !context.system.isClosed {
      do {
        let proxy = try ProxyRunner(window, context)
        proxies[window] = proxy
        if proxy.isOwnerAware {
          relays[window] = RelayRunner(window, context) { [unowned self] message, addressee in
            receive(message, to: addressee, at: window)
          }
        }
      } catch {
        return context.tell(.target(window, .lost(.refused(error))))
      }
    }
    registrations += 1
    retire(retired.filter { $0.window == window })
    let machine = TargetMachine(
      window: window, offer: offer, timing: context.timing.target,
      firstSession: SessionID(rawValue: registrations << 32))
    runners[window] = TargetRunner(
      machine, of: window, requestor: proxies[window]?.proxy ?? window, context, drops: drops, loads: loads,
      saves: saves)
    guard proxies[window] == nil else { return }
    context.system.watch(window, for: .destruction)
    context.system.write(.advertisedAwareness, to: .xdndAware, of: window)
    context.system.flush()
  }

  /// Unregisters a window when the present callback has returned. It may be registered again before.
  func unregister(_ window: WindowID) {
    guard isRegistered(window) else { return }
    successors[window] = nil
    if leaving.insert(window).inserted { context.post([.target(window, .unregister)]) }
  }

  /// Checks whether a window can be registered. Makes a few round trips for another client's window.
  func check(_ window: WindowID) throws(ProxyMachine.Refusal) {
    guard !isRegistered(window), !context.system.isClosed else { return }
    if context.system.owns(window) {
      if !context.system.exists(window) { throw .noWindow }
    } else {
      _ = try ProxyMachine(claiming: context.system.foreignWindow(window))
    }
  }

  func receive(_ input: TargetMachine.Input, for window: WindowID) {
    guard let runner = runners[window], runner.receive(input) else { return }
    runners[window] = nil
    let isDestroyed = destroyed.remove(window) != nil
    relays.removeValue(forKey: window)?.end()
    let proxy = proxies.removeValue(forKey: window)
    if let proxy {
      proxy.receive(isDestroyed ? .windowVanished : .release)
      if let loss = proxy.loss { context.tell(.target(window, .lost(loss))) }
    } else {
      if !isDestroyed { context.system.delete(.xdndAware, of: window) }
      context.system.unwatch(window, for: .destruction)
      if isDestroyed { context.tell(.target(window, .lost(.destroyed))) }
    }
    retired.append((window, proxy?.proxy))
    retire(retired.dropLast(Self.keptRetired))
    context.tell(.target(window, .unregistered))
    leaving.remove(window)
    if let offer = successors.removeValue(forKey: window) { register(window, accepting: offer) }
  }

  /// Forgets windows that were unregistered.
  private func retire(_ windows: some Collection<(window: WindowID, proxy: WindowID?)>) {
    let forgotten = Array(windows)
    retired.removeAll { entry in forgotten.contains { $0.window == entry.window } }
    for case let proxy? in forgotten.map(\.proxy) { context.system.destroyProxy(proxy) }
  }

  // MARK: Events

  /// Passes a message to the target that it is for. Refuses one to a window that took drops until lately.
  ///
  /// - Returns: Whether the message was for one of these windows.
  func receive(_ message: XdndMessage, to window: WindowID) -> Bool {
    if let target = target(addressedBy: window) {
      receive(message, to: window, at: target)
      return true
    }
    guard retired.contains(where: { $0.window == window || $0.proxy == window }) else { return false }
    refuse(message, to: window)
    return true
  }

  private func receive(_ message: XdndMessage, to window: WindowID, at target: WindowID) {
    let own = relays[target]?.receive(message, sentTo: window, parts: parts(target)) ?? [message]
    // The relay's own Leave does not come from the source.
    if own.contains(message) { noteEnd(of: message, at: target) }
    for message in own {
      runners[target]?.noteAddressee(window, of: message.sender)
      receive(.message(message), for: target)
    }
  }

  /// Tells the proxy of a target that a drag has left the target or was dropped.
  private func noteEnd(of message: XdndMessage, at target: WindowID) {
    switch message {
    case .leave: proxies[target]?.receive(.left)
    case .drop: proxies[target]?.receive(.uncover)
    case .enter, .position, .status, .finished: break
    }
  }

  /// A change of one of the ``ServerEvent/awarenessProperties`` of a window, or its deletion.
  func awarenessChanged(_ property: AtomName, of window: WindowID, serial: UInt) {
    proxies[window]?.propertyChanged(property, serial: serial)
  }

  /// Handles pointer input of a proxy.
  func proxyTouched(_ proxy: WindowID) {
    for runner in proxies.values where runner.proxy == proxy { runner.receive(.uncover) }
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

  /// Handles the release of `XdndSelection`: the drag may be over.
  func dragSelectionReleased() {
    context.answer(runners.keys.map { .target($0, .selectionReleased) })
    for proxy in proxies.values { proxy.receive(.uncover) }
    for relay in relays.values { relay.end() }
  }

  /// Handles a change of a source's action list.
  func operationsChanged(of source: WindowID) {
    for runner in runners.values { runner.operationsChanged(of: source) }
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
