extension DragPreview {
  /// The default preview of items, with a drawn sheet of paper for each item without an image.
  static func automatic(for items: [DragItem], scale: Double) -> DragPreview {
    let count = items.reduce(0) { $0 + $1.count }
    let drawn = DragPreview.default(count: count, scale: scale)
    guard items.contains(where: { $0.preview != nil }), let sheet = drawn.images.first else { return drawn }
    return DragPreview(images: items.map { $0.preview ?? sheet }, badge: drawn.badge, scale: scale)
  }
}

extension DragItem {
  /// The item's share of the count in the badge: the number of files in a list of files, or else 1.
  var count: Int { (value as? FileList).map { max(1, $0.uris.count) } ?? 1 }
}
