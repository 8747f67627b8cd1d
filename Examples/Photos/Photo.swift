/// A generated landscape: sky, sun and hills, with a white frame.
struct Photo {
  let width: Int
  let height: Int
  /// `0xRRGGBB`, row by row.
  private(set) var pixels: [UInt32]

  private struct Colors {
    var top: [Double]
    var bottom: [Double]
    var hill: [Double]
    var sun: [Double]
  }

  private static let moods = [
    Colors(top: [64, 128, 210], bottom: [190, 222, 245], hill: [58, 120, 72], sun: [255, 244, 200]),
    Colors(top: [70, 40, 110], bottom: [250, 150, 90], hill: [48, 34, 66], sun: [255, 214, 140]),
    Colors(top: [14, 24, 58], bottom: [60, 92, 150], hill: [16, 30, 46], sun: [232, 238, 255]),
  ]

  /// Draws a landscape.
  ///
  /// - Parameters:
  ///   - number: Selects the time of day and the hills.
  ///   - scale: Device pixels per point.
  init(number: Int, scale: Double) {
    let colors = Self.moods[number % Self.moods.count]
    (width, height) = (Int(132 * scale), Int(96 * scale))
    pixels = Array(repeating: 0, count: width * height)
    let edge = 5 * scale
    let sun = (x: Double(width) * (0.28 + 0.2 * Double(number % 3)), y: Double(height) * 0.34, radius: 11 * scale)
    for y in 0..<height {
      for x in 0..<width {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        let t = py / Double(height)
        var color = zip(colors.top, colors.bottom).map { $0 + ($1 - $0) * t }
        func cover(_ other: [Double], _ part: Double) {
          let part = min(max(part, 0), 1)
          color = zip(color, other).map { $0 + ($1 - $0) * part }
        }
        let distance = ((px - sun.x) * (px - sun.x) + (py - sun.y) * (py - sun.y)).squareRoot()
        cover(colors.sun, sun.radius - distance + 0.5)
        for layer in 0..<3 {
          let phase = Double(number * 7 + layer * 11)
          let wave = Self.wave(px / (34 * scale) + phase) + 0.5 * Self.wave(px / (13 * scale) + 2 * phase)
          let ridge = Double(height) * (0.58 + 0.13 * Double(layer)) + wave * 5 * scale
          cover(colors.hill.map { $0 + Double(2 - layer) * 26 }, py - ridge + 0.5)
        }
        let inset = min(px, py, Double(width) - px, Double(height) - py)
        cover([255, 255, 255], edge - inset + 0.5)
        pixels[y * width + x] = color.reduce(0) { $0 << 8 | UInt32(min(max($1, 0), 255)) }
      }
    }
  }

  /// A smooth wave between -1 and 1 with a period of 4.
  private static func wave(_ x: Double) -> Double {
    let t = x - 4 * (x / 4).rounded(.down)
    return t < 2 ? t * (2 - t) : -(t - 2) * (4 - t)
  }
}
