import XDnDX11
import XDnD

/// Draws the window with plain Xlib.
final class Painter {
  private let display: OpaquePointer
  private let window: Window
  /// What the window shows next: a drawing appears when it is complete.
  private let picture: Pixmap
  /// What is drawn on: the picture of the window, or of a card.
  private var canvas: Pixmap
  private let context: GC
  private let plain: Font
  private let bold: Font

  private enum Ink {
    static let ground: UInt = 0xEE_F0_F4
    static let paper: UInt = 0xFF_FF_FF
    static let line: UInt = 0xC3_C8_D2
    static let text: UInt = 0x16_1A_22
    static let faint: UInt = 0x5A_62_70
    static let accent: UInt = 0x1A_5F_B4
    static let gap: UInt = 0xE1_EC_FA
    static let idleSelection: UInt = 0xD4_DD_EA
  }

  /// - Parameter window: Of the size that ``Scene`` says.
  init(_ display: OpaquePointer, _ window: Window) {
    self.display = display
    self.window = window
    picture = Self.makePixmap(display, Scene.width, Scene.height)
    canvas = picture
    context = XCreateGC(display, picture, 0, nil)
    plain = Font(display, "medium")
    bold = Font(display, "bold")
  }

  private static func makePixmap(_ display: OpaquePointer, _ width: Int, _ height: Int) -> Pixmap {
    let depth = XDefaultDepth(display, XDefaultScreen(display))
    return XCreatePixmap(display, XDefaultRootWindow(display), UInt32(width), UInt32(height), UInt32(depth))
  }

  // MARK: The window

  func draw(_ scene: Scene) {
    fill(Rect(x: 0, y: 0, width: Scene.width, height: Scene.height), Ink.ground)
    for (index, frame) in scene.tabs.enumerated() { drawTab(index, frame, scene) }
    for column in Scene.columns.indices { drawColumn(column, scene) }
    let hint = "Drag cards, or press Return and the arrow keys. Shift moves, Control copies, Ctrl+Z undoes."
    draw(hint, plain, Ink.faint, in: Rect(x: 20, y: Scene.height - 42, width: Scene.width - 40, height: 34))
    show()
  }

  /// Shows what was drawn last.
  func show() {
    XCopyArea(display, picture, window, context, 0, 0, UInt32(Scene.width), UInt32(Scene.height), 0, 0)
  }

  private func drawTab(_ index: Int, _ frame: Rect, _ scene: Scene) {
    let isShown = index == scene.board.page
    switch scene.tabHighlights[index] {
    case .standard: fill(frame, Ink.gap)
    case .emphasized: fill(frame, Ink.idleSelection)
    default: break
    }
    let (font, ink) = isShown ? (bold, Ink.accent) : (plain, Ink.faint)
    draw(scene.board.pages[index], font, ink, in: frame.insetBy(dx: 14, dy: 0))
    if isShown { fill(Rect(x: frame.origin.x, y: frame.height - 3, width: frame.width, height: 3), Ink.accent) }
  }

  private func drawColumn(_ column: Int, _ scene: Scene) {
    let (frame, list) = (Scene.columns[column], scene.board.lists[scene.list(in: column)])
    let isTarget = scene.gap?.list == scene.list(in: column)
    let hasFocus = scene.board.focus == scene.list(in: column)
    let title = Rect(x: frame.origin.x, y: frame.origin.y - 38, width: frame.width, height: 34)
    draw(list.title, bold, hasFocus ? Ink.accent : Ink.text, in: title.insetBy(dx: 2, dy: 0))
    fill(frame.insetBy(dx: -2, dy: -2), isTarget ? Ink.accent : Ink.line)
    if !isTarget { fill(frame.insetBy(dx: -1, dy: -1), Ink.paper) }
    fill(frame, Ink.paper)

    clip(to: frame)
    for (index, row) in list.rows.enumerated() {
      var look = RowLook()
      look.isSelected = list.selection.contains(row.id)
      look.isLeaving = scene.leaving.contains(row.id)
      look.hasFocus = hasFocus
      drawRow(row.card, look, in: scene.frame(ofRow: index, in: column))
    }
    for (arrival, frame) in scene.arrivals(in: column) { drawArrival(arrival, in: frame) }
    if let gap = scene.gapFrame(in: column) { drawGap(gap) }
    clip(to: nil)
  }

  /// Content on its way, with a bar that grows if its size is known.
  private func drawArrival(_ arrival: Scene.Arrival, in frame: Rect) {
    fill(frame, Ink.gap)
    draw("Arriving. Escape cancels.", plain, Ink.faint, in: frame.insetBy(dx: 26, dy: 0))
    guard let fraction = arrival.fraction else { return }
    let bar = Rect(x: frame.origin.x, y: frame.maxY - 3, width: frame.width, height: 3)
    fill(bar, Ink.line)
    fill(Rect(x: bar.origin.x, y: bar.origin.y, width: Int(Double(bar.width) * fraction), height: 3), Ink.accent)
  }

  private func drawGap(_ frame: Rect) {
    fill(frame, Ink.gap)
    let y = frame.middle.y
    fill(Rect(x: frame.origin.x + 8, y: y - 1, width: frame.width - 16, height: 2), Ink.accent)
    fill(Rect(x: frame.origin.x + 8, y: y - 4, width: 8, height: 8), Ink.accent)
  }

  // MARK: Cards

  private struct RowLook {
    var isSelected = false
    var isLeaving = false
    var hasFocus = false
  }

  private func drawRow(_ card: Card, _ look: RowLook, in frame: Rect) {
    let isBright = look.isSelected && look.hasFocus && !look.isLeaving
    if look.isLeaving {
      fill(frame, Ink.ground)
    } else if look.isSelected {
      fill(frame, look.hasFocus ? Ink.accent : Ink.idleSelection)
    }
    let stripe = Rect(x: frame.origin.x + 10, y: frame.origin.y + 8, width: 5, height: frame.height - 16)
    if isBright { fill(stripe.insetBy(dx: -1, dy: -1), Ink.paper) }
    fill(stripe, look.isLeaving ? Ink.line : card.color.ink)
    let ink = look.isLeaving ? Ink.faint : isBright ? Ink.paper : Ink.text
    draw(card.title, plain, ink, in: frame.insetBy(dx: 26, dy: 0))
    fill(Rect(x: frame.origin.x, y: frame.maxY - 1, width: frame.width, height: 1), Ink.ground)
  }

  /// The width of a card as it is dragged: it is as long as its title, so that the gap is seen beside it.
  func width(of card: Card) -> Int {
    let title = Int(Xutf8TextEscapement(plain.set, card.title, Int32(card.title.utf8.count)))
    return min(max(120, title + 44), Scene.columns[0].width)
  }

  /// Draws a card as it is dragged.
  func image(of card: Card) -> DragImage? {
    let row = Rect(x: 0, y: 0, width: width(of: card), height: Scene.rowHeight)
    canvas = Self.makePixmap(display, row.width, row.height)
    defer {
      XFreePixmap(display, canvas)
      canvas = picture
    }
    fill(row, Ink.line)
    fill(row.insetBy(dx: 1, dy: 1), Ink.paper)
    drawRow(card, RowLook(), in: row.insetBy(dx: 1, dy: 1))
    guard let image = XGetImage(display, canvas, 0, 0, UInt32(row.width), UInt32(row.height), UInt.max, ZPixmap)
    else { return nil }
    defer { _ = image.pointee.f.destroy_image(image) }
    let pixels = (0..<row.width * row.height).map { place in
      let (x, y) = (Int32(place % row.width), Int32(place / row.width))
      return 0xFF00_0000 | UInt32(truncatingIfNeeded: image.pointee.f.get_pixel(image, x, y))
    }
    return Bitmap(width: row.width, height: row.height, pixels: pixels).map { DragImage($0) }
  }

  // MARK: Strokes

  private func fill(_ frame: Rect, _ ink: UInt) {
    XSetForeground(display, context, ink)
    XFillRectangle(
      display, canvas, context, Int32(frame.origin.x), Int32(frame.origin.y), UInt32(frame.width),
      UInt32(frame.height))
  }

  /// Draws a line of text in the middle of the height.
  private func draw(_ text: String, _ font: Font, _ ink: UInt, in frame: Rect) {
    XSetForeground(display, context, ink)
    let y = frame.origin.y + (frame.height + font.ascent - font.descent) / 2
    Xutf8DrawString(
      display, canvas, font.set, context, Int32(frame.origin.x), Int32(y), text, Int32(text.utf8.count))
  }

  private func clip(to frame: Rect?) {
    guard let frame else { return _ = XSetClipMask(display, context, 0) }
    var area = XRectangle(
      x: Int16(frame.origin.x), y: Int16(frame.origin.y), width: UInt16(frame.width), height: UInt16(frame.height))
    XSetClipRectangles(display, context, 0, 0, &area, 1, Unsorted)
  }
}

/// A font of the server, for text in any script that it has glyphs for.
private struct Font {
  let set: XFontSet
  let ascent: Int
  let descent: Int

  init(_ display: OpaquePointer, _ weight: String) {
    var missing: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    var (count, fallback) = (Int32(), UnsafeMutablePointer<CChar>?.none)
    let names = "-*-helvetica-\(weight)-r-normal--15-*-*-*-p-*-*-*,-*-*-\(weight)-r-normal--15-*,fixed"
    set = XCreateFontSet(display, names, &missing, &count, &fallback)
    if let missing { XFreeStringList(missing) }
    let line = XExtentsOfFontSet(set).pointee.max_logical_extent
    ascent = -Int(line.y)
    descent = Int(line.height) + Int(line.y)
  }
}

extension Card.Color {
  fileprivate var ink: UInt {
    switch self {
    case .blue: 0x35_84_E4
    case .green: 0x26_A2_69
    case .amber: 0xE5_A5_0A
    case .red: 0xC0_1C_28
    case .grey: 0x77_76_7B
    }
  }
}
