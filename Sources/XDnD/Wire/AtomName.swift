/// The name of an X atom: a selection, a property, a target or an action.
///
/// An open set: any name can be made, and those that this library uses by itself are members.
public struct AtomName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name, as `XGetAtomName` gives it. Case matters.
  public let rawValue: String

  /// Wraps a name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  init(_ name: String) {
    self.rawValue = name
  }

  /// The bare name.
  public var description: String { rawValue }
}

extension AtomName {
  // XDND: what a window or a source says of itself.
  static let xdndAware = AtomName("XdndAware")
  static let xdndProxy = AtomName("XdndProxy")
  static let xdndTypeList = AtomName("XdndTypeList")
  static let xdndActionList = AtomName("XdndActionList")
  static let xdndActionDescription = AtomName("XdndActionDescription")
  static let xdndSelection = AtomName("XdndSelection")

  // ICCCM: targets and types of selection transfers.
  static let targets = AtomName("TARGETS")
  static let timestamp = AtomName("TIMESTAMP")
  static let multiple = AtomName("MULTIPLE")
  static let delete = AtomName("DELETE")
  static let incr = AtomName("INCR")
  static let atomPair = AtomName("ATOM_PAIR")
  static let null = AtomName("NULL")
  static let atom = AtomName("ATOM")
  static let integer = AtomName("INTEGER")
  static let string = AtomName("STRING")
  static let window = AtomName("WINDOW")
  static let utf8String = AtomName("UTF8_STRING")
}
