import XDnDX11

/// This program's windows that receive the messages to other clients' windows (XDND, `XdndProxy`), and queries about
/// those windows.
final class ProxyWindows {
  private let display: DisplayHandle
  private let atoms: AtomTable
  private let properties: Properties
  private var proxies: Set<WindowID> = []

  init(_ display: DisplayHandle, _ atoms: AtomTable, _ properties: Properties) {
    self.display = display
    self.atoms = atoms
    self.properties = properties
  }

  func contains(_ window: WindowID) -> Bool { proxies.contains(window) }

  // MARK: Windows of other clients

  /// See ``WindowSystem/foreignWindow(_:)``.
  func read(_ window: WindowID) -> ForeignWindow? {
    var answer: ForeignWindow?
    var links: [(AtomName, WindowID)] = []
    var batch = RequestBatch(display)
    // A root window has no parent, and a window that does not exist gets no reply.
    batch.parent(of: window) { parent in
      guard let parent else { return }
      answer = ForeignWindow()
      answer?.isRoot = parent == .none
    }
    ask(.xdndAware, of: window, in: &batch) { answer?.aware = $0 }
    ask(.xdndSavedAware, of: window, in: &batch) { answer?.savedAware = $0 }
    ask(.xdndSavedProxy, of: window, in: &batch) { answer?.savedProxy = $0 }
    for name in [AtomName.xdndProxy, .xdndSavedBy] {
      askLink(name, of: window, in: &batch) { if let named = $0 { links.append((name, named)) } }
    }
    batch.run()
    guard answer != nil, !links.isEmpty else { return answer }
    var second = RequestBatch(display)
    for (name, named) in links {
      var link = ForeignWindow.Link(named, .gone)
      second.parent(of: named) { if $0 != nil { link.state = .unrelated } }
      askLink(.xdndProxy, of: named, in: &second) { proxy in
        if proxy == named { link.state = .proxy }
        if name == .xdndProxy { answer?.proxy = link } else { answer?.savedBy = link }
      }
    }
    second.run()
    return answer
  }

  /// See ``WindowSystem/topLevelWindow(of:)``.
  func topLevelWindow(of window: WindowID) -> WindowID? {
    var next = window
    for _ in 0..<WindowHierarchy.deepestNesting {
      var (parent, isManaged) = (WindowID?.none, false)
      var batch = RequestBatch(display)
      batch.parent(of: next) { parent = $0 }
      properties.ask(for: Self.state, of: next, in: &batch) { isManaged = ($0?.format ?? 0) != 0 }
      batch.run()
      guard let parent, parent != .none else { return nil }
      if isManaged || parent == display.root { return next }
      next = parent
    }
    return nil
  }

  private static let state = AtomName("WM_STATE")

  private func ask(
    _ property: AtomName, of window: WindowID, in batch: inout RequestBatch,
    _ receive: @escaping (PropertyValue?) -> Void
  ) {
    properties.ask(for: property, of: window, limit: 1 << 12, in: &batch) { [atoms] value in
      guard let value, let unit = PropertyUnit(rawValue: value.format), let type = atoms.name(value.type) else {
        return receive(nil)
      }
      let bytes = value.bytes.withUnsafeBytes(Array.init)
      receive(
        PropertyValue(
          type: type,
          contents: unit == .word
            ? .words(bytes.withUnsafeBytes(Format32.words)) : .units(bytes[...], of: unit)))
    }
  }

  private func askLink(
    _ property: AtomName, of window: WindowID, in batch: inout RequestBatch, _ receive: @escaping (WindowID?) -> Void
  ) {
    properties.askWords(in: property, of: window, type: .window, limit: 1, in: &batch) {
      receive($0?.first.map(WindowID.init(rawValue:)))
    }
  }

  // MARK: Proxies

  /// See ``WindowSystem/createProxy()``.
  func create() -> WindowID {
    let proxy = display.createInvisibleWindow(selecting: EnterWindowMask | PointerMotionMask | ButtonPressMask)
    if proxy != .none { proxies.insert(proxy) }
    return proxy
  }

  /// See ``WindowSystem/destroyProxy(_:)``.
  func destroy(_ proxy: WindowID) {
    guard proxies.remove(proxy) != nil else { return }
    display.request(onError: .swallow) { XDestroyWindow($0, proxy.xid) }
  }

  func destroyAll() {
    for proxy in proxies { destroy(proxy) }
  }

  // MARK: Covering

  /// See ``WindowSystem/findPointer(over:then:)``. Takes a round trip for each window on the way to the root and one
  /// for the pointer, without waiting.
  func findPointer(over window: WindowID, then receive: @escaping (ForeignPlace?) -> Void) {
    find(window, topLevel: window, frame: nil) { [self] place in
      guard let place else { return receive(nil) }
      var isOver = false
      var batch = RequestBatch(display)
      batch.pointer(over: display.root) { pointer, _ in
        isOver = pointer.map { place.frame.contains($0.point) } ?? false
      }
      batch.send { receive(isOver ? place : nil) }
    }
  }

  /// Finds the place of a window, going up from it to the root.
  ///
  /// - Parameters:
  ///   - topLevel: The window or its ancestor that is queried next.
  ///   - frame: The place of the window in `topLevel`; `nil` at first.
  private func find(
    _ window: WindowID, topLevel: WindowID, frame: Rect?, depth: Int = 0,
    then receive: @escaping (ForeignPlace?) -> Void
  ) {
    guard depth < WindowHierarchy.deepestNesting else { return receive(nil) }
    var geometry: WindowGeometry?
    var parent: WindowID?
    var batch = RequestBatch(display)
    batch.attributes(of: topLevel) { geometry = $0?.geometry }
    batch.parent(of: topLevel) { parent = $0 }
    batch.send { [self] in
      guard let geometry, geometry.isMapped, let parent, parent != .none else { return receive(nil) }
      let frame = frame?.moved(by: geometry.inside.origin) ?? geometry.inside
      if parent == display.root { return receive(ForeignPlace(frame: frame, topLevel: topLevel)) }
      find(window, topLevel: parent, frame: frame, depth: depth + 1, then: receive)
    }
  }

  /// See ``WindowSystem/cover(_:with:)``.
  func cover(_ place: ForeignPlace, with proxy: WindowID) {
    guard proxies.contains(proxy), !place.frame.isEmpty else { return }
    display.request(onError: .swallow) { x in
      var changes = XWindowChanges()
      changes.x = Int32(clamping: place.frame.origin.x)
      changes.y = Int32(clamping: place.frame.origin.y)
      changes.width = Int32(clamping: place.frame.width)
      changes.height = Int32(clamping: place.frame.height)
      changes.sibling = place.topLevel.xid
      changes.stack_mode = Above
      XConfigureWindow(
        x, proxy.xid, UInt32(CWX | CWY | CWWidth | CWHeight | CWSibling | CWStackMode), &changes)
      XMapWindow(x, proxy.xid)
    }
  }

  /// See ``WindowSystem/uncover(_:)``.
  func uncover(_ proxy: WindowID) {
    guard proxies.contains(proxy) else { return }
    display.request(onError: .swallow) { XUnmapWindow($0, proxy.xid) }
  }
}
