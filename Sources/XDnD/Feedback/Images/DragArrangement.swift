/// A preview prepared for drawing: its bitmaps in their final size, and their positions around the pointer.
struct DragArrangement: Sendable {
  /// The bitmaps to draw, in their final size, with shadows.
  private(set) var pictures: [Bitmap] = []
  /// The pictures' sizes without shadows, in pixels.
  private(set) var sizes: [Vector] = []
  /// The pictures' indexes in the preview's images.
  private(set) var items: [Int] = []
  /// The look while no animation runs; its anchor is the pointer.
  private(set) var resting = DragLook(layers: [], opacity: 1, badge: nil)
  private(set) var badge: Bitmap?
  let formation: DragFormation
  let scale: Double
  private let isAboveFinger: Bool

  /// The upper-right corner of the front image, or of the top row of a list, in pixels from the anchor. The badge sits
  /// on it.
  private var badgeCorner = Vector.zero
  private let imageCount: Int

  /// - Parameter pointer: The pointer's position when the drag began, in root coordinates, which determines where the
  ///   pointer holds the images.
  init(_ preview: DragPreview, pointer: Point) {
    let pointer = pointer.onRoot
    var preview = preview
    for index in preview.images.indices { preview.images[index].origin = preview.images[index].origin?.onRoot }
    let indices = preview.images.indices.filter { !preview.images[$0].bitmap.isEmpty }
    imageCount = preview.images.count
    scale = preview.scale
    isAboveFinger = preview.isAboveFinger
    let wanted = Self.formation(preview.formation, of: indices.map { preview.images[$0].bitmap })
    // Without blending, rotated edges would be jagged.
    formation = wanted == .pile && !preview.isBlended ? .stack : wanted
    resting.opacity = preview.opacity
    guard !indices.isEmpty else { return }

    // The held image is the one under the pointer or nearest to it; without origins, the first. It is in front, and the
    // others are arranged around it.
    let distances = preview.images.map { $0.origin?.distance(to: pointer) ?? .infinity }
    let held = indices.min { distances[$0] < distances[$1] } ?? indices[0]
    let longest = Int(min(preview.maximumSize * scale, 2048))
    let chosen = Self.chosen(formation, from: indices, held: held) { preview.images[$0].origin != nil }
    let unseen = chosen.count - Self.limit(formation)
    // The shadows of stacked images add up.
    let isDeep = chosen.count > 1 && (formation == .pile || formation == .stack)
    let shadow = Shadow(radius: 7 * scale, drop: 2 * scale, opacity: isDeep ? 0.26 : 0.42)
    for (depth, index) in chosen.enumerated() {
      let bitmap = preview.images[index].bitmap.fitted(into: longest)
      items.append(index)
      sizes.append(bitmap.size)
      pictures.append(preview.hasShadow && preview.isBlended && depth >= unseen ? bitmap.withShadow(shadow) : bitmap)
    }
    let front = items.firstIndex(of: held) ?? 0
    let center = Self.center(of: preview.images[held], size: sizes[front], pointer: pointer)
    resting.layers = layers(about: center, front: front, origins: items.map { preview.images[$0].origin }, pointer)
    if isAboveFinger { raise() }
    for index in 0..<max(0, unseen) { resting.layers[index].opacity = 0 }
    if formation == .list, chosen.last != indices.last {
      // Not all rows are drawn: the last ones fade.
      for (index, opacity) in zip(items.indices.suffix(3), [0.75, 0.5, 0.25]) {
        resting.layers[index].opacity = opacity
      }
    }
    badgeCorner = corner(front: front)
    setBadge(preview.badge)
  }

  mutating func setBadge(_ badge: DragBadge) {
    let count =
      switch badge {
      case .automatic: imageCount > 1 ? imageCount : 0
      case .count(let count): count
      case .none: 0
      }
    guard !resting.layers.isEmpty, let drawing = BadgeDrawing(count: count, scale: scale) else {
      self.badge = nil
      resting.badge = nil
      return
    }
    self.badge = drawing.bitmap
    // The right end stays in place for any number of digits; whole pixels keep the digits sharp.
    let height = Double(drawing.frame.height)
    let end = badgeCorner + Vector(height * 0.4, -height * 0.4)
    let origin = Vector(end.x - Double(drawing.frame.width), end.y).rounded(.toNearestOrAwayFromZero)
    let margin = Vector(drawing.frame.origin)
    resting.badge = DragLayer(picture: 0, center: origin - margin + drawing.bitmap.size / 2)
  }

  /// Whether the resting images are larger than a mark under the pointer, in either direction.
  func covers(_ mark: Rect) -> Bool {
    let size = extent.size
    return size.x > Double(mark.width) || size.y > Double(mark.height)
  }

  /// The look that makes way for a mark under the pointer: small, and at the lower right of the cursor or above the
  /// finger.
  var aside: DragLook {
    let extent = extent
    let factor = min(1, Self.longestAside * scale / max(extent.size.x, extent.size.y, 1))
    let fixed = isAboveFinger ? Vector(extent.center.x, extent.max.y) : extent.min
    let place = isAboveFinger ? fixed : (Self.cornerAside * scale).rounded(.toNearestOrAwayFromZero)
    var look = resting
    for index in look.layers.indices {
      look.layers[index].center = place + (resting.layers[index].center - fixed) * factor
      look.layers[index].scale *= factor
    }
    // The badge keeps its size, so that the number stays legible.
    look.badge?.center += place + (badgeCorner - fixed) * factor - badgeCorner
    return look
  }

  /// The maximum length of the longer side of ``aside``, in points.
  private static let longestAside = 160.0
  /// The upper-left corner of ``aside`` in points from the pointer, clear of the cursor and its symbol.
  private static let cornerAside = Vector(22, 26)

  /// The bounds of the resting images without their shadows, in pixels from the anchor.
  private var extent: Bounds {
    .around(
      zip(resting.layers, sizes).filter { $0.0.opacity > 0 }.map { layer, size in
        .ofRotated(size: size, center: layer.center, rotation: layer.rotation)
      })
  }

  /// The number of layers at the back that are hidden at rest, and visible only on the way from and to their places.
  var unseenCount: Int { resting.layers.prefix { $0.opacity == 0 }.count }

  /// Appends the bitmap of the cloud into which disappearing items turn.
  mutating func addCloud() {
    if pictures.count == items.count { pictures.append(.puff(scale: scale)) }
  }
}

// MARK: Layout

extension DragArrangement {
  /// The maximum number of images that ``DragFormation/automatic`` arranges as a list. A longer list would cover its
  /// target.
  private static let longestList = 4

  /// The maximum number of images that fly to a pile or stack and back, each from its own place.
  private static let mostFlying = 16

  /// The maximum number of images that are visible at rest. Deeper ones in a pile are invisible, and the badge counts
  /// them.
  private static func limit(_ formation: DragFormation) -> Int {
    switch formation {
    case .pile: 5
    case .stack: 4
    case .list: 8
    case .none, .automatic: 32
    }
  }

  private static func formation(_ wanted: DragFormation, of images: [Bitmap]) -> DragFormation {
    guard images.count > 1 else { return .none }
    guard wanted == .automatic else { return wanted }
    // Rows, such as names and messages, are at least three times as wide as high; icons and thumbnails are not.
    return images.count <= longestList && images.allSatisfy { $0.width >= 3 * $0.height } ? .list : .pile
  }

  /// The indexes of the images to draw, from back to front; in a list, from top to bottom.
  ///
  /// - Parameter hasPlace: Whether an image comes from a place on the screen. Such images fly to a pile even if it
  ///   hides them.
  private static func chosen(
    _ formation: DragFormation, from indices: [Int], held: Int, hasPlace: (Int) -> Bool
  ) -> [Int] {
    let limit = limit(formation)
    if formation == .list {
      let position = indices.firstIndex(of: held) ?? 0
      return Array(indices.dropFirst(min(position, max(0, indices.count - limit))).prefix(limit))
    }
    let others = indices.filter { $0 != held }
    let unseen = others.dropFirst(limit - 1).filter(hasPlace).prefix(max(0, mostFlying - limit))
    return ([held] + others.prefix(limit - 1) + unseen).reversed()
  }

  /// The center of the held image, relative to the pointer.
  private static func center(of image: DragImage, size: Vector, pointer: Point) -> Vector {
    var grip = size / 2
    if let hotspot = image.hotspot {
      let limit = Vector(repeating: 4096)
      grip = (Vector(hotspot) * size / image.bitmap.size).clamped(lowerBound: -limit, upperBound: limit)
    } else if let origin = image.origin, origin.contains(pointer) {
      grip = (Vector(pointer) - Vector(origin.origin)) * size / Vector(Double(origin.width), Double(origin.height))
    }
    return size / 2 - grip.rounded(.toNearestOrAwayFromZero)
  }

  private func layers(about center: Vector, front: Int, origins: [Rect?], _ pointer: Point) -> [DragLayer] {
    let corner = center - sizes[front] / 2
    var top = corner.y
    if formation == .list { top -= (0..<front).reduce(0) { $0 + sizes[$1].y + gap } }
    return sizes.indices.map { index in
      let size = sizes[index]
      let depth = min(front - index, Self.limit(formation) - 1)
      var layer = DragLayer(picture: index, center: center)
      switch formation {
      case .pile:
        // Each image is rotated differently, and large ones less, because their ends move farther.
        let turns = [0, -0.09, 0.08, -0.045, 0.13]
        let share = min(1, 90 * scale / max(size.x, size.y, 1))
        layer.rotation = Rotation(halfTangent: turns[depth] * share)
      case .stack:
        layer.center = corner + (Double(depth) * (6 * scale)).rounded() + size / 2
      case .list:
        layer.center = Vector(corner.x, top) + size / 2
        top += size.y + gap
      case .none, .automatic:
        if index != front, let origin = origins[index] { layer.center = origin.center - Vector(pointer) }
      }
      // An unrotated image must begin at a whole pixel, or it would be blurred.
      if layer.rotation == .none {
        layer.center = (layer.center - size / 2).rounded(.toNearestOrAwayFromZero) + size / 2
      }
      return layer
    }
  }

  /// Half of a fingertip, and a gap, in points.
  private static let fingerRadius = 24.0

  /// Moves the images up, so that all of them end above the finger at the anchor.
  private mutating func raise() {
    let bottoms = zip(resting.layers, sizes).map { layer, size in
      Bounds.ofRotated(size: size, center: layer.center, rotation: layer.rotation).max.y
    }
    let distance = ((bottoms.max() ?? 0) + Self.fingerRadius * scale).rounded(.up)
    guard distance > 0 else { return }
    for index in resting.layers.indices { resting.layers[index].center.y -= distance }
  }

  private var gap: Double { (3 * scale).rounded() }

  private func corner(front: Int) -> Vector {
    let first = formation == .list ? 0 : front
    let bounds = Bounds.ofRotated(size: sizes[first], center: resting.layers[first].center)
    return Vector(bounds.max.x, bounds.min.y)
  }
}

extension Point {
  /// The point clamped to the 16-bit coordinates of X.
  var onRoot: Point { Point(x: min(max(x, -32768), 32767), y: min(max(y, -32768), 32767)) }
}

extension Rect {
  var onRoot: Rect {
    Rect(x: origin.onRoot.x, y: origin.onRoot.y, width: min(width, 32767), height: min(height, 32767))
  }

  var center: Vector { Vector(origin) + Vector(Double(width), Double(height)) / 2 }

  /// The distance of a pixel from the nearest pixel of the rectangle; 0 inside.
  fileprivate func distance(to point: Point) -> Double {
    let (first, last) = (Vector(origin), Vector(Double(maxX - 1), Double(maxY - 1)))
    return (Vector(point) - pointwiseMin(pointwiseMax(Vector(point), first), last)).length
  }
}
