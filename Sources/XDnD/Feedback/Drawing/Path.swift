/// Lines and cubic Bézier curves, flattened to line segments.
struct Path: Hashable, Sendable {
  private(set) var lines: [[Vector]] = []

  /// Segments per curve: enough for curves of up to about 40 pixels, the largest that are drawn here.
  private static let segments = 12

  mutating func move(to point: Vector) { lines.append([point]) }

  /// Appends line segments as a separate subpath.
  mutating func polyline(_ points: Vector...) { lines.append(points) }

  mutating func line(to point: Vector) {
    if lines.isEmpty { move(to: point) } else { lines[lines.count - 1].append(point) }
  }

  /// Appends a cubic curve from the current point, with two control points.
  mutating func curve(to end: Vector, _ first: Vector, _ second: Vector) {
    let start = lines.last?.last ?? first
    for step in 1...Self.segments {
      let t = Double(step) / Double(Self.segments)
      let s = 1 - t
      let near = start * (s * s * s) + first * (3 * s * s * t)
      line(to: near + second * (3 * s * t * t) + end * (t * t * t))
    }
  }

  /// Appends an ellipse as a separate subpath.
  mutating func ellipse(center: Vector, radii: Vector) {
    let x = Vector(radii.x, 0)
    let y = Vector(0, radii.y)
    // The length of a cubic curve's handles, as a fraction of the radius, that approximates a quarter circle to within
    // a thousandth.
    let k = 0.5523
    move(to: center + x)
    curve(to: center + y, center + x + y * k, center + y + x * k)
    curve(to: center - x, center + y - x * k, center - x + y * k)
    curve(to: center - y, center - x - y * k, center - y - x * k)
    curve(to: center + x, center - y + x * k, center + x - y * k)
  }

  func mapped(_ transform: (Vector) -> Vector) -> Path {
    var result = self
    result.lines = lines.map { $0.map(transform) }
    return result
  }

  /// The distance from `place` to the nearest point of the path, in pixels.
  func distance(from place: Vector) -> Double {
    var nearest = Double.infinity
    for line in lines {
      if line.count == 1 { nearest = min(nearest, (place - line[0]).dot(place - line[0])) }
      for (start, end) in zip(line, line.dropFirst()) {
        nearest = min(nearest, Shape.squaredDistance(from: place, toSegment: start, end))
      }
    }
    return nearest.squareRoot()
  }

  var bounds: Bounds { Bounds.around(lines.flatMap { $0 }) }
}
