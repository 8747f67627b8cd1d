import Testing

@testable import XDnDToolWindow

#if canImport(Glibc)
import Glibc
#endif

@Suite struct AppearanceTests {
  /// The contrast ratio of the Web Content Accessibility Guidelines.
  private func contrast(_ one: Color, _ other: Color) -> Double {
    func luminance(_ color: Color) -> Double {
      func linear(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  @Test(arguments: Scene.Appearance.allCases)
  func `text is readable on whatever it stands on`(_ appearance: Scene.Appearance) {
    let theme = Theme(appearance)
    for frame in Scene.DropHighlight.allCases {
      #expect(contrast(theme.text, theme.background(for: frame)) >= 7)
      #expect(contrast(theme.secondaryText, theme.background(for: frame)) >= 4.5)
    }
    #expect(contrast(theme.text, theme.card) >= 7)
    #expect(contrast(theme.secondaryText, theme.card) >= 4.5)
    #expect(contrast(theme.dimmedText, theme.card) >= 4.5)
    #expect(contrast(theme.text, theme.highlight) >= 7)
    #expect(contrast(theme.secondaryText, theme.highlight) >= 4.5)
    #expect(contrast(theme.errorText, theme.errorGround) >= 4.5)
    #expect(contrast(theme.selectedText, theme.selection) >= 4.5)
    for (isDown, isHovered) in [(false, false), (false, true), (true, true)] {
      let (plain, standingOut) = (false, true)
      let ground = theme.button(isDefault: plain, isDown: isDown, isHovered: isHovered)
      #expect(contrast(theme.text, ground) >= 7)
      // The key beside the label, while the button is not down.
      if !isDown { #expect(contrast(theme.secondaryText, ground) >= 4.5) }
      let strong = theme.button(isDefault: standingOut, isDown: isDown, isHovered: isHovered)
      #expect(contrast(theme.selectedText, strong) >= 4.5)
    }
  }

  @Test(arguments: Scene.Appearance.allCases)
  func `the drop highlight stands out from the window`(_ appearance: Scene.Appearance) {
    let theme = Theme(appearance)
    #expect(contrast(theme.accepting, theme.background(for: .accepting)) >= 3)
  }

  @Test(arguments: [Scene.Appearance.highContrast, .highContrastDark])
  func `with high contrast all colours stand out from their grounds by 7 to 1`(_ appearance: Scene.Appearance) {
    let theme = Theme(appearance)
    let grounds = Scene.DropHighlight.allCases.map(theme.background) + [theme.card, theme.highlight, theme.hover]
    for ground in grounds {
      for ink in [theme.text, theme.secondaryText, theme.border] { #expect(contrast(ink, ground) >= 7) }
    }
    for ink in [theme.dimmedText, theme.accent] { #expect(contrast(ink, theme.card) >= 7) }
    #expect(contrast(theme.errorText, theme.errorGround) >= 7)
    #expect(contrast(theme.selectedText, theme.selection) >= 7)
    #expect(contrast(theme.accepting, theme.background(for: .accepting)) >= 7)
    for (isDown, isHovered) in [(false, false), (false, true), (true, true)] {
      let (plain, standingOut) = (false, true)
      let ground = theme.button(isDefault: plain, isDown: isDown, isHovered: isHovered)
      for ink in [theme.text, theme.secondaryText, theme.border] { #expect(contrast(ink, ground) >= 7) }
      let strong = theme.button(isDefault: standingOut, isDown: isDown, isHovered: isHovered)
      #expect(contrast(theme.selectedText, strong) >= 7)
    }
  }

  @Test(arguments: [Scene.Appearance.highContrast, .highContrastDark])
  func `with high contrast a tinted row has an edge`(_ appearance: Scene.Appearance) throws {
    let scene = Scene(rows: [Scene.Row("a", state: .highlighted), Scene.Row("b")], appearance: appearance)
    let layout = SceneLayout(scene, width: 300, height: 200)
    let pixels = try #require(
      ImageSurface.pixels(size: PixelSize(width: 300, height: 200)) { cairo in
        scene.draw(
          in: layout, with: Pen(theme: Theme(appearance), scale: 1, text: nil, icons: nil, cairo: cairo))
      })
    let row = layout.row(0)
    let edge: UInt32 = appearance == .highContrast ? 0xFF00_0000 : 0xFFFF_FFFF
    let column = Int(row.x + row.width / 2)
    #expect(pixels[Int(row.y + 1) * 300 + column] == edge)
    #expect(pixels[Int(row.maxY - 2) * 300 + column] == edge)
    #expect(pixels[Int(layout.row(1).maxY - 2) * 300 + column] != edge)
  }

  @Test func `keysyms of Latin-1 and Unicode stand for their character, others for nothing`() {
    #expect(KeyEvent.shortcut(of: 0x61) == "a")
    #expect(KeyEvent.shortcut(of: 0xE9) == "é")
    #expect(KeyEvent.shortcut(of: 0x0100_D55C) == "한")
    #expect(KeyEvent.shortcut(of: 0x0101_F600) == "😀")
    #expect(KeyEvent.shortcut(of: 0xFF1B) == "")
    #expect(KeyEvent.shortcut(of: 0x0100_D800) == "")
  }
}
