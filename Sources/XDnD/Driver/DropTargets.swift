/// The windows that this program has registered for drops, and the recently unregistered ones. Windows of other clients
/// have a proxy.
final class DropTargets {
  /// The number of unregistered windows that are remembered: messages may still be on their way to them.
  private static let keptRetired = 16

  let loads: Loads
  private let context: DriverContext
  private let saves: Saves
  private var registered: [WindowID: DropTargetWindow] = [:]
  /// The recently unregistered windows, each with its proxy.
  private var retired: [(window: WindowID, proxy: WindowID?)] = []
  private var registrations = 0

  init(_ context: DriverContext, loads: Loads, saves: Saves) {
    self.context = context
    self.loads = loads
    self.saves = saves
  }

  subscript(window: WindowID) -> DropTargetWindow? { registered[window] }

  var windows: Set<WindowID> { Set(registered.keys) }

  func isRegistered(_ window: WindowID) -> Bool { registered[window] != nil }

  /// The container at a root position in a window, registered or not.
  func container(at root: Point, in window: WindowID) -> DragContainer {
    registered[window]?.host.container(at: root) ?? DragContainer(window: window)
  }

  private var inOrder: [DropTargetWindow] { registered.values.sorted { $0.window < $1.window } }

  /// A drag over one of the windows, or its drop that has not ended.
  func visit(_ session: SessionID) -> Visit? {
    for target in registered.values {
      if let visit = target.visit(session) { return visit }
    }
    return nil
  }

  var hasVisits: Bool { registered.values.contains(where: \.hasVisits) }

  /// Whether ``receive(_:to:)`` handles messages to a window.
  func handlesMessages(to window: WindowID) -> Bool {
    target(addressedBy: window) != nil || retired.contains { $0.window == window || $0.proxy == window }
  }

  private func target(addressedBy window: WindowID) -> DropTargetWindow? {
    registered[window] ?? registered.values.first { $0.proxy?.proxy == window }
  }

  // MARK: Registration

  /// Registers a window, or replaces the host of a registered one. If another client's window cannot be registered,
  /// ``Notice/TargetNotice/lost(_:)`` follows.
  func register(_ host: DropHost) {
    let window = host.window
    if let target = registered[window] { return target.host = host }
    var proxy: TargetProxy?
    if !context.system.owns(window), !context.system.isClosed {
      do {
        proxy = try TargetProxy(window, context)
      } catch {
        return context.tell(.target(host, .lost(.refused(error))))
      }
    }
    registrations += 1
    retire(retired.filter { $0.window == window })
    let machine = TargetMachine(
      window: window, offer: host.offer, timing: context.timing.target,
      firstSession: SessionID(rawValue: registrations << 32))
    registered[window] = DropTargetWindow(machine, of: host, proxy: proxy, context, in: self)
    guard proxy == nil else { return }
    context.system.watch(window, for: .destruction)
    context.system.write(.advertisedAwareness, to: .xdndAware, of: window)
    context.system.flush()
  }

  /// Checks whether a window can be registered. Makes a few round trips.
  func check(_ window: WindowID) throws(ProxyMachine.Refusal) {
    guard !isRegistered(window), !context.system.isClosed else { return }
    if context.system.owns(window) {
      if !context.system.exists(window) { throw .noWindow }
    } else {
      _ = try ProxyMachine(claiming: context.system.foreignWindow(window))
    }
  }

  /// Removes a window that is unregistered.
  func remove(_ target: DropTargetWindow) {
    registered[target.window] = nil
    retired.append((target.window, target.proxy?.proxy))
    retire(retired.dropLast(Self.keptRetired))
  }

  /// Forgets windows that were unregistered.
  private func retire(_ windows: some Collection<(window: WindowID, proxy: WindowID?)>) {
    let forgotten = Array(windows)
    retired.removeAll { entry in forgotten.contains { $0.window == entry.window } }
    for case let proxy? in forgotten.map(\.proxy) { context.system.destroyProxy(proxy) }
  }

  // MARK: Events

  /// Passes a message to the target that it is for. Refuses a message to a window that was unregistered recently.
  ///
  /// - Returns: Whether the message was for one of these windows.
  func receive(_ message: XdndMessage, to window: WindowID) -> Bool {
    if let target = target(addressedBy: window) {
      target.receive(message, to: window)
      return true
    }
    guard retired.contains(where: { $0.window == window || $0.proxy == window }) else { return false }
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

  /// Handles the release of `XdndSelection`: a drag may be over, or a drop cancelled.
  func dragSelectionReleased() {
    for target in inOrder { target.noteWithdrawal() }
    loads.dragSelectionReleased()
    for target in inOrder { target.dragSelectionReleased() }
  }

  /// Handles a change or the deletion of one of a window's ``ServerEvent/awarenessProperties``.
  func awarenessChanged(_ property: AtomName, of window: WindowID, serial: UInt) {
    registered[window]?.proxy?.propertyChanged(property, serial: serial)
  }

  /// Handles pointer input of a proxy.
  func proxyTouched(_ proxy: WindowID) {
    for case let covered? in registered.values.map(\.proxy) where covered.proxy == proxy { covered.receive(.uncover) }
  }

  /// Handles a change of a source's action list.
  func operationsChanged(of source: WindowID) {
    for target in registered.values { target.operationsChanged(of: source) }
  }

  /// Handles the destruction of a window.
  func windowVanished(_ window: WindowID) {
    for target in inOrder { target.windowVanished(window) }
  }

  /// Ends the loads and saves of a visit.
  func end(_ visit: Visit) {
    saves.end(of: visit)
    loads.end(of: visit)
  }

  /// The sources of the drags over the windows, and of their drops.
  var sources: Set<WindowID> { Set(registered.values.flatMap(\.sources)) }
}
