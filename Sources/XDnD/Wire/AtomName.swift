/// The name of an X atom: a selection, a property, a conversion target or an action.
///
/// An open set: any name is valid. The names that this library uses are static members.
public struct AtomName: RawRepresentable, Sendable, CustomStringConvertible {
  /// The name as `XGetAtomName` returns it; case-sensitive.
  public let rawValue: String

  /// Creates a name from a string. The atom is interned when it is first used on the wire.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  package init(_ name: String) {
    self.rawValue = name
  }

  /// Equal to ``rawValue``.
  public var description: String { rawValue }
}

extension AtomName: Hashable {
  /// Whether both names have the same UTF-8 bytes: unlike `String`, the X server knows no canonical equivalence.
  public static func == (left: AtomName, right: AtomName) -> Bool {
    left.rawValue.utf8.count == right.rawValue.utf8.count && left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    var name = rawValue
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension AtomName {
  // XDND: properties of windows and sources.
  static let xdndAware = AtomName("XdndAware")
  static let xdndProxy = AtomName("XdndProxy")
  static let xdndTypeList = AtomName("XdndTypeList")
  static let windowClass = AtomName("WM_CLASS")
  static let xdndActionList = AtomName("XdndActionList")
  static let xdndActionDescription = AtomName("XdndActionDescription")
  static let xdndSelection = AtomName("XdndSelection")
  static let xdndDirectSave = AtomName("XdndDirectSave0")

  // Clipboards: ICCCM §2.6.1, and the ClipboardManager specification of freedesktop.org.
  static let clipboard = AtomName("CLIPBOARD")
  static let primary = AtomName("PRIMARY")
  static let clipboardManager = AtomName("CLIPBOARD_MANAGER")
  static let saveTargets = AtomName("SAVE_TARGETS")

  // ICCCM: targets and property types of selection transfers.
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
  static let plainText = AtomName("text/plain")
}
