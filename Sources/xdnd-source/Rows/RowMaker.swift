import XDnDToolSupport
import XDnD

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
