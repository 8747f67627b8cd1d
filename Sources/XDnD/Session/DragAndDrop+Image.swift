extension DragAndDrop {
  /// Captures the current content of a window as a drag image, with its place on the screen as ``DragImage/origin``.
  ///
  /// - Parameters:
  ///   - window: A window of this program or another one. The image shows what is on the screen: it includes windows
  ///     above this one, and lacks the parts off the screen.
  ///   - area: The part to capture, in window-local device pixels; `nil` for the whole window.
  ///   - hotspot: The hot spot, in device pixels from the upper left corner of the area; `nil` for the position of the
  ///     pointer when the drag begins.
  /// - Returns: The image; `nil` if no part of the area is on the screen.
  public func image(ofWindow window: WindowID, area: Rect? = nil, hotspot: Point? = nil) -> DragImage? {
    guard let picture = reactor.system.picture(of: window, area) else { return nil }
    // The captured part may begin further right or further down than the area.
    let (start, part) = (area?.origin ?? Point(x: 0, y: 0), picture.part)
    let spot = hotspot.map { Point(x: $0.x + start.x - part.origin.x, y: $0.y + start.y - part.origin.y) }
    return DragImage(picture.bitmap, hotspot: spot, origin: picture.place)
  }

  /// The default preview of items, with a drawn sheet of paper for each item without an image.
  func automaticPreview(of items: [DragItem]) -> DragPreview {
    let scale = reactor.system.settings.scale
    let count = items.reduce(0) { $0 + $1.count }
    let drawn = DragPreview.default(count: count, scale: scale)
    guard items.contains(where: { $0.preview != nil }), let sheet = drawn.images.first else { return drawn }
    return DragPreview(images: items.map { $0.preview ?? sheet }, badge: drawn.badge, scale: scale)
  }

  /// The appearance of a drag; `nil` if ``Configuration/showsDragImages`` is off.
  func appearance(of drag: DragSession) -> DragAppearance? {
    guard configuration.showsDragImages else { return nil }
    return DragAppearance(
      preview: drag.preview, origins: drag.origins, reducesMotion: configuration.reducesMotion,
      returnsOnFailure: drag.animatesToStartingPositionsOnCancelOrFail,
      animationSpeed: configuration.animationSpeed)
  }
}

extension DragItem {
  /// How many things the badge counts. A list of files is a single item.
  fileprivate var count: Int { (value as? FileList).map { max(1, $0.uris.count) } ?? 1 }
}
