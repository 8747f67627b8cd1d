/// A value to write to a property, with its type.
package struct PropertyValue: Equatable, Sendable {
  package var type: AtomName
  package var contents: Contents

  package enum Contents: Equatable, Sendable {
    /// Any format, in the machine's byte order; a whole number of units.
    case units(ArraySlice<UInt8>, of: PropertyUnit)
    /// Format 32.
    case words([UInt32])
    /// Format 32; `nil` stands for `None`.
    case atoms([AtomName?])

    package static func bytes(_ bytes: ArraySlice<UInt8>) -> Contents { .units(bytes, of: .byte) }
  }

  package init(type: AtomName, contents: Contents) {
    self.type = type
    self.contents = contents
  }

  package static func atoms(_ names: [AtomName]) -> PropertyValue {
    PropertyValue(type: .atom, contents: .atoms(names))
  }
}

/// The unit of a property's format, whose bytes the server swaps between machines of different byte order.
package enum PropertyUnit: Int, Sendable {
  /// 8 bits; never swapped.
  case byte = 8
  /// 16 bits.
  case short = 16
  /// 32 bits.
  case word = 32

  /// The `format` of the X11 protocol, in bits.
  var format: Int { rawValue }
  var byteCount: Int { rawValue / 8 }
}

/// The type, format and size of a property that was read.
package struct PropertyHeader: Equatable, Sendable {
  package var type: AtomName
  package var format: Int
  /// The size in bytes on the wire: four for each format-32 unit, although Xlib's `long` may have eight.
  package var byteCount: Int

  package init(type: AtomName, format: Int, byteCount: Int) {
    self.type = type
    self.format = format
    self.byteCount = byteCount
  }
}
