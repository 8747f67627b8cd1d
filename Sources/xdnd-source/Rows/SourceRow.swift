import XDnDToolSupport
import XDnDToolWindow
import XDnD
import XDnDFiles

/// A draggable row of the list.
struct SourceRow {
  /// The effect of a drop on the row.
  enum Mark: String {
    case moved, taken
  }

  let title: String
  let details: String
  /// The path of the local file that the row offers; `nil` for content, promised copies and remote URIs.
  var path: [UInt8]?
  var icon: Scene.Icon
  /// Whether the icon was chosen without the system's MIME database.
  var isIconGuessed = false
  /// The path or URI that a double click opens; `nil` if there is none.
  var opened: [UInt8]?
  var size: Int?
  /// The drag image if the row is dragged alone; `nil` for the row's card.
  var picture: ContentPicture?
  /// The image that becomes ``picture`` when it is decoded, which takes time.
  var image: EncodedPicture?
  /// The note that replaces the details after a drop.
  var mark: Mark?
  /// Whether a target has moved the row's file away, even if the file has come back.
  var wasMoved = false
  /// Why the last drop of the row failed; `nil` if it did not.
  var failure: String?
  /// Makes the item to drag, on demand: most rows of a long list are never dragged, and making an item reads the file.
  ///
  /// A row that is dragged together with others offers a file by URI only, see ``OfferMaker``.
  let item: (_ isOneOfMany: Bool) -> DragItem

  static func items(of rows: [SourceRow]) -> [DragItem] { rows.map { $0.item(rows.count > 1) } }

  /// Merges all rows into one clipboard item.
  static func copy(of rows: [SourceRow]) -> DragItem {
    DragItem(copying: items(of: rows), files: rows.compactMap(\.path))
  }
}

/// Makes rows from files and content options.
struct RowMaker {
  let operations: [DragOperation]
  let offers: OfferMaker
  let form: RowForm

  /// Returns the row of a file. `argument` is in the form of the command line, see ``RawArgument``.
  func row(forFile argument: String) -> SourceRow {
    let file = SourceFile(argument)
    let title = form == .paths ? RawArgument.string(file.path) : file.name
    return SourceRow(
      title: offers.name ?? Formatting.visible(title), details: file.size.map(Formatting.size) ?? "folder",
      path: offers.promisesFiles || offers.remote != nil ? nil : file.path, icon: file.icon(by: .builtIn),
      isIconGuessed: true, opened: file.path, size: file.size
    ) { isOneOfMany in
      var item = offers.item(for: file, isOneOfMany: isOneOfMany)
      item.operations = operations
      return item
    }
  }

  func row(for contents: [OfferedContent.Value]) -> SourceRow {
    var item = offers.item(for: contents)
    item.operations = operations
    return SourceRow(
      title: offers.name ?? Formatting.visible(contents.title), details: contents.words, icon: contents.icon,
      opened: contents.opened, size: contents.fileSize, picture: contents.picture, image: contents.image
    ) { [item] _ in item }
  }

  /// Returns the row of a listed file. Returns `nil` for a file that cannot be dragged, after reporting it.
  func row(listed name: [UInt8], _ reporter: Reporter) -> SourceRow? {
    let argument = NameList.argument(of: name)
    guard let problem = SourceFile.problem(with: argument) else { return row(forFile: argument) }
    reporter.printForPrograms(
      Report("skipped", "", ["path": .path(RawArgument.bytes(of: argument)), "reason": .string(problem)]))
    Reporter.printError("xdnd-source", problem)
    return nil
  }
}

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
  /// Replaces a guessed icon with the one from the system's MIME database. Call it after the first drawing.
  mutating func refineIcon() {
    guard isIconGuessed, let file = icon.file else { return }
    let isLink = icon.isLink
    icon = Scene.Icon(type: TypeDatabase.system.type(forFileName: file.lastName).name, file: file)
    icon.isLink = isLink
  }
}

extension [OfferedContent.Value] {
  /// The icon of the row, for the first option, which has the highest fidelity.
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
    // Shows the file's thumbnail if it has one; otherwise the icon of the given MIME type.
    case .file(let path): Scene.Icon(type: type.name, file: SourceFile(path).path)
    case .bytes: Scene.Icon(type: type.name)
    }
  }
}
