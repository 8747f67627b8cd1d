/// What is written to a property, with the type that the property gets.
struct PropertyValue: Equatable, Sendable {
  var type: AtomName
  var contents: Contents

  enum Contents: Equatable, Sendable {
    /// Format 8.
    case bytes(ArraySlice<UInt8>)
    /// Format 32.
    case words([UInt32])
    /// Format 32; `nil` stands for `None`.
    case atoms([AtomName?])
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

/// What a property turned out to be when it was read.
struct PropertyHeader: Equatable, Sendable {
  var type: AtomName
  /// 8, 16 or 32 bits a unit.
  var format: Int
  /// Length in bytes on the wire: a format-32 unit counts four, whatever Xlib makes of it.
  var byteCount: Int
}
