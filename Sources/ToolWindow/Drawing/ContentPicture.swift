/// Content whose drag image shows the content itself, not the card of its row.
package enum ContentPicture: Hashable, Sendable {
  /// Up to three lines of text, which fade at the end if there is more.
  case text([Scene.TextRun])
  /// A swatch. Components are from 0 to 1, not premultiplied.
  case color(red: Double, green: Double, blue: Double, alpha: Double)
  /// An image, scaled down to at most 160 by 120 logical pixels. Its pixels are taken as logical pixels, as in a
  /// browser.
  case picture(Picture)
}

extension SceneRenderer {
  /// Renders content as the drag image of a row. Returns `nil` if there is no such row or nothing to see.
  func picture(of content: ContentPicture, ofRow index: Int, in scene: Scene, layout: SceneLayout) -> RowPicture? {
    guard scene.rows.indices.contains(index) else { return nil }
    let drawn: (size: PixelSize, pixels: [UInt32])? =
      switch content {
      case .text(let runs): picture(of: runs, in: scene)
      case .color(let red, let green, let blue, let alpha):
        image(width: Self.swatchSide, height: Self.swatchSide, in: scene) { pen, box in
          pen.swatch(Color(red: red, green: green, blue: blue), alpha: alpha, in: box.inset(dx: 1, dy: 1))
        }
      case .picture(let picture):
        image(of: DraggedPicture(picture, scale: scale), in: scene)
      }
    guard let (size, pixels) = drawn else { return nil }
    let start = place(of: content, size, in: layout.row(index), layout).pixels(scale: scale)
    return RowPicture(
      size: size, pixels: pixels, origin: start.origin, originSize: start.size,
      isVisible: layout.visibleRows.contains(index))
  }

  /// Returns where the drag image starts: a picture at the icon of its row, other content at the text.
  private func place(of content: ContentPicture, _ size: PixelSize, in row: Box, _ layout: SceneLayout) -> Box {
    let (width, height) = (Double(size.width) / scale, Double(size.height) / scale)
    let start = row.x + SceneLayout.textInset
    if case .picture = content, let side = layout.iconSide {
      let factor = min(1, side / max(width, height))
      return Box(
        x: start + (side - width * factor) / 2, y: row.midY - height * factor / 2, width: width * factor,
        height: height * factor)
    }
    let indent = (layout.iconSide.map { $0 + SceneLayout.iconGap } ?? 0) - DraggedText.padding.x
    return Box(x: start + indent, y: row.midY - height / 2, width: width, height: height)
  }

  private func image(of dragged: DraggedPicture, in scene: Scene) -> (size: PixelSize, pixels: [UInt32])? {
    image(width: dragged.width, height: dragged.height, in: scene) { pen, box in
      pen.draw(dragged.picture, filling: box)
      if dragged.picture.isOpaque { pen.hairline(around: box) }
    }
  }

  private static let swatchSide = 48.0

  private func picture(of runs: [Scene.TextRun], in scene: Scene) -> (size: PixelSize, pixels: [UInt32])? {
    let theme = Theme(scene.appearance)
    guard let text, case let dragged = DraggedText(runs, text, theme), !dragged.runs.isEmpty else { return nil }
    let drawn = image(width: dragged.width, height: dragged.height, in: scene) { pen, box in
      pen.fill(.rounded(box, 6), theme.card)
      var lines = box
      lines.height -= DraggedText.padding.y
      pen.clip(to: .rectangle(lines)) { pen.write(dragged) }
      // Without a compositor the image has no shadow, and the target may have the same background.
      pen.border(box, radius: 6, theme.border)
    }
    guard let (size, opaque) = drawn else { return nil }
    var pixels = opaque
    if dragged.isCut {
      for y in Int(dragged.lastLine.y * scale)..<size.height {
        for x in 0..<size.width where pixels[y * size.width + x] >> 24 == 0xFF {
          let place = Double(x) / scale - DraggedText.padding.x
          let share = DraggedText.fading(at: place / dragged.lastLine.width)
          pixels[y * size.width + x] = theme.card.over(pixels[y * size.width + x], share)
        }
      }
    }
    return (size, pixels)
  }

  /// Draws on a transparent surface; the width and the height are logical pixels.
  private func image(
    width: Double, height: Double, in scene: Scene, draw: (Pen, Box) -> Void
  ) -> (size: PixelSize, pixels: [UInt32])? {
    // The tolerance keeps a whole number of pixels from being rounded up.
    func count(_ length: Double) -> Int { Int((length * scale - 1e-6).rounded(.up)) }
    let size = PixelSize(width: count(width), height: count(height))
    let box = Box(x: 0, y: 0, width: width, height: height)
    return pixels(size: size, in: scene) { draw($0, box) }.map { (size, $0) }
  }
}

/// The size of a picture's drag image in logical pixels, rounded to whole device pixels.
struct DraggedPicture {
  /// A larger picture would hide the drop target.
  static let longest = (width: 160.0, height: 120.0)

  let picture: Picture
  let width: Double
  let height: Double

  init(_ picture: Picture, scale: Double) {
    let (width, height) = (Double(picture.size.width), Double(picture.size.height))
    let factor = min(1, Self.longest.width / width, Self.longest.height / height)
    func whole(_ length: Double) -> Double { max(1, (length * factor * scale).rounded()) / scale }
    self.picture = picture
    self.width = whole(width)
    self.height = whole(height)
  }
}

/// The layout of a text's drag image, in logical pixels: up to three lines, without blank ones.
struct DraggedText {
  static let padding = (x: 8.0, y: 5.0)
  static let lineHeight = 20.0
  static let widest = 260.0
  private static let lineLimit = 3

  let runs: [Scene.TextRun]
  private let lines: TextRenderer.Lines
  var width: Double { lines.width.rounded(.up) + 1 + 2 * Self.padding.x }
  var height: Double { lines.height.rounded(.up) + 2 * Self.padding.y }
  /// Whether there is more text than fits.
  var isCut: Bool { lines.isCut }
  /// The top of the last line, and its width.
  var lastLine: (y: Double, width: Double) { (Self.padding.y + lines.height - lines.lastHeight, lines.lastWidth) }

  init(_ runs: [Scene.TextRun], _ text: TextRenderer, _ theme: Theme) {
    self.runs = runs.withoutBlankLines
    lines = text.lines(
      of: self.runs, theme, width: Self.widest, leading: Self.lineHeight, limit: self.runs.isEmpty ? 0 : Self.lineLimit)
  }

  /// Returns how much the last line of a cut text has faded, from 0 to 1.
  ///
  /// - Parameter place: The place in the line, from 0 to 1.
  static func fading(at place: Double) -> Double { min(max((place - 0.35) / 0.5, 0), 1) }
}

extension Color {
  /// Returns an opaque pixel, blended with a share of this color from 0 to 1.
  fileprivate func over(_ pixel: UInt32, _ share: Double) -> UInt32 {
    func mixed(_ shift: UInt32, _ component: Double) -> UInt32 {
      let below = Double(pixel >> shift & 0xFF)
      return UInt32((below + (component * 255 - below) * share).rounded()) << shift
    }
    return 0xFF00_0000 | mixed(16, red) | mixed(8, green) | mixed(0, blue)
  }
}
