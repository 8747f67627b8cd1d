/// Observes all traffic with peers.
///
/// Without a listener, it creates no events and makes no requests.
package final class WireTap {
  /// Called synchronously from inside the driver; must not call back into the library.
  package var listener: ((WireEvent) -> Void)?
  /// The maximum number of a property's bytes that the listener gets.
  package var byteLimit = 1 << 20

  private let atoms: AtomTable

  package init(_ atoms: AtomTable) { self.atoms = atoms }

  /// Whether there is a listener.
  var isOpen: Bool { listener != nil }

  /// Reports an action of this program.
  ///
  /// - Parameter action: Evaluated only while the tap is open.
  package func did(_ action: @autoclosure () -> WireEvent.Action) {
    guard isOpen else { return }
    tell(.sent, action())
  }

  /// Reports incoming traffic.
  ///
  /// - Parameter action: Evaluated only while the tap is open.
  package func heard(_ action: @autoclosure () -> WireEvent.Action) {
    guard isOpen else { return }
    tell(.received, action())
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
    let told = UnsafeRawBufferPointer(rebasing: bytes.prefix(byteLimit))
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
