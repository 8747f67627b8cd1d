/// The name of an X atom: a selection, a property, a conversion target or an action.
///
/// An open set: any name is valid. The names that this library uses are static members.
///
/// All layers above `Xlib/` use names. An atom means nothing without the server that issued it, so a state machine with
/// atoms could not be compared, printed or replayed against another server.
package struct AtomName: RawRepresentable, Sendable, CustomStringConvertible {
  /// The case-sensitive name, with escapes for bytes that are not UTF-8: see ``init(bytes:)``.
  package let rawValue: String

  /// Creates a name from a string. The atom is interned when it is first used on the wire.
  ///
  /// An atom's name has at most ``maximumByteCount`` bytes, and no NUL. Types with other names are not offered.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package init(_ name: String) {
    self.rawValue = name
  }

  /// Equal to ``rawValue``.
  package var description: String { rawValue }
}

extension AtomName {
  /// The maximum number of bytes of a name: `InternAtom` has 16 bits for it.
  package static let maximumByteCount = 65_535

  /// Whether an atom can have this name. A NUL could be sent, but clients that use Xlib would name another atom.
  package var isValid: Bool {
    let bytes = bytes
    return bytes.count <= Self.maximumByteCount && !bytes.contains(0)
  }

  /// Precedes the two digits of a byte in a name that is not UTF-8.
  private static let escape: Unicode.Scalar = "\u{FFFD}"

  /// Decodes a name of the server.
  ///
  /// Most names are UTF-8. Each invalid byte becomes U+FFFD and two hexadecimal digits, so that different names stay
  /// different: the bytes of `café` in Latin-1 are decoded as `caf\u{FFFD}E9`.
  package init(bytes: some Collection<UInt8>) {
    var name = String(decoding: bytes, as: UTF8.self)
    if name.unicodeScalars.contains(Self.escape) { name = Self.escaping(Array(bytes)) }
    self.init(name)
  }

  private static func escaping(_ bytes: [UInt8]) -> String {
    // `UnicodeScalarView.append(contentsOf:)` copies the text each time.
    var name: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.first {
      var decoder = UTF8()
      var input = rest.makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&input), scalar != escape {
        name += rest.prefix(UTF8.width(scalar))
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        name += String(escape).utf8
        name += (digits.count < 2 ? "0" + digits : digits).utf8
        rest = rest.dropFirst()
      }
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The bytes of the name on the server: the inverse of ``init(bytes:)``.
  package var bytes: [UInt8] {
    guard rawValue.unicodeScalars.contains(Self.escape) else { return Array(rawValue.utf8) }
    var bytes: [UInt8] = []
    var rest = rawValue.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      let digits = String(rest.prefix(2))
      if scalar == Self.escape, digits.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16)
      {
        bytes.append(byte)
        rest = rest.dropFirst(2)
      } else {
        bytes += Array(String(scalar).utf8)
      }
    }
    return bytes
  }
}

extension AtomName: Hashable {
  /// Whether both names have the same UTF-8 bytes: unlike `String`, the X server knows no canonical equivalence.
  package static func == (left: AtomName, right: AtomName) -> Bool {
    let (left, right) = (left.rawValue.utf8, right.rawValue.utf8)
    guard left.count == right.count else { return false }
    return left.withContiguousStorageIfAvailable { bytes in
      right.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
    }.flatMap { $0 } ?? left.elementsEqual(right)
  }

  /// Hashes the UTF-8 bytes.
  package func hash(into hasher: inout Hasher) {
    var name = rawValue
    name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension AtomName {
  // XDND, and `WM_CLASS`.
  package static let xdndAware = AtomName("XdndAware")
  package static let xdndProxy = AtomName("XdndProxy")
  package static let xdndTypeList = AtomName("XdndTypeList")
  package static let windowClass = AtomName("WM_CLASS")
  package static let xdndActionList = AtomName("XdndActionList")
  package static let xdndActionDescription = AtomName("XdndActionDescription")
  package static let xdndSelection = AtomName("XdndSelection")
  package static let xdndDirectSave = AtomName("XdndDirectSave0")

  // Clipboards: ICCCM §2.6.1, and the ClipboardManager specification of freedesktop.org.
  package static let clipboard = AtomName("CLIPBOARD")
  package static let primary = AtomName("PRIMARY")
  package static let clipboardManager = AtomName("CLIPBOARD_MANAGER")
  package static let saveTargets = AtomName("SAVE_TARGETS")

  // Targets and property types of selection transfers, most from the ICCCM.
  package static let targets = AtomName("TARGETS")
  package static let timestamp = AtomName("TIMESTAMP")
  package static let multiple = AtomName("MULTIPLE")
  package static let delete = AtomName("DELETE")
  package static let incr = AtomName("INCR")
  package static let atomPair = AtomName("ATOM_PAIR")
  package static let null = AtomName("NULL")
  package static let atom = AtomName("ATOM")
  package static let integer = AtomName("INTEGER")
  package static let string = AtomName("STRING")
  package static let window = AtomName("WINDOW")
  package static let utf8String = AtomName("UTF8_STRING")
  package static let plainText = AtomName("text/plain")
}
