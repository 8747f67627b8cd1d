/// The symbol beside a cursor's arrow that shows the effect of a drop.
///
/// Symbols differ in shape and not only in colour: one man in twelve cannot tell red from green.
extension CursorShape {
  private static let white: UInt32 = 0xFFFF_FFFF
  /// The radius of the disc without its edge, in 24ths of the nominal size.
  private static let radius = 5.0

  /// Draws the symbol.
  ///
  /// - Parameters:
  ///   - tip: The tip of the arrow.
  ///   - unit: A 24th of the nominal size, in pixels.
  func drawBadge(on picture: inout Bitmap, tip: Vector, unit: Double) {
    // The strokes' width, in whole pixels.
    let stroke = max(1, (1.7 * unit).rounded())
    // Aligns lines to whole pixels, so that they are sharp.
    let center = (tip + 15.5 * unit - stroke / 2).rounded(.toNearestOrEven) + stroke / 2
    func at(_ x: Double, _ y: Double) -> Vector { center + Vector(x, y) * unit }
    func disc(_ radius: Double, _ color: UInt32) {
      picture.fill(.circle(center: center, radius: radius * unit), with: color)
    }
    if let color = badgeColor {
      disc(Self.radius + max(1 / unit, 1), Self.white)
      disc(Self.radius, color)
    }
    switch self {
    case .copy:
      let arm = (2.9 * unit).rounded()
      for half in [Vector(arm + stroke / 2, stroke / 2), Vector(stroke / 2, arm + stroke / 2)] {
        picture.fill(
          .roundedRectangle(Bounds(min: center - half, max: center + half), radius: stroke / 4), with: Self.white)
      }
    case .move:
      let head = Shape.polygon([at(0.2, -2.7), at(3.4, 0), at(0.2, 2.7)])
      let shaft = Shape.capsule(from: at(-2.7, 0), to: at(0.5, 0), radius: stroke / 2)
      picture.fill(.union([.expansion(head, by: 0.2 * unit), shaft]), with: Self.white)
    case .link:
      var path = Path()
      path.move(to: at(-2.5, 2.6))
      path.curve(to: at(0.4, -0.9), at(-2.5, 0.4), at(-1.5, -0.9))
      let head = Shape.polygon([at(0.2, -3.3), at(3.3, -0.9), at(0.2, 1.5)])
      picture.fill(.union([.expansion(head, by: 0.2 * unit), .stroke(path, width: stroke)]), with: Self.white)
    case .ask:
      var path = Path()
      path.move(to: at(-1.7, -1.6))
      path.curve(to: at(0, -3.2), at(-1.7, -2.6), at(-1, -3.2))
      path.curve(to: at(1.7, -1.6), at(1, -3.2), at(1.7, -2.6))
      path.curve(to: at(0, 0.9), at(1.7, -0.3), at(0, -0.4))
      let dot = Shape.circle(center: at(0, 3.0), radius: 0.9 * unit)
      picture.fill(.union([.stroke(path, width: 1.45 * unit), dot]), with: Self.white)
    case .notAllowed:
      disc(Self.radius - 1.7, Self.white)
      let end = (Self.radius - 1) / 2.0.squareRoot()
      picture.fill(.capsule(from: at(-end, -end), to: at(end, end), radius: 0.85 * unit), with: 0xFFD9_2D20)
    case .disappearing:
      let puffs: [(x: Double, y: Double, radius: Double)] = [
        (-3.4, 1.2, 2.4), (-1.6, -2.2, 2.5), (2.0, -2.0, 2.7), (3.9, 1.2, 2.3), (0.3, 2.4, 2.9), (0.2, 0, 2.5),
      ]
      let cloud = Shape.union(puffs.map { .circle(center: at($0.x, $0.y), radius: $0.radius * unit) })
      picture.fill(.expansion(cloud, by: max(1, unit)), with: 0xFF6B_7280)
      picture.fill(cloud, with: Self.white)
    case .dragging: break
    }
  }

  private var badgeColor: UInt32? {
    switch self {
    case .copy: 0xFF1F_9D44
    case .move: 0xFF1F_6FEB
    case .link: 0xFF7A_4FD0
    case .ask: 0xFFD9_7706
    case .notAllowed: 0xFFD9_2D20
    case .disappearing, .dragging: nil
    }
  }
}
