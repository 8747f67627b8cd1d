struct DragLayer: Hashable, Sendable {
  /// The image's index in ``DragArrangement/pictures``.
  var picture: Int
  /// The layer's center, in pixels from the anchor.
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
  /// The point that the layers are placed around: the pointer, the drop position, or a point on the way to the origins.
  /// Root coordinates.
  var anchor: Point
  var look: DragLook
}

/// The drawn drag image and its position.
struct DragPicture: Hashable, Sendable {
  var bitmap: Bitmap
  /// The offset of the upper-left corner from the anchor, in pixels.
  var offset: Point
}

extension DragArrangement {
  /// The maximum distance from the anchor at which anything is drawn, in pixels. It bounds the bitmap's size.
  private static let reach = 2048.0

  /// Draws a look into a bitmap that just encloses it.
  func picture(of look: DragLook) -> DragPicture {
    let images = look.layers.filter { $0.opacity > 0 }.map { (layer: $0, picture: pictures[$0.picture]) }
    let badges = look.badge.flatMap { layer in badge.map { [(layer: layer, picture: $0)] } } ?? []
    let visible = images + badges.filter { $0.layer.opacity > 0 }
    guard !visible.isEmpty else { return DragPicture(bitmap: Bitmap(width: 0, height: 0), offset: .zero) }

    let covered = Bounds.around(
      visible.map { layer, picture in
        Bounds.ofRotated(size: picture.size * layer.scale, center: layer.center, rotation: layer.rotation)
      })
    let reach = Vector(repeating: Self.reach)
    let first = covered.min.clamped(lowerBound: -reach, upperBound: reach).rounded(.down)
    let last = covered.max.clamped(lowerBound: first, upperBound: reach).rounded(.up)
    var bitmap = Bitmap(width: Int(last.x - first.x), height: Int(last.y - first.y))
    func draw(_ layer: DragLayer, _ picture: Bitmap) {
      bitmap.draw(
        picture, center: layer.center - first, scale: layer.scale, rotation: layer.rotation, opacity: layer.opacity)
    }
    for (layer, picture) in images { draw(layer, picture) }
    bitmap.fade(to: look.opacity)
    for (layer, picture) in badges { draw(layer, picture) }
    return DragPicture(bitmap: bitmap, offset: first.rounded)
  }
}
