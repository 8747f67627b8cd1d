/// A shape, defined by its signed distance function: the distance of a point from its edge, negative inside.
///
/// A pixel's coverage follows from the distance of its center, so edges are smooth at any scale without supersampling.
/// No distance may exceed the true one: filling relies on this to skip pixels that look alike.
indirect enum Shape: Hashable, Sendable {
  case circle(center: Vector, radius: Double)
  case roundedRectangle(Bounds, radius: Double)
  /// A line with round caps.
  case capsule(from: Vector, to: Vector, radius: Double)
  /// A closed polygon, filled by the even-odd rule.
  case polygon([Vector])
  /// A path drawn with a round pen.
  case stroke(Path, width: Double)
  case union([Shape])
  /// A shape expanded on all sides, with round corners; contracted if `by` is negative.
  case expansion(Shape, by: Double)

  /// The distance from `place` to the edge in pixels, negative inside.
  func distance(from place: Vector) -> Double {
    switch self {
    case .circle(let center, let radius):
      return (place - center).length - radius
    case .roundedRectangle(let bounds, let radius):
      let half = bounds.size / 2
      let corner = Swift.min(radius, half.x, half.y)
      let from = place - bounds.center
      let beyond = Vector(abs(from.x), abs(from.y)) - half + corner
      let outside = pointwiseMax(beyond, .zero).length
      return outside + min(max(beyond.x, beyond.y), 0) - corner
    case .capsule(let from, let to, let radius):
      return Self.squaredDistance(from: place, toSegment: from, to).squareRoot() - radius
    case .polygon(let corners):
      return Self.distance(from: place, toPolygon: corners)
    case .stroke(let path, let width):
      return path.distance(from: place) - width / 2
    case .union(let parts):
      return parts.reduce(.infinity) { min($0, $1.distance(from: place)) }
    case .expansion(let shape, let margin):
      return shape.distance(from: place) - margin
    }
  }

  /// An enclosing rectangle; not always the smallest.
  var bounds: Bounds {
    switch self {
    case .circle(let center, let radius): Bounds(min: center, max: center).expanded(by: radius)
    case .roundedRectangle(let bounds, _): bounds
    case .capsule(let from, let to, let radius): Bounds.around([from, to]).expanded(by: radius)
    case .polygon(let corners): Bounds.around(corners)
    case .stroke(let path, let width): path.bounds.expanded(by: width / 2)
    case .union(let parts): Bounds.around(parts.map(\.bounds))
    case .expansion(let shape, let margin): shape.bounds.expanded(by: margin)
    }
  }

  @inline(__always)
  static func squaredDistance(from place: Vector, toSegment start: Vector, _ end: Vector) -> Double {
    let along = end - start
    let from = place - start
    let squaredLength = along.dot(along)
    let part = squaredLength > 0 ? min(max(from.dot(along) / squaredLength, 0), 1) : 0
    let away = from - along * part
    return away.dot(away)
  }

  private static func distance(from place: Vector, toPolygon corners: [Vector]) -> Double {
    guard var previous = corners.last else { return .infinity }
    var nearest = Double.infinity
    var isInside = false
    for corner in corners {
      nearest = min(nearest, squaredDistance(from: place, toSegment: previous, corner))
      // The edge crosses the horizontal ray to the right: toggle inside.
      if (corner.y > place.y) != (previous.y > place.y) {
        let crossing = corner.x + (place.y - corner.y) / (previous.y - corner.y) * (previous.x - corner.x)
        if place.x < crossing { isInside.toggle() }
      }
      previous = corner
    }
    return isInside ? -nearest.squareRoot() : nearest.squareRoot()
  }
}
