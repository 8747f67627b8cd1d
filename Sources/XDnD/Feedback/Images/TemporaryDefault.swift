extension DragPreview {
  /// What is shown if an application has no pictures of its own.
  public static func `default`(count: Int, scale: Double = 1) -> DragPreview {
    var sheet = Bitmap(width: 44, height: 56)
    sheet.pixels = sheet.pixels.map { _ in 0xFFFD_FDFE }
    return DragPreview(
      images: Array(repeating: DragImage(sheet), count: min(max(1, count), 3)), formation: .pile,
      badge: count > 1 ? .count(count) : .none, opacity: 0.95, scale: scale)
  }
}
