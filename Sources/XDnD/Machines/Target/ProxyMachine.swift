/// Makes a window of another client a drop target, with a proxy window of this program (XDND version 4, `XdndProxy`).
///
/// `XdndProxy` of both windows names the proxy, and both have `XdndAware`. The window's earlier properties are saved on
/// the window itself, so that another run of this program can restore them if this one is killed.
///
///             claim                 changed by another client, destroyed, released
///     free ──────────▶ held ──────────────────────────────────────────────────────▶ over
///                      │  ▲
///      Leave, but the  ▼  │ the proxy gets input, the drag is over
///      pointer stays  covered
///
/// *Covered*: GTK 4 sends only the first position to a proxy, then Leave, and addresses the window itself
/// (`gdk_x11_drag_find_surface` returns the window instead of its proxy while the pointer stays over it). So when a
/// source leaves although the pointer is still there, the invisible proxy is mapped just above the window, and the
/// source finds the proxy itself. While a source holds the grab, no other client gets pointer input. As soon as the
/// proxy gets some, it is in the way, and is unmapped.
struct ProxyMachine: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    /// Another client has changed or deleted one of the ``ServerEvent/awarenessProperties``.
    case propertyChanged(AtomName)
    case windowVanished
    /// A source has sent Leave.
    case left
    /// The answer to ``Effect/findPointer``.
    case pointerFound(isOver: Bool)
    /// The proxy gets pointer input, or a drag is over.
    case uncover
    /// The window is unregistered.
    case release
  }

  enum Effect: Equatable, Sendable {
    /// Find out whether the pointer is over the window.
    case findPointer
    /// Put the proxy above the window.
    case cover
    case uncover
    case write(PropertyValue, to: AtomName)
    case delete(AtomName)
    /// The window is no longer a drop target of this program.
    case ended(End)
  }

  enum End: Equatable, Sendable {
    case released
    case destroyed
    /// Another client has changed the window's `XdndAware` or `XdndProxy`, or has claimed the window.
    case replaced
  }

  /// The reason why a window cannot be claimed.
  enum Refusal: Error, Equatable, Sendable {
    case noWindow
    case rootWindow
    /// A program without this library has a proxy for the window.
    case proxied(by: WindowID)
    /// A driver of this library, in this program or another one, has registered the window.
    case registered(by: WindowID)
  }

  enum Phase: Equatable, Sendable {
    case held
    /// Waits for the answer to ``Effect/findPointer``.
    case finding
    case covered
    case over
  }

  /// The window's properties before the claim; `nil` for a missing one.
  struct Original: Equatable, Sendable {
    var aware: PropertyValue?
    var proxy: PropertyValue?
  }

  private(set) var phase = Phase.held
  private let original: Original

  /// Claims a window.
  ///
  /// - Parameter window: The window's properties; `nil` if it does not exist.
  init(claiming window: ForeignWindow?) throws(Refusal) {
    guard let window else { throw .noWindow }
    if window.isRoot { throw .rootWindow }
    if let savedBy = window.savedBy, savedBy.state == .proxy { throw .registered(by: savedBy.window) }
    if let proxy = window.proxy, proxy.state == .proxy { throw .proxied(by: proxy.window) }
    original = Self.original(of: window)
  }

  /// The properties of a window before any program with this library claimed it.
  private static func original(of window: ForeignWindow) -> Original {
    // The proxy was left over by a killed program, and not replaced since.
    if let proxy = window.proxy, proxy.window == window.savedBy?.window {
      // The owner may have become aware since.
      let isOurs = window.aware == .advertisedAwareness
      return Original(aware: isOurs ? window.savedAware : window.aware, proxy: window.savedProxy)
    }
    // A proxy that has been destroyed is not restored.
    let proxy = window.proxy.flatMap { $0.state == .gone ? nil : $0.window }
    return Original(aware: window.aware, proxy: proxy.map(PropertyValue.window))
  }

  /// Whether the client that has created the window takes drops itself.
  var isOwnerAware: Bool { original.aware != nil }

  /// The changes of properties, in order. The old values are saved first, because this program may be killed in
  /// between.
  ///
  /// - Parameter proxy: The proxy, whose own properties are written already.
  func claim(for proxy: WindowID) -> [Effect] {
    let saved = [(original.aware, AtomName.xdndSavedAware), (original.proxy, .xdndSavedProxy)]
    return saved.map { value, name in value.map { .write($0, to: name) } ?? .delete(name) } + [
      .write(.window(proxy), to: .xdndSavedBy), .write(.window(proxy), to: .xdndProxy),
      .write(.advertisedAwareness, to: .xdndAware),
    ]
  }

  mutating func receive(_ input: Input) -> [Effect] {
    guard phase != .over else { return [] }
    switch input {
    case .propertyChanged(let name): return changed(name)
    case .windowVanished: return end(.destroyed, [])
    case .left:
      guard phase == .held else { return [] }
      phase = .finding
      return [.findPointer]
    case .pointerFound(let isOver):
      guard phase == .finding else { return [] }
      phase = isOver ? .covered : .held
      return isOver ? [.cover] : []
    case .uncover:
      // A pending answer to `findPointer` is ignored: the drag that it is about is over.
      defer { phase = .held }
      return phase == .covered ? [.uncover] : []
    case .release:
      return end(.released, [restore(original.aware, .xdndAware), restore(original.proxy, .xdndProxy)] + forget)
    }
  }

  /// Gives up the window if another client has changed its properties. The other client's value stays.
  private mutating func changed(_ name: AtomName) -> [Effect] {
    switch name {
    case .xdndAware: return end(.replaced, [restore(original.proxy, .xdndProxy)] + forget)
    case .xdndProxy: return end(.replaced, forget)
    // Another program with this library has claimed the window, too, and will restore its properties.
    case .xdndSavedBy: return end(.replaced, [])
    default: return []
    }
  }

  private mutating func end(_ end: End, _ effects: [Effect]) -> [Effect] {
    let isCovered = phase == .covered
    phase = .over
    return (isCovered ? [.uncover] : []) + effects + [.ended(end)]
  }

  private func restore(_ value: PropertyValue?, _ name: AtomName) -> Effect {
    value.map { .write($0, to: name) } ?? .delete(name)
  }

  /// Deletes `xdndSavedBy` first: the saved values are only valid with it.
  private var forget: [Effect] { [.delete(.xdndSavedBy), .delete(.xdndSavedAware), .delete(.xdndSavedProxy)] }
}
