extension Bitmap {
  /// Lays a shape of one colour over the picture, with a smooth edge.
  ///
  /// `color` is `0xAARRGGBB` and not premultiplied. Only the pixels near the edge are computed: a distance of 20 pixels says
  /// that the next 20 are like this one.
  mutating func fill(_ shape: Shape, with color: UInt32) {
    let source = Pixel.premultiplied(color)
    let bounds = shape.bounds.expanded(by: 1)
    let first = bounds.min.rounded
    let last = bounds.max.rounded
    let left = max(0, first.x)
    let right = min(width, last.x + 1)
    let width = width
    guard left < right else { return }
    for y in max(0, first.y)..<max(max(0, first.y), min(height, last.y + 1)) {
      var x = left
      while x < right {
        let distance = shape.distance(from: Vector(Double(x) + 0.5, Double(y) + 0.5))
        let alike = abs(distance) - 0.5
        // A shape of nothing is infinitely far away, and one of no numbers is at no distance.
        let run = alike > 1 ? min(Int(min(alike, 32768)), right - x) : 1
        let coverage = min(max(0.5 - distance, 0), 1)
        if coverage > 0 {
          let pixel = coverage == 1 ? source : Pixel.scaled(source, by: coverage.channel)
          let start = y * width + x
          for index in start..<start + run { pixels[index] = Pixel.over(pixel, pixels[index]) }
        }
        x += run
      }
    }
  }
}
