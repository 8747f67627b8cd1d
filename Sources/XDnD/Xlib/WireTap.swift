import CX11

/// Where all passes by that goes between us and others: it is told to who wants to know, and may be changed by who wants
/// to misbehave.
///
/// While nobody does either, nothing is made and nothing is asked.
final class WireTap {
  /// Called in the middle of everything.
  var listener: ((WireEvent) -> Void)?
  var tamper: (any WireTamper)?
  /// How many bytes of a property are told.
  var byteLimit = 1 << 20
  /// Does something as it is said, without this tap.
  var perform: (WireEvent.Action) -> Void = { _ in }

  private let display: DisplayHandle
  private let atoms: AtomTable

  init(_ display: DisplayHandle, _ atoms: AtomTable) {
    self.display = display
    self.atoms = atoms
  }

  /// Whether anybody looks.
  var isOpen: Bool { listener != nil || tamper != nil }

  /// Does something, and says so; or does what is done instead.
  ///
  /// - Parameters:
  ///   - action: What it is in words; not asked for if nobody looks.
  ///   - perform: Does it.
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
    // What comes late comes after what came before it; and who dies of it has done it: a server that sees a client go
    // does not read what that client has sent last.
    display.request(onError: .swallow) { XSync($0, False) }
    actions.forEach(tamper.done)
  }

  /// Says that something was done which nobody can change.
  func did(_ action: @autoclosure () -> WireEvent.Action) {
    guard isOpen else { return }
    let action = action()
    tell(.sent, action)
    tamper?.done(action)
  }

  /// Says that something has come in.
  ///
  /// - Returns: What is heard of it; `nil` for nothing.
  func heard(_ action: WireEvent.Action) -> WireEvent.Action? {
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

  // MARK: Words

  /// A message with the names of those words that are atoms.
  func message(
    _ kind: XdndMessageKind, _ words: [UInt32], window: WindowID, destination: WindowID? = nil
  ) -> WireEvent.Action {
    let places = kind.atomPlaces.filter { words.indices.contains($0) && words[$0] != 0 }
    atoms.lookUp(places.map { Atom(rawValue: words[$0]) })
    var names: [Int: AtomName] = [:]
    for place in places { names[place] = atoms.name(Atom(rawValue: words[place])) }
    return .message(
      WireEvent.Message(
        type: kind.name, window: window, destination: destination == window ? nil : destination, words: words,
        names: names))
  }

  /// A property with the names of its atoms, if that is what it holds.
  ///
  /// - Parameter bytes: All that was written or read.
  func property(
    _ change: WireEvent.Property.Change, _ name: AtomName, of window: WindowID, type: AtomName, format: Int,
    offset: Int = 0, bytes: UnsafeRawBufferPointer
  ) -> WireEvent.Action {
    // Who changes it has to see all of it.
    let told = tamper == nil ? UnsafeRawBufferPointer(rebasing: bytes.prefix(byteLimit)) : bytes
    var names: [AtomName?] = []
    // `XdndAware` has that type too, and is a number.
    if format == 32, type == .atom || type == .atomPair, name != .xdndAware {
      let list = (0..<told.count / 4).map {
        Atom(rawValue: told.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
      }
      atoms.lookUp(list)
      names = list.map(atoms.name)
    }
    return .property(
      WireEvent.Property(
        change, name, of: window, type: type, format: format, offset: offset, bytes: Array(told),
        byteCount: bytes.count, names: names))
  }
}

extension XdndMessageKind {
  /// Which of the five words may be atoms.
  fileprivate var atomPlaces: [Int] {
    switch self {
    case .enter: [2, 3, 4]
    case .position, .status: [4]
    case .finished: [2]
    case .leave, .drop: []
    }
  }
}
