import XDnDToolSupport
import XDnD

/// Makes rows from files and content options.
struct RowMaker {
  enum TitleForm: String, CaseIterable {
    case name
    case full
  }

  let operations: [DragOperation]
  /// Whether files are offered as promised copies instead of their own URIs (`--promise`).
  let isPromising: Bool
  /// Whether only the named representations are offered (`--exact`): content without a file made from it, files
  /// without their content.
  let isExact: Bool
  /// Whether a file's content is offered before its URI (`--content-first`).
  let isContentFirst: Bool
  /// The file name for the only dragged thing (`--save-as`).
  let name: String?
  /// The URI prefix for file paths; `nil` for local `file:` URIs.
  let remote: RemotePrefix?
  let titleForm: TitleForm
  let commands: CommandQueue

  /// Returns the row of a file. `argument` is in the form of the command line, see ``RawArgument``.
  func row(forFile argument: String) -> SourceRow {
    let file = SourceFile(argument)
    let isPromised = isPromising || name != nil
    let title = titleForm == .full ? RawArgument.string(file.path) : file.name
    return SourceRow(
      title: name ?? Formatting.visible(title), details: file.size.map(Formatting.size) ?? "folder",
      path: isPromised || remote != nil ? nil : file.path, icon: file.icon(by: .builtIn),
      isIconGuessed: true, opened: file.path, size: file.size
    ) { isOneOfMany in
      var item =
        if isPromised {
          file.promisedItem(named: name)
        } else if isOneOfMany || isExact {
          file.list(remote)
        } else {
          file.item(remote, contentFirst: isContentFirst)
        }
      item.operations = operations
      return item
    }
  }

  func row(for contents: [OfferedContent.Value]) -> SourceRow {
    var item = contents.item(running: commands)
    if !isExact, let file = contents.file(named: name, running: commands) { item.promise(file) }
    item.operations = operations
    return SourceRow(
      title: name ?? Formatting.visible(contents.title), details: contents.words, icon: contents.icon,
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
