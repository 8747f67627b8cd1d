import Testing

@testable import XDnDToolWindow

/// Previews, as they are painted.
@Suite("The preview pane") struct PreviewTests {
  private func paint(_ preview: Scene.Preview, scale: Double = 1) throws -> [UInt32] {
    var scene = Scene()
    scene.pane = Scene.Pane(preview: preview)
    let size = PixelSize(width: Int(300 * scale), height: Int(400 * scale))
    return try #require(
      ImageSurface.pixels(size: size) { cairo in
        let pen = Pen(theme: .light, scale: scale, text: TextRenderer(), icons: nil, cairo: cairo)
        pen.scaled {
          pen.text?.prepare(for: cairo, scale: scale)
          scene.draw(in: SceneLayout(scene, width: 300, height: 400), with: pen)
        }
      })
  }

  private func picture(_ pixel: UInt32, width: Int, height: Int) throws -> Picture {
    try #require(
      Picture(
        premultipliedARGB: Array(repeating: pixel, count: width * height), size: PixelSize(width: width, height: height)
      ))
  }

  @Test func `a small picture keeps its size, a large one is scaled to fit`() throws {
    let red: UInt32 = 0xFFFF_0000
    let small = try paint(.picture(picture(red, width: 20, height: 10)))
    #expect(small.count { $0 == red } == 200)
    let large = try paint(.picture(picture(red, width: 1000, height: 1000)))
    let seen = large.count { $0 == red }
    #expect(seen > 100 * 100 && seen < 276 * 376)
  }

  @Test(arguments: [1.0, 2.0])
  func `what one can look through shows a chessboard`(_ scale: Double) throws {
    let pixels = Set(try paint(.picture(picture(0, width: 100, height: 100)), scale: scale))
    #expect(pixels.contains(0xFFFF_FFFF))
    #expect(pixels.contains(0xFFD4_D4D8))
    let color = Set(try paint(.color(red: 0, green: 0, blue: 1, alpha: 1, name: "#0000ff"), scale: scale))
    #expect(color.contains(0xFF00_00FF))
    #expect(!color.contains(0xFFD4_D4D8))
  }

  @Test func `text is drawn, however long it is`() throws {
    #expect(try paint(.text(String(repeating: "line\n", count: 10000))) != paint(.text("")))
  }

  @Test func `of a text the beginning is drawn, and of an output the end`() throws {
    #expect(try paint(.output("one line")) == paint(.text("one line")))
    let (long, others) = (String(repeating: "line\n", count: 200), String(repeating: "other\n", count: 200))
    #expect(try paint(.text(long + "first end")) == paint(.text(long + "second end")))
    #expect(try paint(.output(long + "first end")) != paint(.output(long + "second end")))
    #expect(try paint(.output(others + long + "end")) == paint(.output(long + long + "end")))
  }

  @Test func `styled text is drawn as it is styled`() throws {
    func ink(_ traits: Scene.TextRun.Traits, size: Double = 1) throws -> Int {
      try paint(.styled([Scene.TextRun("words and words", traits: traits, size: size)])).count { $0 & 0xFF < 0x80 }
    }
    let plain = try ink([])
    for traits in [Scene.TextRun.Traits.bold, .underlined, .struckThrough] { #expect(try ink(traits) > plain) }
    #expect(try ink([], size: 1.5) > plain)
    #expect(try paint(.styled([Scene.TextRun("x")])) != paint(.text("x")))
    for traits in [Scene.TextRun.Traits.italic, .monospaced] {
      let run = Scene.TextRun("words and words", traits: traits)
      #expect(try paint(.styled([run])) != paint(.styled([Scene.TextRun(run.text)])))
    }
    // A link has a color of its own: blue on white.
    func isBlue(_ pixel: UInt32) -> Bool { pixel & 0xFF > (pixel >> 16 & 0xFF) + 0x60 }
    #expect(try paint(.styled([Scene.TextRun("link", traits: .link)])).contains(where: isBlue))
    #expect(try !paint(.styled([Scene.TextRun("link")])).contains(where: isBlue))
  }

  @Test func `styles end with their text`() throws {
    let text = try #require(TextRenderer())
    let before = text.width(of: "words", font: .body)
    _ = try #require(
      ImageSurface.pixels(size: PixelSize(width: 300, height: 300)) { cairo in
        let pen = Pen(theme: .light, scale: 1, text: text, icons: nil, cairo: cairo)
        let runs = [Scene.TextRun("words", traits: [.bold, .monospaced], size: 2)]
        pen.write(runs: runs, Color(0), in: Box(x: 0, y: 0, width: 300, height: 300))
      })
    #expect(text.width(of: "words", font: .body) == before)
  }

  @Test func `styled text is limited as a whole, and so are marks on a letter`() throws {
    let marks = String(repeating: "\u{301}", count: 20)
    let runs = (0..<10_000).map { Scene.TextRun($0 == 0 ? "a" : marks, traits: $0 % 2 == 0 ? .bold : .italic) }
    let clipped = runs.clipped(to: .text)
    let count = clipped.reduce(0) { $0 + $1.text.unicodeScalars.count }
    #expect(count <= LabelLimit.markCount + 2 && clipped.last?.text == "…")
    let time = try ContinuousClock().measure { _ = try paint(.styled(runs)) }
    #expect(time < .seconds(5))
    let short = [Scene.TextRun("a", traits: .bold), Scene.TextRun("b")]
    #expect(short.clipped(to: .text) == short)
  }

  @Test func `bytes without premultiplied alpha become pixels with it`() {
    #expect(Picture.premultiplied(255, 128, 0, alpha: 255) == 0xFFFF_8000)
    #expect(Picture.premultiplied(255, 255, 255, alpha: 0) == 0)
    #expect(Picture(premultipliedARGB: [], size: PixelSize(width: 0, height: 0)) == nil)
  }
}

/// Text, as it is painted.
@Suite("Lines of text") struct TextRendererTests {
  @Test(arguments: [1.0, 1.5, 2.0, 3.0])
  func `stand in the middle at any scale`(_ scale: Double) throws {
    let text = try #require(TextRenderer())
    let size = PixelSize(width: Int(100 * scale), height: Int(40 * scale))
    let pixels = try #require(
      ImageSurface.pixels(size: size) { cairo in
        let pen = Pen(theme: .light, scale: scale, text: text, icons: nil, cairo: cairo)
        pen.scaled {
          text.prepare(for: cairo, scale: scale)
          pen.write("H", .body, Color(0), in: Box(x: 0, y: 0, width: 100, height: 40))
        }
      })
    let lines = (0..<size.height).filter { line in
      pixels[(line * size.width)..<((line + 1) * size.width)].contains { $0 >> 24 > 128 }
    }
    let middle = Double(try #require(lines.first) + #require(lines.last) + 1) / 2 / scale
    #expect(abs(middle - 20) < 1.6)
  }
}
