import ToolWindow
import XDnD

extension SourceFile {
  /// What the row of the file shows before its name.
  ///
  /// - Parameter database: That of the system takes milliseconds to read, and the window does not wait for it.
  func icon(by database: TypeDatabase) -> Scene.Icon {
    guard size != nil else { return Scene.Icon(.folder, type: "inode/directory") }
    return Scene.Icon(type: database.type(forFileName: leaf).name, file: path)
  }
}

extension SourceRow {
  /// Asks the system what was guessed before, once there is something to see.
  mutating func refineIcon() {
    guard isIconGuessed, let file = icon.file else { return }
    let leaf = file.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    icon = Scene.Icon(type: TypeDatabase.system.type(forFileName: leaf).name, file: file)
  }
}

extension [OfferedContent.Value] {
  /// What the row of the content shows before its name: the kind of the first, which is the best.
  var icon: Scene.Icon {
    switch first {
    case .color(let color):
      func part(_ value: UInt16) -> Double { Double(value) / Double(UInt16.max) }
      return Scene.Icon(
        .color(red: part(color.red), green: part(color.green), blue: part(color.blue), alpha: part(color.alpha)))
    case .link: return Scene.Icon(.link)
    case .html: return Scene.Icon(.text, type: "text/html")
    case .text, nil: return Scene.Icon(.text, type: "text/plain")
    case .typed(let content): return content.icon
    }
  }
}

extension TypedContent {
  fileprivate var icon: Scene.Icon {
    switch source {
    case .command: Scene.Icon(.command)
    // Of a picture, for one; the type is what it was said to be.
    case .file(let path): Scene.Icon(type: type.name, file: SourceFile(path).path)
    case .bytes: Scene.Icon(type: type.name)
    }
  }
}
