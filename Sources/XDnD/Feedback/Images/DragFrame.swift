/// One image in a frame.
struct DragLayer: Hashable, Sendable {
  /// The image's index in ``DragArrangement/pictures``.
  var picture: Int
  /// Its center, in pixels from the anchor.
  var center: Vector
  var scale = 1.0
  var rotation = Rotation.none
  var opacity = 1.0
}

/// A frame's contents as data. It is drawn only if it differs from the previous frame.
struct DragLook: Hashable, Sendable {
  /// From back to front.
  var layers: [DragLayer]
  /// The opacity of all layers together, so that layers behind others do not shine through.
  var opacity: Double
  /// The badge, which keeps its own opacity, so that the number stays legible.
  var badge: DragLayer?
}

/// The contents and position of the drag image at one moment.
struct DragFrame: Hashable, Sendable {
  /// The point that the layers are placed around: the pointer, or a point on the way back. Root coordinates.
  var anchor: Point
  var look: DragLook
}

extension DragLook {
  /// The maximum distance from the anchor to draw, in pixels: a bound on the bitmap's size, wherever items lie.
  private static let reach = 2048.0

  /// Draws the frame into a bitmap that just encloses its contents.
  func drawn(with pictures: [Bitmap], badge badgePicture: Bitmap?) -> DragPicture {
    var covered: Bounds?
    func cover(_ layer: DragLayer, _ picture: Bitmap) {
      guard layer.opacity > 0 else { return }
      let bounds = Bounds.ofRotated(size: picture.size * layer.scale, center: layer.center, rotation: layer.rotation)
      covered = covered?.union(bounds) ?? bounds
    }
    for layer in layers { cover(layer, pictures[layer.picture]) }
    if let badge, let badgePicture { cover(badge, badgePicture) }
    guard let covered else { return DragPicture(bitmap: Bitmap(width: 0, height: 0), offset: Point(x: 0, y: 0)) }

    let first = covered.min.clamped(lowerBound: .init(repeating: -Self.reach), upperBound: .init(repeating: Self.reach))
      .rounded(.down)
    let last = covered.max.clamped(lowerBound: first, upperBound: .init(repeating: Self.reach)).rounded(.up)
    var bitmap = Bitmap(width: Int(last.x - first.x), height: Int(last.y - first.y))
    for layer in layers { bitmap.draw(layer, pictures[layer.picture], origin: first) }
    bitmap.fade(to: opacity)
    if let badge, let badgePicture { bitmap.draw(badge, badgePicture, origin: first) }
    return DragPicture(bitmap: bitmap, offset: first.rounded)
  }
}

extension Bitmap {
  fileprivate mutating func draw(_ layer: DragLayer, _ picture: Bitmap, origin: Vector) {
    draw(
      picture, center: layer.center - origin, scale: layer.scale, rotation: layer.rotation, opacity: layer.opacity)
  }
}
