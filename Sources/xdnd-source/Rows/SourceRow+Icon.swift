import XDnDFiles
import XDnDToolSupport
import XDnDToolWindow
import XDnD

extension SourceFile {
  /// Returns the icon of the file's row.
  ///
  /// - Parameter database: The built-in one before the window is drawn; reading the system's takes milliseconds.
  func icon(by database: TypeDatabase) -> Scene.Icon {
    var icon =
      size == nil
      ? Scene.Icon(.folder, type: "inode/directory")
      : Scene.Icon(type: database.type(forFileName: path.lastName).name, file: path)
    icon.isLink = isLink
    return icon
  }
}

extension SourceRow {
  /// Replaces a guessed icon by that of the system's MIME database. Call it after the first drawing.
  mutating func refineIcon() {
    guard isIconGuessed, let file = icon.file else { return }
    let isLink = icon.isLink
    icon = Scene.Icon(type: TypeDatabase.system.type(forFileName: file.lastName).name, file: file)
    icon.isLink = isLink
  }
}

extension [OfferedContent.Value] {
  /// The icon of the row: that of the first option, which has the highest fidelity.
  var icon: Scene.Icon {
    switch first {
    case .color(let color): Scene.Icon(.color(color))
    case .link: Scene.Icon(.link)
    case .html: Scene.Icon(.text, type: "text/html")
    case .text, nil: Scene.Icon(.text, type: "text/plain")
    case .typed(let content): content.icon
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
