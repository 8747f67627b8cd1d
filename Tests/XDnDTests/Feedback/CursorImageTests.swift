import TestSupport
import Testing

@testable import XDnD

/// The cursors that the library draws by itself.
@Suite("Cursors without a theme", .computing, .exhaustive)
struct CursorImageTests {
  private static let sizes = [8, 16, 22, 24, 32, 36, 48, 64, 96, 512]

  /// Each is drawn once for all tests: it takes long without optimization.
  private static let images: [Int: [CursorShape: CursorImage]] = Dictionary(
    uniqueKeysWithValues: sizes.map { size in
      let images = CursorShape.allCases.map { ($0, CursorImage(drawing: $0, size: size)) }
      return (size, Dictionary(uniqueKeysWithValues: images))
    })

  private static func image(of shape: CursorShape, size: Int) throws -> CursorImage {
    try #require(images[size]?[shape])
  }

  @Test(arguments: CursorShape.allCases, sizes)
  func `the tip of the arrow is the hotspot, at each size`(shape: CursorShape, size: Int) throws {
    let image = try Self.image(of: shape, size: size)
    let (x, y) = (image.hotspot.x, image.hotspot.y)
    #expect(image.bitmap[x, y] >> 24 > 200)
    // What is above and to the left of it is its edge and its shadow, and no more than a tenth of the size.
    #expect(max(x, y) <= max(5, size / 5))
    // Within the picture, as the server demands.
    #expect(x < image.bitmap.width && y < image.bitmap.height)
  }

  @Test(arguments: sizes) func `each looks different, in its form and not only in its colour`(size: Int) throws {
    guard size >= 16 else { return }
    let forms = try CursorShape.allCases.map { shape in
      try Self.image(of: shape, size: size).bitmap.pixels.map { pixel in
        // Brightness alone, in a few steps.
        (pixel >> 16 & 0xFF) * 3 / 10 + (pixel >> 8 & 0xFF) * 6 / 10 + (pixel & 0xFF) / 10 > 128
      }
    }
    for (index, form) in forms.enumerated() {
      for other in forms[..<index] { #expect(zip(form, other).count { $0 != $1 } > size * size / 100) }
    }
  }

  @Test(arguments: CursorShape.allCases, sizes)
  func `nothing is cut off at an edge`(shape: CursorShape, size: Int) throws {
    let bitmap = try Self.image(of: shape, size: size).bitmap
    let edge =
      (0..<bitmap.width).flatMap { [bitmap[$0, 0], bitmap[$0, bitmap.height - 1]] }
      + (0..<bitmap.height).flatMap { [bitmap[0, $0], bitmap[bitmap.width - 1, $0]] }
    // The shadow may end there, and has faded by then.
    #expect(edge.allSatisfy { $0 >> 24 < 24 })
    #expect(bitmap.width <= size * 3 / 2 + 8)
  }

  @Test func `a cursor of no size is drawn as a small one`() {
    #expect(CursorImage(drawing: .copy, size: 0) == CursorImage(drawing: .copy, size: 8))
    #expect(CursorImage(drawing: .copy, size: .min) == CursorImage(drawing: .copy, size: 8))
  }
}

@Suite("Names of cursors")
struct CursorShapeTests {
  @Test func `each shape has names, and no name stands for two kinds of answer`() {
    for shape in CursorShape.allCases {
      #expect(!shape.themeNames.isEmpty)
      #expect(Set(shape.themeNames).count == shape.themeNames.count)
      for other in CursorShape.allCases where other != shape {
        // The one name that themes use for both: a closed hand in KDE's, a refusal in GTK's. It is the last that is tried.
        let shared = Set(shape.themeNames).intersection(other.themeNames)
        #expect(shared.isSubset(of: ["dnd-none"]))
        if !shared.isEmpty { #expect(shape.themeNames.last == "dnd-none") }
      }
    }
  }
}
