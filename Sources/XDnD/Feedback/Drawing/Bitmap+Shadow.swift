/// A soft drop shadow, from a light above.
struct Shadow: Hashable, Sendable {
  var radius: Int
  /// The downward offset, in pixels.
  var drop: Int
  var opacity: Double

  /// Creates a shadow from lengths in fractional pixels.
  init(radius: Double, drop: Double, opacity: Double) {
    self.radius = Int(radius.rounded())
    self.drop = Int(drop.rounded())
    self.opacity = opacity
  }

  /// The space that the shadow needs on each side of the image, in pixels.
  var margin: Int { radius + drop }
}

extension Bitmap {
  /// Returns the bitmap above its shadow, with ``Shadow/margin`` more pixels on each side, so that its center stays the
  /// center.
  func withShadow(_ shadow: Shadow) -> Bitmap {
    guard !isEmpty, shadow.radius > 0 else { return self }
    var result = Bitmap(width: width + 2 * shadow.margin, height: height + 2 * shadow.margin)
    let blurred = blurredAlpha(margin: shadow.margin, radius: shadow.radius)
    let strength = shadow.opacity.channel
    for y in shadow.drop..<result.height {
      for x in 0..<result.width {
        let alpha = UInt32(blurred[(y - shadow.drop) * result.width + x])
        result.pixels[y * result.width + x] = ((alpha * strength + 127) / 255) << 24
      }
    }
    result.draw(self, at: Point(x: shadow.margin, y: shadow.margin))
    return result
  }

  /// The alpha channel, blurred by three box blurs, which approximate a Gaussian blur.
  private func blurredAlpha(margin: Int, radius: Int) -> [UInt8] {
    let wide = width + 2 * margin
    let high = height + 2 * margin
    var field = [UInt8](repeating: 0, count: wide * high)
    for y in 0..<height {
      for x in 0..<width {
        field[(y + margin) * wide + x + margin] = UInt8(truncatingIfNeeded: pixels[y * width + x] >> 24)
      }
    }
    var line = [UInt8](repeating: 0, count: max(wide, high))
    // Three box blurs of a third of the radius reach exactly as far as the radius.
    for pass in 0..<3 {
      let reach = (radius + pass) / 3
      guard reach > 0 else { continue }
      for y in 0..<high { Self.mean(&field, &line, start: y * wide, stride: 1, count: wide, reach: reach) }
      for x in 0..<wide { Self.mean(&field, &line, start: x, stride: wide, count: high, reach: reach) }
    }
    return field
  }

  private static func mean(
    _ field: inout [UInt8], _ line: inout [UInt8], start: Int, stride: Int, count: Int, reach: Int
  ) {
    field.withUnsafeMutableBufferPointer { field in
      line.withUnsafeMutableBufferPointer { line in
        for index in 0..<count { line[index] = field[start + index * stride] }
        let size = 2 * reach + 1
        var sum = 0
        for index in 0..<min(reach, count) { sum += Int(line[index]) }
        for index in 0..<count {
          if index + reach < count { sum += Int(line[index + reach]) }
          field[start + index * stride] = UInt8(truncatingIfNeeded: (sum + reach) / size)
          if index >= reach { sum -= Int(line[index - reach]) }
        }
      }
    }
  }
}
