extension Bitmap {
  /// Composites another bitmap over this one, pixel by pixel, with its upper-left corner at `origin`.
  mutating func draw(_ source: Bitmap, at origin: Point, opacity: Double = 1) {
    let factor = opacity.channel
    let columns = (0..<source.width).clamped(to: -origin.x..<width - origin.x)
    let rows = (0..<source.height).clamped(to: -origin.y..<height - origin.y)
    guard factor > 0, !columns.isEmpty, !rows.isEmpty else { return }
    let width = width
    source.pixels.withUnsafeBufferPointer { source_ in
      pixels.withUnsafeMutableBufferPointer { target in
        for row in rows {
          let from = row * source.width
          let to = (row + origin.y) * width + origin.x
          for column in columns {
            Pixel.draw(source_[from + column], opacity: factor, on: &target[to + column])
          }
        }
      }
    }
  }

  /// Composites another bitmap over this one, scaled and rotated, with its center at `center`.
  ///
  /// Pixels are interpolated bilinearly, and the source is transparent beyond its edges, so edges are smooth at any
  /// angle. Below a scale of 0.5, pixels are skipped; there, use ``scaled(toWidth:height:)``.
  mutating func draw(
    _ source: Bitmap, center: Vector, scale: Double, rotation: Rotation = .none, opacity: Double = 1
  ) {
    guard scale > 0.001, scale < 1000, !source.isEmpty, !isEmpty else { return }
    let corner = center - source.size / 2
    if scale == 1, rotation == .none, corner.rounded(.toNearestOrEven) == corner {
      return draw(source, at: corner.rounded, opacity: opacity)
    }
    let factor = opacity.channel
    guard factor > 0 else { return }
    let bounds = Bounds.ofRotated(size: source.size * scale, center: center, rotation: rotation).expanded(by: 1)
    let (columns, rows) = area(of: bounds)
    let width = width

    // The inverse mapping: a pixel's position in the source, in 65536ths of a source pixel.
    let one = 65536.0
    let stepX = Int((rotation.cosine / scale * one).rounded())
    let stepY = Int((-rotation.sine / scale * one).rounded())
    let reachX = UInt(source.width)
    let reachY = UInt(source.height)
    source.pixels.withUnsafeBufferPointer { texels in
      pixels.withUnsafeMutableBufferPointer { target in
        for row in rows {
          let from = Vector(Double(columns.lowerBound) + 0.5, Double(row) + 0.5) - center
          let u = (from.x * rotation.cosine + from.y * rotation.sine) / scale + source.size.x / 2 - 0.5
          let v = (from.y * rotation.cosine - from.x * rotation.sine) / scale + source.size.y / 2 - 0.5
          var x = Int((u * one).rounded())
          var y = Int((v * one).rounded())
          let start = row * width
          for column in columns {
            let left = x >> 16
            let top = y >> 16
            // One unsigned comparison checks both ends: negative values become very large.
            if UInt(bitPattern: left &+ 1) <= reachX, UInt(bitPattern: top &+ 1) <= reachY {
              let pixel = Self.sample(texels, source.width, source.height, left, top, x, y)
              Pixel.draw(pixel, opacity: factor, on: &target[start &+ column])
            }
            x &+= stepX
            y &+= stepY
          }
        }
      }
    }
  }

  /// The bilinear interpolation of the four pixels around a position in 65536ths of a pixel.
  @inline(__always)
  private static func sample(
    _ texels: UnsafeBufferPointer<UInt32>, _ width: Int, _ height: Int, _ left: Int, _ top: Int, _ x: Int, _ y: Int
  ) -> UInt32 {
    let fractionX = UInt32(truncatingIfNeeded: (x >> 8) & 0xFF)
    let fractionY = UInt32(truncatingIfNeeded: (y >> 8) & 0xFF)
    if left >= 0, top >= 0, left &+ 1 < width, top &+ 1 < height {
      let upper = top &* width &+ left
      let above = Pixel.mix(texels[upper], texels[upper &+ 1], fractionX)
      let below = Pixel.mix(texels[upper &+ width], texels[upper &+ width &+ 1], fractionX)
      return Pixel.mix(above, below, fractionY)
    }
    func texel(_ x: Int, _ y: Int) -> UInt32 {
      x >= 0 && x < width && y >= 0 && y < height ? texels[y * width + x] : 0
    }
    let above = Pixel.mix(texel(left, top), texel(left + 1, top), fractionX)
    let below = Pixel.mix(texel(left, top + 1), texel(left + 1, top + 1), fractionX)
    return Pixel.mix(above, below, fractionY)
  }

  mutating func fade(to opacity: Double) {
    let factor = opacity.channel
    guard factor < 255 else { return }
    pixels.withUnsafeMutableBufferPointer { pixels in
      for index in pixels.indices { pixels[index] = Pixel.scaled(pixels[index], by: factor) }
    }
  }
}
