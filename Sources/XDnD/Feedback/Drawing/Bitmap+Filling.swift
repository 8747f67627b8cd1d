extension Bitmap {
  /// Fills a shape with a colour, with antialiased edges.
  ///
  /// `color` is `0xAARRGGBB`, not premultiplied. Distances are computed only near the edge: a distance of 20 pixels
  /// implies that the next 20 pixels are alike.
  mutating func fill(_ shape: Shape, with color: UInt32) {
    let source = Pixel.premultiplied(color)
    let (columns, rows) = area(of: shape.bounds.expanded(by: 1))
    let width = width
    for y in rows {
      var x = columns.lowerBound
      while x < columns.upperBound {
        let distance = shape.distance(from: Vector(Double(x) + 0.5, Double(y) + 0.5))
        let alike = abs(distance) - 0.5
        // An empty shape is infinitely far away. A NaN distance takes one pixel at a time.
        let run = alike > 1 ? min(Int(min(alike, 32768)), columns.upperBound - x) : 1
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
