extension Scene {
  /// What something is that has no room in a row: shown in a pane beside the list, or below it in a high window.
  public enum Preview: Hashable, Sendable {
    /// Several lines; what does not fit is cut.
    case text(String)
    /// Scaled down to fit, over a chessboard where one can look through it.
    case picture(Picture)
    /// Each part from 0 to 1, not premultiplied; the name is for people.
    case color(red: Double, green: Double, blue: Double, alpha: Double, name: String)
    /// A list; what does not fit is cut.
    case files([Row])
  }
}

/// How the room for the list is shared with a preview.
enum PreviewLayout {
  static let gap = 8.0

  /// - Returns: What is left for the list, and the pane.
  static func split(_ view: Box) -> (list: Box, preview: Box) {
    var (list, preview) = (view, view)
    if isBeside(view) {
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

  /// In a window that is wider than high there is more room beside the list.
  private static func isBeside(_ view: Box) -> Bool { view.width >= 360 && view.width > view.height * 1.2 }
}
