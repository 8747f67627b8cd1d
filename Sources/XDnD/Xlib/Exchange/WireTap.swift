import XDnDX11

/// Observes all traffic with peers; a tamper hook may alter it.
///
/// Without a listener and a hook, it creates no events and makes no requests.
package final class WireTap {
  /// Called synchronously from inside the driver; must not call back into the library.
  package var listener: ((WireEvent) -> Void)?
  var tamper: (any WireTamper)?
  /// The maximum number of a property's bytes that the listener gets.
  package var byteLimit = 1 << 20
  /// Performs an action literally, without passing through this tap.
  var perform: (WireEvent.Action) -> Void = { _ in }

  private let display: DisplayHandle
  private let atoms: AtomTable

  package init(_ display: DisplayHandle, _ atoms: AtomTable) {
    self.display = display
    self.atoms = atoms
  }

  /// Whether there is a listener or a tamper hook.
  var isOpen: Bool { listener != nil || tamper != nil }

  /// Performs an action and reports it. A tamper hook may substitute other actions.
  ///
  /// - Parameters:
  ///   - action: The action as a value; evaluated only while the tap is open.
  ///   - perform: Performs the action.
  func doing(_ action: @autoclosure () -> WireEvent.Action, _ perform: () -> Void) {
    guard isOpen else { return perform() }
    let planned = action()
    guard let tamper else {
      perform()
      return tell(.sent, planned)
    }
    let actions = tamper.instead(of: planned)
    for action in actions {
      if action == planned { perform() } else { self.perform(action) }
      tell(.sent, action)
    }
    // A round trip before `done`, in which the hook may wait or end the process. A delayed action then follows the
    // earlier ones; and the server reads the last requests of a client only while it is connected.
    _ = display.wait { XSync($0, False) }
    actions.forEach(tamper.done)
  }

  /// Reports an action that the hook cannot alter.
  package func did(_ action: @autoclosure () -> WireEvent.Action) {
    guard isOpen else { return }
    let action = action()
    tell(.sent, action)
    tamper?.done(action)
  }

  /// Reports incoming traffic.
  ///
  /// - Returns: The action to process, which the hook may have altered; `nil` to ignore it.
  @discardableResult
  package func heard(_ action: WireEvent.Action) -> WireEvent.Action? {
    tell(.received, action)
    guard let tamper else { return action }
    return tamper.heard(action)
  }

  private func tell(_ direction: WireEvent.Direction, _ action: WireEvent.Action) {
    guard let listener else { return }
    guard case .property(var property) = action, property.bytes.count > byteLimit else {
      return listener(WireEvent(direction, action))
    }
    property.bytes.removeSubrange(byteLimit...)
    listener(WireEvent(direction, .property(property)))
  }

  // MARK: Construction

  /// Describes a message, with the names of the words that are atoms.
  package func message(
    _ type: AtomName, _ words: [UInt32], window: WindowID, destination: WindowID? = nil
  ) -> WireEvent.Action {
    let atomPlaces = XdndMessageKind(rawValue: type.rawValue)?.atomPlaces ?? (type == .wmProtocols ? [0] : [])
    let places = atomPlaces.filter { words.indices.contains($0) && words[$0] != 0 }
    atoms.lookUp(places.map { Atom(rawValue: words[$0]) })
    var names: [Int: AtomName] = [:]
    for place in places { names[place] = atoms.knownName(Atom(rawValue: words[place])) }
    return .message(
      WireEvent.Message(
        type: type, window: window, destination: destination == window ? nil : destination, words: words,
        names: names))
  }

  /// Describes a property, with names if its elements are atoms.
  ///
  /// - Parameter bytes: All bytes that were written or read.
  func property(
    _ change: WireEvent.Property.Change, _ name: AtomName, of window: WindowID, type: AtomName, format: Int,
    offset: Int = 0, bytes: UnsafeRawBufferPointer
  ) -> WireEvent.Action {
    // A tamper hook gets all bytes, since it may write them.
    let told = tamper == nil ? UnsafeRawBufferPointer(rebasing: bytes.prefix(byteLimit)) : bytes
    var names: [AtomName?] = []
    // `XdndAware` has type `ATOM`, but holds a version number.
    if format == 32, type == .atom || type == .atomPair, name != .xdndAware {
      let list = Format32.words(told).map(Atom.init(rawValue:))
      atoms.lookUp(list)
      names = list.map(atoms.knownName)
    }
    return .property(
      WireEvent.Property(
        change, name, of: window, type: type, format: format, offset: offset, bytes: Array(told),
        byteCount: bytes.count, names: names))
  }
}

extension AtomName {
  /// The messages of a window manager, such as `WM_DELETE_WINDOW` (ICCCM §4.2.8).
  fileprivate static let wmProtocols = AtomName("WM_PROTOCOLS")
}
