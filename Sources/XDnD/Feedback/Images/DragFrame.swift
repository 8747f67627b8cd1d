/// One picture as a part of a frame.
struct DragLayer: Hashable, Sendable {
  /// Which picture, by its place in ``DragArrangement/pictures``.
  var picture: Int
  /// Its middle, in pixels from the anchor.
  var center: Vector
  var scale = 1.0
  var rotation = Rotation.none
  var opacity = 1.0
}

/// What a frame looks like, as data: it is drawn only if it is another one than before.
struct DragLook: Hashable, Sendable {
  /// From the hindmost to the foremost.
  var layers: [DragLayer]
  /// Of all layers together, so that what lies behind another does not shine through.
  var opacity: Double
  /// Not part of the opacity above: a number has to be legible.
  var badge: DragLayer?
}

/// What is on the screen at one moment.
struct DragFrame: Hashable, Sendable {
  /// What the layers are placed about: the pointer, or a place on the way back. Root coordinates.
  var anchor: Point
  var look: DragLook
}

extension DragLook {
  /// Nothing is drawn further from the anchor, in pixels; a frame has an end even if items lie anywhere.
  private static let reach = 2048.0

  /// The frame drawn, no larger than what is in it.
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
