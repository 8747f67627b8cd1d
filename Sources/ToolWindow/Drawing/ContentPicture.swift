/// Content that is dragged as it looks, and not as the card of its row.
package enum ContentPicture: Hashable, Sendable {
  /// Up to three lines of text, which fade at the end if there is more.
  case text(String)
  /// A swatch. Components are from 0 to 1, not premultiplied.
  case color(red: Double, green: Double, blue: Double, alpha: Double)
}

extension SceneRenderer {
  /// Renders content on a plain ground, to be dragged out of a row. Returns `nil` if there is nothing to see.
  func picture(of content: ContentPicture, ofRow index: Int, in scene: Scene, layout: SceneLayout) -> RowPicture? {
    guard scene.rows.indices.contains(index) else { return nil }
    let drawn: (size: PixelSize, pixels: [UInt32])? =
      switch content {
      case .text(let string): picture(ofText: string, in: scene)
      case .color(let red, let green, let blue, let alpha):
        image(width: Self.swatchSide, height: Self.swatchSide, in: scene) { pen, box in
          pen.swatch(Color(red: red, green: green, blue: blue), alpha: alpha, in: box.inset(dx: 1, dy: 1))
        }
      }
    guard let (size, pixels) = drawn else { return nil }
    let row = layout.row(index)
    let indent = SceneLayout.textInset + (layout.iconSide.map { $0 + SceneLayout.iconGap } ?? 0) - DraggedText.padding.x
    let origin = LogicalPoint(x: row.x + indent, y: row.midY - Double(size.height) / scale / 2)
    return RowPicture(
      size: size, pixels: pixels,
      origin: PixelPoint(x: Int((origin.x * scale).rounded()), y: Int((origin.y * scale).rounded())),
      isVisible: layout.visibleRows.contains(index))
  }

  private static let swatchSide = 48.0

  private func picture(ofText string: String, in scene: Scene) -> (size: PixelSize, pixels: [UInt32])? {
    guard let text, case let dragged = DraggedText(string, text), !dragged.lines.isEmpty else { return nil }
    let ground = Theme(scene.appearance).card
    let drawn = image(width: dragged.width, height: dragged.height, in: scene) { pen, box in
      pen.fill(.rounded(box, 6), ground)
      for (index, line) in dragged.lines.enumerated() {
        pen.write(line, .body, pen.theme.text, in: dragged.box(ofLine: index))
      }
    }
    guard let (size, opaque) = drawn else { return nil }
    var pixels = opaque
    if dragged.isCut {
      let last = dragged.box(ofLine: dragged.lines.count - 1)
      let lines = Int(last.y * scale)..<min(Int((last.maxY * scale).rounded(.up)), size.height)
      for y in lines {
        for x in 0..<size.width where pixels[y * size.width + x] >> 24 == 0xFF {
          let share = DraggedText.fading(at: Double(x) / Double(size.width))
          pixels[y * size.width + x] = ground.over(pixels[y * size.width + x], share)
        }
      }
    }
    return (size, pixels)
  }

  /// Draws on a transparent surface; the width and the height are logical pixels.
  private func image(
    width: Double, height: Double, in scene: Scene, draw: (Pen, Box) -> Void
  ) -> (size: PixelSize, pixels: [UInt32])? {
    let size = PixelSize(width: Int((width * scale).rounded(.up)), height: Int((height * scale).rounded(.up)))
    let pixels = ImageSurface.pixels(size: size) { cairo in
      let pen = pen(on: cairo, for: scene)
      pen.scaled {
        if let text, !text.isPrepared { text.prepare(for: cairo, scale: scale) }
        draw(pen, Box(x: 0, y: 0, width: width, height: height))
      }
    }
    return pixels.map { (size, $0) }
  }
}

/// The lines of a text that are dragged, in logical pixels.
struct DraggedText {
  static let padding = (x: 8.0, y: 5.0)
  private static let lineLimit = 3
  private static let lineHeight = 20.0
  private static let widest = 260.0
  /// More is never seen.
  private static let longest = 1024

  private(set) var lines: [String] = []
  /// Whether there is more text than lines.
  private(set) var isCut = false
  let width: Double
  var height: Double { Double(lines.count) * Self.lineHeight + 2 * Self.padding.y }

  init(_ string: String, _ text: TextRenderer) {
    let start = String(string.unicodeScalars.prefix(Self.longest))
    let paragraphs = start.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    for paragraph in paragraphs where lines.count <= Self.lineLimit {
      lines += text.lines(of: String(paragraph), font: .body, width: Self.widest, limit: Self.lineLimit + 1)
    }
    isCut = lines.count > Self.lineLimit
    lines = Array(lines.prefix(Self.lineLimit))
    width = (lines.map { text.width(of: $0, font: .body) }.max() ?? 0).rounded(.up) + 1 + 2 * Self.padding.x
  }

  func box(ofLine index: Int) -> Box {
    Box(
      x: Self.padding.x, y: Self.padding.y + Double(index) * Self.lineHeight, width: width - 2 * Self.padding.x,
      height: Self.lineHeight)
  }

  /// Returns how much of the ground covers the last line of a cut text, from 0 to 1.
  ///
  /// - Parameter place: The place in the line, from 0 to 1.
  static func fading(at place: Double) -> Double { min(max((place - 0.35) / 0.5, 0), 1) }
}

extension Color {
  /// Returns an opaque pixel that is covered with a share of this color, from 0 to 1.
  fileprivate func over(_ pixel: UInt32, _ share: Double) -> UInt32 {
    func mixed(_ shift: UInt32, _ component: Double) -> UInt32 {
      let below = Double(pixel >> shift & 0xFF)
      return UInt32((below + (component * 255 - below) * share).rounded()) << shift
    }
    return 0xFF00_0000 | mixed(16, red) | mixed(8, green) | mixed(0, blue)
  }
}
