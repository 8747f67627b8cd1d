import TestSupport
import Testing
import XDnD

@testable import XDnDToolWindow
@testable import xdnd_source

@Suite("The images of dragged rows", .computing)
struct RowImageTests {
  private static let red = Scene.Icon(.color(red: 1, green: 0, blue: 0, alpha: 1))
  private static let blue = Scene.Icon(.color(red: 0, green: 0, blue: 1, alpha: 1))

  private func card(_ title: String, _ icon: Scene.Icon?, scale: Double) throws -> RowPicture {
    let scene = Scene(rows: [Scene.Row(title, secondary: icon == nil ? "" : "1 KiB", icon: icon)])
    return try #require(
      SceneRenderer(scale: scale, icons: IconStore()).picture(
        ofRow: 0, in: scene, layout: SceneLayout(scene, width: 300, height: 300)))
  }

  private func tile(_ title: String, _ icon: Scene.Icon?, scale: Double) throws -> RowImage {
    try #require(RowImage(pileTile: card(title, icon, scale: scale), hasIcon: icon != nil, scale))
  }

  @Test(arguments: [1, 1.5, 2, 3])
  func `a tile has the icon in its middle, and nothing of the texts`(scale: Double) throws {
    let short = try tile("a", Self.red, scale: scale)
    #expect(try tile("W W W W W W W W W W W W", Self.red, scale: scale).bitmap == short.bitmap)

    let other = try tile("a", Self.blue, scale: scale).bitmap
    let width = short.bitmap.width
    let columns = short.bitmap.pixels.indices.filter { short.bitmap.pixels[$0] != other.pixels[$0] }.map { $0 % width }
    let (first, last) = (try #require(columns.min()), try #require(columns.max()))
    #expect(Double(last - first) > 28 * scale)
    #expect(Double(abs(first - (width - 1 - last))) <= 3 * scale)
  }

  @Test(arguments: [1.0, 2])
  func `a tile lifts off from its row's icon, and is about as wide as high`(scale: Double) throws {
    let card = try card("a file with a long name", Self.red, scale: scale)
    let tile = try #require(RowImage(pileTile: card, hasIcon: true, scale))
    #expect(tile.frame.origin == Point(x: card.origin.x, y: card.origin.y))
    #expect(tile.frame.width == tile.bitmap.width && tile.frame.height == card.size.height)
    #expect(tile.bitmap.width * 3 < tile.bitmap.height * 4)
  }

  @Test func `a row without an icon becomes a sheet of paper that starts at the row's height`() throws {
    let sheet = try tile("only a name", nil, scale: 1)
    #expect(sheet.bitmap == DragPreview.default(count: 1).images.first?.bitmap)
    #expect(sheet.frame.height == 32 && sheet.frame.width < 32)
  }

  @Test func `the image in a list is the row's card`() throws {
    let card = try card("a", Self.red, scale: 1)
    let image = try #require(RowImage(card: card))
    #expect(image.bitmap.pixels == card.pixels)
    #expect(image.frame == Rect(x: card.origin.x, y: card.origin.y, width: card.size.width, height: card.size.height))
  }
}
