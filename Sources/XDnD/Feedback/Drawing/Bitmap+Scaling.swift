extension Bitmap {
  /// Returns the bitmap in another size. Downscaling averages all pixels that a new pixel covers, so no detail is
  /// skipped at any size. Upscaling interpolates.
  func scaled(toWidth newWidth: Int, height newHeight: Int) -> Bitmap {
    if newWidth == width, newHeight == height { return self }
    var result = Bitmap(width: newWidth, height: newHeight)
    guard !isEmpty, !result.isEmpty else { return result }
    let columns = Self.weights(from: width, to: result.width)
    let rows = Self.weights(from: height, to: result.height)

    // Rows first, then columns; floating-point in between, so that values are rounded only once.
    var narrow = [SIMD4<Float>](repeating: .zero, count: result.width * height)
    for y in 0..<height {
      for (x, column) in columns.enumerated() {
        var sum = SIMD4<Float>.zero
        for (offset, weight) in column.weights.enumerated() {
          sum += Self.channels(pixels[y * width + column.first + offset]) * weight
        }
        narrow[y * result.width + x] = sum
      }
    }
    for (y, row) in rows.enumerated() {
      for x in 0..<result.width {
        var sum = SIMD4<Float>.zero
        for (offset, weight) in row.weights.enumerated() {
          sum += narrow[(row.first + offset) * result.width + x] * weight
        }
        result.pixels[y * result.width + x] = Self.pixel(sum)
      }
    }
    return result
  }

  /// Returns the bitmap scaled down in proportion to at most `side` pixels in width and height; the bitmap itself if it
  /// is small enough.
  func fitted(into side: Int) -> Bitmap {
    let longest = max(width, height)
    guard longest > side, side > 0 else { return self }
    func shrunk(_ length: Int) -> Int { max(1, (length * side + longest / 2) / longest) }
    return scaled(toWidth: shrunk(width), height: shrunk(height))
  }

  private struct Share {
    var first: Int
    var weights: [Float]
  }

  /// The source pixels of each new pixel, with weights that add up to 1.
  private static func weights(from old: Int, to new: Int) -> [Share] {
    let ratio = Double(old) / Double(new)
    return (0..<new).map { index in
      if ratio <= 1 {
        let place = min(max((Double(index) + 0.5) * ratio - 0.5, 0), Double(old - 1))
        let first = Int(place)
        let part = Float(place - Double(first))
        return part == 0 || first + 1 >= old
          ? Share(first: first, weights: [1]) : Share(first: first, weights: [1 - part, part])
      }
      let start = Double(index) * ratio
      let end = min(start + ratio, Double(old))
      let first = Int(start)
      let last = max(first, min(old - 1, Int(end.rounded(.up)) - 1))
      return Share(
        first: first,
        weights: (first...last).map { Float((min(end, Double($0 + 1)) - max(start, Double($0))) / (end - start)) })
    }
  }

  @inline(__always)
  private static func channels(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4<Float>(SIMD4<UInt32>(pixel >> 24, (pixel >> 16) & 0xFF, (pixel >> 8) & 0xFF, pixel & 0xFF))
  }

  @inline(__always)
  private static func pixel(_ channels: SIMD4<Float>) -> UInt32 {
    let whole = SIMD4<UInt32>(
      channels.clamped(lowerBound: .zero, upperBound: .init(repeating: 255)).rounded(.toNearestOrAwayFromZero))
    // Rounding may make a colour larger than its alpha.
    let alpha = whole.x
    return alpha << 24 | min(whole.y, alpha) << 16 | min(whole.z, alpha) << 8 | min(whole.w, alpha)
  }
}
