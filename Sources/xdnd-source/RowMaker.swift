import ToolSupport
import XDnD

/// Makes rows of what the user names, on the command line or in a list.
struct RowMaker {
  /// What may be done with them, the default first.
  var operations: [DragOperation] = [.copy]
  /// Whether files are written where they are wanted, instead of being handed out themselves.
  var isPromising = false
  /// Whether nothing is offered but what was said: content and no file made of it, or a file and nothing of its content.
  var isExact = false
  /// Whether what is in a file comes before the file.
  var isContentFirst = false
  /// What the file is called that is made of the one thing that there is.
  var name: String?
  /// How files are named to others; `nil` for as this machine names them.
  var remote: RemotePrefix?
  /// What rows call a file.
  var paths = WindowOptions.Paths.name
  /// What runs the commands whose output is dragged.
  var commands = CommandQueue()

  /// A row for a file; `argument` is as on the command line, see ``RawArgument``.
  func row(forFile argument: String) -> SourceRow {
    let file = SourceFile(argument)
    let isPromised = isPromising || name != nil
    let title = paths == .full ? RawArgument.string(file.path) : file.name
    let (operations, name, remote) = (operations, name, remote)
    let (isExact, isContentFirst) = (isExact, isContentFirst)
    return SourceRow(
      title: name ?? Humane.visible(title), details: file.size.map(Humane.size) ?? "folder",
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

  /// A row for the content that all options describe together.
  func row(for contents: [OfferedContent.Value]) -> SourceRow {
    var item = contents.item(running: commands)
    if !isExact, let file = contents.file(named: name, running: commands) { item.promise(file) }
    item.operations = operations
    let names = item.types.map(\.name)
    let size = contents.fileSize.map { Humane.size($0) + ", " } ?? ""
    let details =
      size + names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    return SourceRow(
      title: name ?? Humane.visible(contents.title), details: details, icon: contents.icon, opened: contents.opened,
      size: contents.fileSize
    ) { [item] _ in item }
  }
}
