/// The badge: white digits on a red capsule.
struct BadgeDrawing {
  let bitmap: Bitmap
  /// The capsule's frame in the bitmap, without the shadow.
  let frame: Rect

  /// Returns `nil` for a count below 1.
  init?(count: Int, scale: Double) {
    guard count > 0 else { return nil }
    let layout = Layout(Numeral.of(count), scale: scale)
    let shadow = Shadow(radius: 3 * scale, drop: scale, opacity: 0.4)
    var badge = Bitmap(width: layout.width, height: layout.height)
    let capsule = Bounds(min: .zero, max: badge.size)
    let radius = badge.size.y / 2
    badge.fill(.roundedRectangle(capsule, radius: radius), with: Self.rim)
    badge.fill(.roundedRectangle(capsule.expanded(by: -layout.rim), radius: radius - layout.rim), with: Self.ground)
    for digit in layout.digits { badge.fill(digit, with: Self.ink) }
    bitmap = badge.withShadow(shadow)
    frame = Rect(x: shadow.margin, y: shadow.margin, width: layout.width, height: layout.height)
  }

  private static let rim: UInt32 = 0xFFFF_FFFF
  private static let ground: UInt32 = 0xFFE0_2D3C
  private static let ink: UInt32 = 0xFFFF_FFFF

  /// The layout of the digits. Margins are whole pixels, so that they are equal.
  struct Layout {
    let width: Int
    let height: Int
    let rim: Double
    /// The strokes of the digits, with the pen's width.
    let digits: [Shape]
    let ink: Bounds

    init(_ numerals: [Numeral], scale: Double) {
      let pen = max(1.2, 1.75 * scale)
      let digitHeight = (11 * scale).rounded()
      let margin = (5.5 * scale).rounded()
      // Gaps of whole pixels look equal.
      let gap = max(1, (1.4 * scale).rounded())
      height = Int(digitHeight + 2 * margin)
      rim = max(1, (1.25 * scale).rounded(.down))

      let widths = numerals.map { (($0.width * digitHeight).rounded() + pen) }
      let inkWidth = widths.reduce(0, +) + gap * Double(numerals.count - 1)
      // At least as wide as high: a single digit is on a disc.
      width = max(height, Int((inkWidth + 2 * margin + scale).rounded(.up)))
      let start = Vector((Double(width) - inkWidth) / 2, margin)
      ink = Bounds(min: start, max: start + Vector(inkWidth, digitHeight))

      var digits: [Shape] = []
      var left = start.x
      for (numeral, advance) in zip(numerals, widths) {
        let origin = Vector(left + pen / 2, start.y + pen / 2)
        let extent = Vector(advance - pen, digitHeight - pen)
        digits.append(.stroke(numeral.path.mapped { origin + $0 * extent }, width: pen))
        left += advance + gap
      }
      self.digits = digits
    }
  }
}
