/// A point or displacement in fractional pixels: `x` to the right, `y` down. The center of the first pixel is (0.5,
/// 0.5).
typealias Vector = SIMD2<Double>

extension SIMD2<Double> {
  init(_ point: Point) { self.init(Double(point.x), Double(point.y)) }

  var length: Double { (x * x + y * y).squareRoot() }

  func dot(_ other: Vector) -> Double { x * other.x + y * other.y }

  func mixed(with end: Vector, _ part: Double) -> Vector { self + (end - self) * part }

  /// The nearest whole pixel, clamped to ±1,000,000 (X has 16-bit coordinates); NaN becomes 0.
  var rounded: Point {
    func whole(_ value: Double) -> Int { value.isNaN ? 0 : Int(Swift.max(-1e6, Swift.min(1e6, value)).rounded()) }
    return Point(x: whole(x), y: whole(y))
  }
}

struct Bounds: Hashable, Sendable {
  var min: Vector
  var max: Vector

  static func around(_ points: [Vector]) -> Bounds { around(points.map { Bounds(min: $0, max: $0) }) }

  /// The bounds of all parts; empty at the origin if there are none.
  static func around(_ parts: [Bounds]) -> Bounds {
    parts.dropFirst().reduce(parts.first ?? Bounds(min: .zero, max: .zero)) { $0.union($1) }
  }

  static func ofRotated(size: Vector, center: Vector, rotation: Rotation = .none) -> Bounds {
    let (cosine, sine) = (abs(rotation.cosine), abs(rotation.sine))
    let half = Vector(size.x * cosine + size.y * sine, size.x * sine + size.y * cosine) / 2
    return Bounds(min: center - half, max: center + half)
  }

  func union(_ other: Bounds) -> Bounds {
    Bounds(min: pointwiseMin(min, other.min), max: pointwiseMax(max, other.max))
  }

  func expanded(by margin: Double) -> Bounds { Bounds(min: min - margin, max: max + margin) }

  var size: Vector { max - min }
  var center: Vector { (min + max) / 2 }
}

/// A rotation by a small angle, as its cosine and sine.
///
/// Both are computed from the tangent of half the angle, as rational functions that need no math library.
struct Rotation: Hashable, Sendable {
  static let none = Rotation(halfTangent: 0)

  let cosine: Double
  let sine: Double
  private let halfTangent: Double

  /// Creates a rotation, clockwise on the screen for a positive `halfTangent`; 0.0175 is two degrees.
  init(halfTangent t: Double) {
    cosine = (1 - t * t) / (1 + t * t)
    sine = 2 * t / (1 + t * t)
    self.halfTangent = t
  }

  /// Interpolates to another angle. For the small angles used here, the tangent is proportional to the angle.
  func mixed(with end: Rotation, _ part: Double) -> Rotation {
    Rotation(halfTangent: halfTangent * (1 - part) + end.halfTangent * part)
  }
}
