extension Unicode.Scalar {
  /// Whether it is no text but has power over what shows it: a control of either block, which terminals obey, the end of a line, or
  /// what turns the order of text around (`Bidi_Control`).
  public var isControl: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
    // The common ones need no table.
    case 0x20...0x7E: false
    default: properties.isBidiControl
    }
  }
}
