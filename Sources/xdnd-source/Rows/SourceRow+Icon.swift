import ToolWindow
import XDnD

extension SourceFile {
  /// Returns the icon of the file's row.
  ///
  /// - Parameter database: The built-in one before the window is drawn; reading the system's takes milliseconds.
  func icon(by database: TypeDatabase) -> Scene.Icon {
    guard size != nil else { return Scene.Icon(.folder, type: "inode/directory") }
    return Scene.Icon(type: database.type(forFileName: leaf).name, file: path)
  }
}

extension SourceRow {
  /// Replaces a guessed icon by that of the system's MIME database. Call it after the first drawing.
  mutating func refineIcon() {
    guard isIconGuessed, let file = icon.file else { return }
    let leaf = file.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    icon = Scene.Icon(type: TypeDatabase.system.type(forFileName: leaf).name, file: file)
  }
}

extension [OfferedContent.Value] {
  /// The icon of the row: that of the first option, which has the highest fidelity.
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
    // A thumbnail of the file if it has one; the MIME type is the one given.
    case .file(let path): Scene.Icon(type: type.name, file: SourceFile(path).path)
    case .bytes: Scene.Icon(type: type.name)
    }
  }
}
