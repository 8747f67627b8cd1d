/// What is written to a property, with the type that the property gets.
struct PropertyValue: Equatable, Sendable {
  var type: AtomName
  var contents: Contents

  enum Contents: Equatable, Sendable {
    /// Any format, in the machine's order; a whole number of units.
    case units(ArraySlice<UInt8>, of: PropertyUnit)
    /// Format 32.
    case words([UInt32])
    /// Format 32; `nil` stands for `None`.
    case atoms([AtomName?])

    /// Format 8.
    static func bytes(_ bytes: ArraySlice<UInt8>) -> Contents { .units(bytes, of: .byte) }
  }

  init(type: AtomName, contents: Contents) {
    self.type = type
    self.contents = contents
  }

  /// A list of atoms, of type `ATOM`.
  static func atoms(_ names: [AtomName]) -> PropertyValue {
    PropertyValue(type: .atom, contents: .atoms(names))
  }
}

/// What the server takes for one element of a property, and turns round between machines of different byte order.
public enum PropertyUnit: Int, Sendable {
  /// 8 bits, of which nothing is turned round.
  case byte = 8
  /// 16 bits.
  case short = 16
  /// 32 bits.
  case word = 32

  /// Bits; the protocol calls it so.
  var format: Int { rawValue }
  var byteCount: Int { rawValue / 8 }
}

/// What a property turned out to be when it was read.
struct PropertyHeader: Equatable, Sendable {
  var type: AtomName
  /// 8, 16 or 32 bits a unit.
  var format: Int
  /// Length in bytes on the wire: a format-32 unit counts four, whatever Xlib makes of it.
  var byteCount: Int
}
