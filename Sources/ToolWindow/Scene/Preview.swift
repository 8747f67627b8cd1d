extension Scene {
  /// A preview of dropped content.
  package enum Preview: Hashable, Sendable {
    /// Lines of text; text that does not fit is cut off.
    case text(String)
    /// Lines of text of which the last are shown.
    case output(String)
    /// Styled text in a proportional font; text that does not fit is cut off.
    case styled([TextRun])
    /// A picture, scaled down to fit. Transparent areas show a checkerboard.
    case picture(Picture)
    /// A color and its name. Components are from 0 to 1, not premultiplied.
    case color(red: Double, green: Double, blue: Double, alpha: Double, name: String)
  }
}
