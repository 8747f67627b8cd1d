import Glibc
import Testing

@testable import XDnDToolWindow

/// Icons of the desktop's theme, and our own.
@Suite("Icons") struct IconTests {
  @Test func `are called by the type, and by what is like it`() {
    let names = TypeIcons(
      special: ["application/x-foo:foo-special\n"],
      generic: ["application/pdf:x-office-document\napplication/x-foo:package-x-generic\n", "application/pdf:late"])
    #expect(names.names(for: "application/pdf").prefix(2) == ["application-pdf", "x-office-document"])
    #expect(names.names(for: "application/x-foo").first == "foo-special")
    #expect(names.names(for: "image/png") == ["image-png", "image-x-generic"])
    #expect(names.names(for: "text/plain;charset=utf-8").first == "text-plain")
    #expect(names.names(for: "text/vcard") == ["text-vcard", "x-office-address-book", "text-x-generic"])
    #expect(names.names(for: "inode/directory").first == "folder")
    #expect(
      names.names(for: "application/octet-stream")
        == ["application-octet-stream", "application-x-generic", "unknown"])
    #expect(names.names(for: "application/json").last == "text-x-generic")
    #expect(names.names(for: "../../etc/passwd").allSatisfy { !$0.contains("/") })
  }

  @Test func `come from the nearest size, and from what the theme inherits`() throws {
    let directory = try TemporaryDirectory()
    func make(_ theme: String, _ index: String, _ files: [String]) throws {
      mkdir("\(directory.path)/\(theme)", 0o700)
      _ = try directory.write(Array(index.utf8), to: "\(theme)/index.theme")
      for file in files {
        mkdir("\(directory.path)/\(theme)/\(file.prefix { $0 != "/" })", 0o700)
        _ = try directory.write([], to: "\(theme)/\(file)")
      }
    }
    try make(
      "New",
      """
      [Icon Theme]
      Name=New
      Inherits=Old,New
      Directories=16,48,any,../evil
      ScaledDirectories=24@2
      [16]
      Size=16
      Type=Fixed
      [48]
      Size=48
      [24@2]
      Size=24
      Scale=2
      [any]
      Size=64
      MinSize=8
      MaxSize=512
      Type=Scalable
      [../evil]
      Size=24
      """, ["16/a.png", "48/a.png", "16/b.png", "48/b.png", "any/b.svg", "24@2/a.png", "48/fall.png"])
    try make("Old", "[Icon Theme]\nDirectories=22\n[22]\nSize=22\n", ["22/only.png", "22/fall.png", "22/wanted.png"])
    let theme = IconTheme(named: "New", in: [directory.path])
    func find(_ names: String..., size: Int, scale: Int = 1) -> String? {
      theme.file(for: names, size: size, scale: scale)
        .map { String(decoding: $0.dropFirst(directory.path.utf8.count + 1), as: UTF8.self) }
    }
    #expect(find("a", size: 16) == "New/16/a.png")
    #expect(find("a", size: 47) == "New/48/a.png")
    #expect(find("a", size: 24, scale: 2) == "New/24@2/a.png")
    #expect(find("b", size: 36) == "New/any/b.svg")
    #expect(find("only", size: 36) == "Old/22/only.png")
    // Something of the theme goes before what fits better in another one.
    #expect(find("wanted", "fall", size: 36) == "New/48/fall.png")
    #expect(find("none", size: 36) == nil)
    #expect(IconTheme(named: "../New", in: [directory.path]).file(for: ["a"], size: 16, scale: 1) == nil)
  }

  @Test func `the symbol says what kind of thing it is`() {
    func symbol(_ type: String) -> Scene.Icon.Symbol { Scene.Icon(type: type).symbol }
    #expect(symbol("image/png") == .picture)
    #expect(symbol("inode/directory") == .folder)
    #expect(symbol("application/zip") == .archive)
    #expect(symbol("application/x-compressed-tar") == .archive)
    #expect(symbol("application/json") == .text)
    #expect(symbol("text/x-moz-url") == .link)
    #expect(symbol("application/pdf") == .document)
    #expect(symbol("application/octet-stream") == .unknown)
    #expect(symbol("inode/socket") == .unknown)
    #expect(symbol("nonsense") == .unknown)
  }

  private func paint(_ rows: [Scene.Row], _ appearance: Scene.Appearance = .light) throws -> [UInt32] {
    let scene = Scene(rows: rows, appearance: appearance)
    return try #require(
      ImageSurface.pixels(size: PixelSize(width: 300, height: 200)) { cairo in
        let pen = Pen(theme: Theme(appearance), scale: 1, text: nil, icons: nil, cairo: cairo)
        scene.draw(in: SceneLayout(scene, width: 300, height: 200), with: pen)
      })
  }

  @Test(arguments: Scene.Appearance.allCases)
  func `each symbol looks different`(_ appearance: Scene.Appearance) throws {
    let symbols: [Scene.Icon.Symbol] = [
      .folder, .document, .picture, .text, .archive, .audio, .video, .link, .command,
      .unknown, .color(red: 1, green: 0, blue: 0, alpha: 1),
    ]
    let pictures = try symbols.map { try paint([Scene.Row("a", secondary: "b", icon: Scene.Icon($0))], appearance) }
    #expect(Set(pictures).count == symbols.count)
  }

  @Test(arguments: Scene.Appearance.allCases)
  func `a symbolic link has an arrow in the lower left corner of its icon`(_ appearance: Scene.Appearance) throws {
    let plain = Scene.Icon(.folder)
    var link = plain
    link.isLink = true
    let layout = SceneLayout(Scene(rows: [Scene.Row("a", icon: plain)]), width: 300, height: 200)
    let row = layout.row(0)
    let side = SceneLayout.smallIcon
    let icon = Box(x: row.x + SceneLayout.textInset, y: row.midY - side / 2, width: side, height: side)
    let (before, after) = (
      try paint([Scene.Row("a", icon: plain)], appearance), try paint([Scene.Row("a", icon: link)], appearance)
    )
    let changed = before.indices.filter { before[$0] != after[$0] }
    #expect(changed.count > 20)
    for pixel in changed {
      let (x, y) = (Double(pixel % 300), Double(pixel / 300))
      #expect(x >= icon.x.rounded(.down) && x <= icon.x + side / 2)
      #expect(y >= icon.midY.rounded(.down) && y <= icon.maxY)
    }
  }

  @Test func `names stand below each other, with an icon or without one`() {
    let bare = SceneLayout(Scene(rows: [Scene.Row("a")]), width: 300, height: 200)
    #expect(bare.iconSide == nil)
    let mixed = Scene(rows: [Scene.Row("a"), Scene.Row("b", icon: Scene.Icon(.folder))])
    #expect(SceneLayout(mixed, width: 300, height: 200).iconSide == SceneLayout.smallIcon)
    let high = Scene(rows: [Scene.Row("a", secondary: "x", icon: Scene.Icon(.folder))])
    #expect(SceneLayout(high, width: 300, height: 200).iconSide == SceneLayout.largeIcon)
  }

  @Test func `a settings file is read line by line`() {
    let file = SettingsFile("a=0\n[One]\n# comment\n b = c = d \n[Two]\nlist= x, y,,z\n[One]\ne=f\n")
    #expect(file["One", "b"] == "c = d")
    #expect(file["One", "e"] == "f")
    #expect(file["One", "a"] == nil)
    #expect(file.list("Two", "list") == ["x", "y", "z"])
    #expect(SettingsFile("[=\n]\n\u{0}")["", ""] == nil)
  }
}
