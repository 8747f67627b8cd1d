extension Unicode.Scalar {
  /// Whether the scalar controls how text is displayed: a C0 or C1 control or DEL, which terminals obey, a line or
  /// paragraph separator, or a bidirectional formatting character (`Bidi_Control`).
  public var isControl: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
    // A fast path that needs no table.
    case 0x20...0x7E: false
    default: properties.isBidiControl
    }
  }
}
