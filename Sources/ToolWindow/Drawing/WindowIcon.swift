/// The icon of a window in lists of windows: the pointer, with a card or over a drop target.
package enum WindowIcon: Hashable, Sendable, CaseIterable {
  /// For a window to drag from: a card.
  case source
  /// For a window to drop on: the corners of a frame.
  case target

  /// The sizes of the icon in device pixels, from lists of windows to switchers on dense screens.
  static let sides = [16, 24, 32, 48, 64, 128]

  /// The elements of `_NET_WM_ICON` (EWMH): for each size the width, the height, and the pixels as 0xAARRGGBB, not
  /// premultiplied, row by row from the top.
  var property: [UInt32] {
    Self.sides.flatMap { side in
      pixels(side: side).map { [UInt32(side), UInt32(side)] + $0.map(Self.withoutPremultiplication) } ?? []
    }
  }

  /// Returns the icon as premultiplied pixels; `nil` if cairo cannot make a surface.
  func pixels(side: Int) -> [UInt32]? {
    ImageSurface.pixels(size: PixelSize(width: side, height: side)) { cairo in
      // Lists of windows may have any background, so the icon has its own.
      let pen = Pen(theme: .light, scale: 1, text: nil, icons: nil, cairo: cairo)
      pen.onGrid(of: 32, in: Box(x: 0, y: 0, width: Double(side), height: Double(side))) { draw(with: pen) }
    }
  }

  private static func withoutPremultiplication(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    guard alpha > 0, alpha < 255 else { return pixel }
    func full(_ shift: UInt32) -> UInt32 { min(255, ((pixel >> shift & 0xFF) * 255 + alpha / 2) / alpha) << shift }
    return alpha << 24 | full(16) | full(8) | full(0)
  }

  /// The color of the ground; the drawings differ, too.
  private var ground: Color {
    switch self {
    case .source: Color(0x2F76D2)
    case .target: Color(0x1F8A4C)
    }
  }

  /// Draws on a grid of 32 units.
  private func draw(with pen: Pen) {
    let white = Color(0xFFFFFF)
    pen.fill(.rounded(Box(x: 1, y: 1, width: 30, height: 30), 7), ground)
    switch self {
    case .source:
      pen.fill(.rounded(Box(x: 6, y: 6, width: 16, height: 13), 2), white)
      for (y, end) in [(10.0, 18.5), (14.5, 12.5)] { pen.stroke(.line([(9.5, y), (end, y)]), ground, width: 2) }
    case .target:
      for x in [(6.5, 11.0), (21.5, 17.0)] {
        for y in [(6.5, 11.0), (20.0, 15.5)] {
          pen.stroke(.line([(x.0, y.1), (x.0, y.0), (x.1, y.0)]), white, width: 2.6)
        }
      }
    }
    let pointer = Pen.Shape.polygon([
      (14.5, 12.5), (14.5, 26), (17.7, 23.1), (19.9, 27.7), (22.3, 26.6), (20.2, 22.2), (24.4, 21.9),
    ])
    // An edge, so that the pointer stands out from the card.
    pen.stroke(pointer, ground.mixed(with: Color(0), 0.45), width: 3)
    pen.fill(pointer, white)
  }
}
