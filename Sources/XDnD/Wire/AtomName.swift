/// The name of an X atom: a selection, a property, a target or an action.
///
/// An open set: any name can be made, and those that this library uses by itself are members.
public struct AtomName: RawRepresentable, Sendable, CustomStringConvertible {
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

extension AtomName: Hashable {
  /// Whether both are the same bytes: the server knows no equivalence of letters, as `String` does.
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
  // XDND: what a window or a source says of itself.
  static let xdndAware = AtomName("XdndAware")
  static let xdndProxy = AtomName("XdndProxy")
  static let xdndTypeList = AtomName("XdndTypeList")
  static let windowClass = AtomName("WM_CLASS")
  static let xdndActionList = AtomName("XdndActionList")
  static let xdndActionDescription = AtomName("XdndActionDescription")
  static let xdndSelection = AtomName("XdndSelection")
  static let xdndDirectSave = AtomName("XdndDirectSave0")

  // Clipboards: ICCCM section 2.6.1, and the ClipboardManager specification of freedesktop.org.
  static let clipboard = AtomName("CLIPBOARD")
  static let primary = AtomName("PRIMARY")
  static let clipboardManager = AtomName("CLIPBOARD_MANAGER")
  static let saveTargets = AtomName("SAVE_TARGETS")

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
  static let plainText = AtomName("text/plain")
}
