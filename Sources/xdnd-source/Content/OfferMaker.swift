import XDnDToolSupport
import XDnD

/// Makes the offer for each thing to drag. `docs/xdnd-source.md` has the same rules as a table.
///
/// - A file is offered as in file managers: a list with its URI, and its path as text. Its content is not offered,
///   because some programs would prefer it: mlterm types text into the shell, and Krita asks whether the file or the
///   image is meant. `--content-first` offers the content before the list.
/// - Content is offered in its types, and by direct save for programs that make files. A list of files would make text
///   editors open a document instead of inserting the text. So a list is offered only if such content is usually kept
///   in files, or if the user has named the file. It names the file that the content comes from, or else a temporary
///   file.
/// - A file that is marked as a clipping is offered as content, as the content option of its type would offer it.
struct OfferMaker {
  /// The file name for the only dragged thing (`--save-as`).
  let name: String?
  /// Whether files are offered as promised copies instead of their own URIs (`--promise`).
  let isPromising: Bool
  /// Whether only the named content is offered (`--exact`): content without a file, files without their path as text.
  let isExact: Bool
  /// Whether a file's content is offered before its URI (`--content-first`).
  let isContentFirst: Bool
  /// The URI prefix for file paths; `nil` for local `file:` URIs.
  let remote: RemotePrefix?
  let commands: CommandQueue

  /// Whether files are offered as promised copies, which the target cannot move.
  var promisesFiles: Bool { isPromising || name != nil }

  /// - Parameter isOneOfMany: Whether the file is dragged together with others. Then a file that is not promised is
  ///   offered by URI only: joined contents would be valid in none of their types, and a terminal would run each line
  ///   of a list of paths.
  func item(for file: SourceFile, isOneOfMany: Bool) -> DragItem {
    if promisesFiles {
      var item = DragItem()
      item.promise(file.copy(named: name))
      return item
    }
    let list = file.list(remote)
    if isOneOfMany || isExact { return list }
    if remote == nil, ClippingMark.isPresent(onFileAt: file.path), var item = file.content {
      item.promise(file.copy(named: nil), isNamed: false)
      return item
    }
    if isContentFirst, let content = file.content { return DragItem(merging: [content, list]) }
    return DragItem(merging: [list] + (file.text(remote).map { [DragItem($0)] } ?? []))
  }

  func item(for contents: [OfferedContent.Value]) -> DragItem {
    var item = contents.item(running: commands)
    if !isExact, let file = contents.file(named: name, running: commands) { item.promise(file, isNamed: name != nil) }
    return item
  }
}

extension DragItem {
  /// Also offers the content as a file.
  ///
  /// A named file counts as a document, and so does content of a type that is usually kept in files, such as a picture.
  /// Anything else is a clipping. Without a name, targets known to open such a file as a document are offered the text
  /// alone.
  ///
  /// - Parameter isNamed: Whether the user has chosen the name.
  fileprivate mutating func promise(_ file: FilePromise, isNamed: Bool) {
    var file = file
    let isDocument = types.contains(file.type) && TypeDatabase.system.isAtHomeInFile(file.type)
    file.isClipping = !isNamed && !isDocument
    file.givesWayToText = !isNamed
    // The original does not have the name that the user has chosen.
    file.listsOriginal = !isNamed
    promise(file)
  }

  /// Creates an item with the representations of all items, in order of preference.
  init(merging items: [DragItem]) {
    self.init()
    for item in items { append(representationsOf: item) }
  }
}
