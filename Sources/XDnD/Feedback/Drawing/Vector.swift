/// A place or a way in pixels, with fractions: `x` to the right and `y` down. The middle of the first pixel is at (0.5, 0.5).
typealias Vector = SIMD2<Double>

extension SIMD2<Double> {
  init(_ point: Point) { self.init(Double(point.x), Double(point.y)) }

  var length: Double { (x * x + y * y).squareRoot() }

  func dot(_ other: Vector) -> Double { x * other.x + y * other.y }

  /// The part of the way from here to `end`.
  func mixed(with end: Vector, _ part: Double) -> Vector { self + (end - self) * part }

  /// The nearest whole pixel. What no screen has (X counts in 16 bits) and what is no number is brought into its range.
  var rounded: Point {
    func whole(_ value: Double) -> Int { value.isNaN ? 0 : Int(Swift.max(-1e6, Swift.min(1e6, value)).rounded()) }
    return Point(x: whole(x), y: whole(y))
  }
}

/// A rectangle between pixels.
struct Bounds: Hashable, Sendable {
  var min: Vector
  var max: Vector

  static func around(_ points: [Vector]) -> Bounds {
    guard let first = points.first else { return Bounds(min: .zero, max: .zero) }
    return points.reduce(Bounds(min: first, max: first)) { $0.union(Bounds(min: $1, max: $1)) }
  }

  func union(_ other: Bounds) -> Bounds {
    Bounds(min: pointwiseMin(min, other.min), max: pointwiseMax(max, other.max))
  }

  func expanded(by margin: Double) -> Bounds { Bounds(min: min - margin, max: max + margin) }

  var size: Vector { max - min }
  var center: Vector { (min + max) / 2 }
}

/// A turn about a small angle, as its cosine and sine.
///
/// It is made from the tangent of half the angle, since then both are fractions and no library of mathematics is needed.
struct Rotation: Hashable, Sendable {
  let cosine: Double
  let sine: Double

  static let none = Rotation(halfTangent: 0)

  /// Clockwise on the screen for a positive `halfTangent`; 0.0175 is two degrees.
  init(halfTangent t: Double) {
    cosine = (1 - t * t) / (1 + t * t)
    sine = 2 * t / (1 + t * t)
    self.halfTangent = t
  }

  /// For angles as small as those that are used here, a part of the tangent is a part of the angle.
  func scaled(by factor: Double) -> Rotation { Rotation(halfTangent: halfTangent * factor) }

  private let halfTangent: Double
}
