extension DragAndDrop {
  /// What a window shows now, as an image to drag; with its place on the screen as ``DragImage/origin``.
  ///
  /// - Parameters:
  ///   - window: Of this program or another one. What covers it is in the picture, and what is off the screen is not.
  ///   - area: A part of it, in the window's coordinates; `nil` for all of it.
  ///   - hotspot: Where the pointer holds it, in pixels from the upper left corner of the area; `nil` for where the
  ///     pointer is when the drag begins.
  /// - Returns: `nil` if nothing of it is on the screen.
  public func image(ofWindow window: WindowID, area: Rect? = nil, hotspot: Point? = nil) -> DragImage? {
    guard let picture = reactor.system.picture(of: window, area) else { return nil }
    // What is off the screen may be missing at the left and at the top.
    let (start, part) = (area?.origin ?? Point(x: 0, y: 0), picture.part)
    let spot = hotspot.map { Point(x: $0.x + start.x - part.origin.x, y: $0.y + start.y - part.origin.y) }
    return DragImage(picture.bitmap, hotspot: spot, origin: picture.place)
  }

  /// What the items look like by themselves: a sheet of paper stands for one that has no image.
  func automaticPreview(of items: [DragItem]) -> DragPreview {
    let scale = reactor.system.settings.scale
    let count = items.reduce(0) { $0 + $1.count }
    let drawn = DragPreview.default(count: count, scale: scale)
    guard items.contains(where: { $0.preview != nil }), let sheet = drawn.images.first else { return drawn }
    return DragPreview(images: items.map { $0.preview ?? sheet }, badge: drawn.badge, scale: scale)
  }

  /// `nil` if drags have no images.
  func appearance(of drag: DragSession) -> DragAppearance? {
    guard configuration.showsDragImages else { return nil }
    return DragAppearance(
      preview: drag.preview, origins: drag.origins, reducesMotion: configuration.reducesMotion,
      returnsOnFailure: drag.animatesToStartingPositionsOnCancelOrFail,
      animationSpeed: configuration.animationSpeed)
  }
}

extension DragItem {
  /// How many things the user sees in it: a list of files is one item on the wire only.
  fileprivate var count: Int { (value as? FileList).map { max(1, $0.uris.count) } ?? 1 }
}
