import Testing
import XDnDLoadedLibraries

@testable import XDnDToolWindow

/// Rows as they look when they are carried away.
@Suite struct RowPictureTests {
  private func scene(_ appearance: Scene.Appearance = .light) -> Scene {
    Scene(
      title: "Title",
      rows: [
        Scene.Row("a", secondary: "1 B", state: .selected, progress: .fraction(0.5)),
        Scene.Row(String(repeating: "long ", count: 50), secondary: "2 B"),
      ], appearance: appearance)
  }

  private func card(_ row: Int, of scene: Scene, scale: Double = 1) -> RowPicture? {
    SceneRenderer(scale: scale, icons: IconStore()).picture(
      ofRow: row, in: scene, layout: SceneLayout(scene, width: 300, height: 300))
  }

  @Test(arguments: Scene.Appearance.allCases, [1, 1.5, 2, 3])
  func `is a card of the theme with clear corners and text on it`(
    _ appearance: Scene.Appearance, _ scale: Double
  ) throws {
    let scene = scene(appearance)
    for row in 0...1 {
      let picture = try #require(card(row, of: scene, scale: scale))
      #expect(picture.pixels.count == picture.size.width * picture.size.height)
      let (width, height) = (picture.size.width, picture.size.height)
      for corner in [0, width - 1, (height - 1) * width, height * width - 1] {
        #expect(picture.pixels[corner] >> 24 < 64)
      }
      // Between the two lines of text and the border.
      let ground: UInt32 =
        switch appearance {
        case .light, .highContrast: 0xFFFF_FFFF
        case .dark: 0xFF3E_3E43
        case .highContrastDark: 0xFF00_0000
        }
      #expect(picture.pixels[height / 2 * width + Int(5 * scale)] == ground)
      #expect(picture.pixels.contains { $0 != ground && $0 >> 24 == 255 })
      // Premultiplied: no channel is stronger than the alpha.
      #expect(picture.pixels.allSatisfy { pixel in [0, 8, 16].allSatisfy { pixel >> $0 & 255 <= pixel >> 24 } })
    }
  }

  @Test func `lies over its row, and is no wider than its texts or the row`() throws {
    let scene = scene()
    let layout = SceneLayout(scene, width: 300, height: 300)
    let (short, long) = (try #require(card(0, of: scene)), try #require(card(1, of: scene)))
    #expect(short.size.width < 100)
    #expect(long.size.width == Int(layout.row(1).width))
    for (index, picture) in [short, long].enumerated() {
      #expect(picture.origin == PixelPoint(x: Int(layout.row(index).x), y: Int(layout.row(index).y) + 1))
      #expect(picture.size.height == Int(layout.rowHeight) - 2)
      #expect(picture.isVisible)
    }
  }

  @Test(arguments: [1.0, 2])
  func `of a text has its lines, and of a long one three, which fade at the end`(_ scale: Double) throws {
    let scene = scene()
    let renderer = SceneRenderer(scale: scale, icons: IconStore())
    func picture(_ text: String) throws -> RowPicture {
      try #require(
        renderer.picture(
          of: .text([Scene.TextRun(text)]), ofRow: 0, in: scene, layout: SceneLayout(scene, width: 300, height: 300)))
    }
    let (one, two, many) = (
      try picture("Hello"), try picture("Hello\n\nthere"), try picture(String(repeating: "many words ", count: 200))
    )
    let (inset, line) = (10 * scale, 20 * scale)
    #expect([one, two, many].map(\.size.height) == [1, 2, 3].map { Int(inset + $0 * line) })
    #expect(one.size.width < 80 * Int(scale) && many.size.width > 200 * Int(scale))
    /// The darkness of the ink in a quarter of the last line.
    func ink(_ picture: RowPicture, quarter: Int) -> Int {
      let (width, height) = (picture.size.width, picture.size.height)
      let rows = height - Int(inset / 2 + line)..<height - Int(inset / 2)
      let columns = width * quarter / 4..<width * (quarter + 1) / 4
      return rows.reduce(0) { sum, y in columns.reduce(sum) { $0 + 255 - Int(picture.pixels[y * width + $1] & 0xFF) } }
    }
    #expect(ink(many, quarter: 0) > 4 * ink(many, quarter: 3))
    #expect(ink(two, quarter: 2) > 0)
    #expect(one.isVisible && one.origin.y > 0)
  }

  @Test func `of a styled text is in its style, and keeps a color that can be read on the card`() throws {
    func pixels(_ runs: [Scene.TextRun], _ appearance: Scene.Appearance = .light) throws -> [UInt32] {
      let scene = scene(appearance)
      return try #require(
        SceneRenderer(scale: 1, icons: IconStore()).picture(
          of: .text(runs), ofRow: 0, in: scene, layout: SceneLayout(scene, width: 300, height: 300))
      ).pixels
    }
    let plain = try pixels([Scene.TextRun("words")])
    #expect(try pixels([Scene.TextRun("words", traits: .italic)]) != plain)
    #expect(try pixels([Scene.TextRun("words", traits: .bold)]) != plain)
    func isRed(_ pixel: UInt32) -> Bool { pixel >> 16 & 0xFF > (pixel & 0xFF) + 0x50 }
    let red = [Scene.TextRun("\n\n words ", color: 0xB0_00_00)]
    #expect(try pixels(red).contains(where: isRed))
    #expect(try !pixels(red, .dark).contains(where: isRed))
    #expect(try pixels([Scene.TextRun("words", color: 0xF4_F4_F4)]) == plain)
  }

  @Test func `of an empty text there is none, and of a color it is a swatch`() throws {
    let scene = scene()
    let renderer = SceneRenderer(scale: 1, icons: IconStore())
    let layout = SceneLayout(scene, width: 300, height: 300)
    for text in ["", " \n\t\n"] {
      #expect(renderer.picture(of: .text([Scene.TextRun(text)]), ofRow: 0, in: scene, layout: layout) == nil)
    }
    #expect(renderer.picture(of: .text([Scene.TextRun("x")]), ofRow: 7, in: scene, layout: layout) == nil)
    let red = ContentPicture.color(red: 1, green: 0, blue: 0, alpha: 1)
    let swatch = try #require(renderer.picture(of: red, ofRow: 1, in: scene, layout: layout))
    #expect(swatch.size == PixelSize(width: 48, height: 48))
    #expect(swatch.pixels[24 * 48 + 24] == 0xFFFF_0000)
  }

  /// Pictures of one color each, with their sizes and those in which they are dragged, in logical pixels.
  private static let pictures: [(size: PixelSize, dragged: PixelSize)] = [
    (PixelSize(width: 400, height: 200), PixelSize(width: 160, height: 80)),
    (PixelSize(width: 200, height: 400), PixelSize(width: 60, height: 120)),
    (PixelSize(width: 40, height: 30), PixelSize(width: 40, height: 30)),
    (PixelSize(width: 4000, height: 1), PixelSize(width: 160, height: 1)),
  ]

  @Test(arguments: pictures.indices, [1, 2, 3])
  func `of a picture is the picture, as large as on any screen, and comes out of the row's icon`(
    _ index: Int, _ factor: Int
  ) throws {
    let (size, dragged) = Self.pictures[index]
    let green: UInt32 = 0xFF00_FF00
    let picture = try #require(
      Picture(premultipliedARGB: Array(repeating: green, count: size.width * size.height), size: size))
    let scene = Scene(rows: [Scene.Row("a", secondary: "1 B", icon: Scene.Icon(.picture))])
    let layout = SceneLayout(scene, width: 300, height: 300)
    let image = try #require(
      SceneRenderer(scale: Double(factor), icons: IconStore()).picture(
        of: .picture(picture), ofRow: 0, in: scene, layout: layout))
    // A line is at least one device pixel.
    let height = dragged.height == 1 ? 1 : dragged.height * factor
    #expect(image.size == PixelSize(width: dragged.width * factor, height: height))
    if height > 10 { #expect(image.pixels[height / 2 * image.size.width + image.size.width / 2] == green) }
    let side = Int(SceneLayout.largeIcon) * factor
    let middle = layout.row(0).midY * Double(factor)
    #expect(max(image.originSize.width, image.originSize.height) <= side)
    #expect(image.origin.x >= Int(layout.row(0).x) * factor)
    #expect(image.origin.x + image.originSize.width <= Int(layout.row(0).x + SceneLayout.textInset) * factor + side)
    #expect(abs(Double(image.origin.y) + Double(image.originSize.height) / 2 - middle) <= 1)
  }

  @Test func `is as high for a row that wraps as for the others`() throws {
    var scene = scene()
    scene.rows[1].wraps = true
    let renderer = SceneRenderer(scale: 1, icons: IconStore())
    let layout = SceneLayout(scene, width: 300, height: 300, measure: renderer.text)
    try #require(layout.row(1).height > layout.rowHeight)
    let pictures = try (0...1).map { try #require(renderer.picture(ofRow: $0, in: scene, layout: layout)) }
    #expect(pictures[0].size.height == pictures[1].size.height)
    #expect(pictures[1].origin.y == Int(layout.row(1).y) + 1)
  }

  @Test(arguments: [Scene.Density.comfortable, .compact])
  func `of the window, a row that wraps has all of its lines`(_ density: Scene.Density) throws {
    let words = String(repeating: "words and words ", count: 4)
    let scene = Scene(rows: [Scene.Row("words", secondary: words, wraps: true)], density: density)
    let renderer = SceneRenderer(scale: 1, icons: IconStore())
    let layout = SceneLayout(scene, width: 300, height: 300, measure: renderer.text)
    let wrapped = try #require(layout.wrapped(row: 0))
    try #require(wrapped.secondary.count > 1)
    let pixels = try #require(
      ImageSurface.pixels(size: PixelSize(width: 300, height: 300)) { cairo in
        renderer.draw(scene, in: layout, ControlState(), isFirstFrame: false, on: cairo)
      })
    // Lines of the picture with ink, where only the details are.
    let row = layout.row(0).inset(dx: SceneLayout.textInset, dy: 2)
    let columns = Int(row.x + (wrapped.column ?? 0))..<Int(row.maxX)
    let inked = (Int(row.y)..<Int(row.maxY)).map { y in columns.contains { pixels[y * 300 + $0] != 0xFFFF_FFFF } }
    let bands = zip([false] + inked, inked).count { !$0 && $1 }
    #expect(bands == wrapped.secondary.count + (density == .comfortable ? wrapped.primary.count : 0))
  }

  /// The serial number of pango's context changes whenever it adopts font options.
  @Test(arguments: [1.0, 2])
  func `is written in the fonts that the window has loaded`(_ scale: Double) throws {
    let scene = scene()
    let layout = SceneLayout(scene, width: 300, height: 300)
    let renderer = SceneRenderer(scale: scale, icons: IconStore())
    let text = try #require(renderer.text)
    let side = Int(300 * scale)
    _ = try #require(
      ImageSurface.pixels(size: PixelSize(width: side, height: side)) { cairo in
        let serial = pango_context_get_serial(text.context)
        renderer.draw(scene, in: layout, ControlState(), isFirstFrame: false, on: cairo)
        #expect(pango_context_get_serial(text.context) != serial)
      })
    let serial = pango_context_get_serial(text.context)
    for row in 0...1 { _ = try #require(renderer.picture(ofRow: row, in: scene, layout: layout)) }
    #expect(pango_context_get_serial(text.context) == serial)
  }

  @Test func `has the fonts of its own surface while no window is drawn`() throws {
    let scene = scene()
    let renderer = SceneRenderer(scale: 2, icons: IconStore())
    let text = try #require(renderer.text)
    #expect(!text.isPrepared)
    _ = try #require(
      renderer.picture(ofRow: 0, in: scene, layout: SceneLayout(scene, width: 300, height: 300)))
    #expect(text.isPrepared)
  }

  @Test func `a row that is scrolled away has one too, and one that is not there has none`() throws {
    let scene = Scene(rows: (0..<100).map { Scene.Row("\($0)") })
    #expect(try #require(card(99, of: scene)).isVisible == false)
    #expect(card(100, of: scene) == nil)
    #expect(card(-1, of: scene) == nil)
  }
}
