extension Scene {
  /// A preview of dropped or selected content, in a pane beside the list, or below it in a tall window.
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
    /// A list of files; rows that do not fit are cut off.
    case files([Row])
  }
}

/// Divides the space of the list between the list and the preview.
enum PreviewLayout {
  static let gap = 8.0
  /// The minimum width of a list with a preview beside it: enough for the name and the details of most rows.
  static let narrowestList = 280.0

  /// - Returns: The rectangles of the list and of the preview pane.
  static func split(_ view: Box) -> (list: Box, preview: Box?) {
    var (list, preview) = (view, view)
    // Beside the list in a window that is wider than high.
    if view.width >= 2 * narrowestList + gap && view.width > view.height * 1.2 {
      list.width = max(0, ((view.width - gap) / 2).rounded())
      preview.x = list.maxX + gap
      preview.width = max(0, view.maxX - preview.x)
    } else {
      list.height = max(0, ((view.height - gap) / 2).rounded())
      preview.y = list.maxY + gap
      preview.height = max(0, view.maxY - preview.y)
    }
    return (list, preview)
  }
}
