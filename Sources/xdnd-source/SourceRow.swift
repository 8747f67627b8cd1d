import ToolSupport
import ToolWindow
import XDnD

/// One thing that can be dragged by itself.
struct SourceRow {
  var title: String
  var details: String
  var item: DragItem
  /// The file that it stands for, if it stands for one.
  var path: [UInt8]?
  /// In bytes, if that is known.
  var size: Int?
  /// What stands before its name.
  var icon: Scene.Icon

  /// A row for each file, and one for the content that all options describe together.
  ///
  /// - Parameters:
  ///   - isPromising: Whether files are written where they are wanted, instead of being handed out themselves.
  ///   - isExact: Whether content is offered as it is, and not as a file.
  ///   - name: What the file is called that is made of the one thing that there is.
  static func rows(
    files: [String], contents: [OfferedContent.Value], operations: [DragOperation], isPromising: Bool = false,
    isExact: Bool = false, savingAs name: String? = nil
  ) -> [SourceRow] {
    var rows = files.map { argument in
      let file = SourceFile(argument)
      let isPromised = isPromising || name != nil
      return SourceRow(
        title: name ?? Humane.visible(file.name), details: file.size.map(Humane.size) ?? "folder",
        item: isPromised ? file.promisedItem(named: name) : file.item, path: isPromised ? nil : file.path,
        size: file.size,
        icon: file.icon)
    }
    if !contents.isEmpty { rows.append(row(for: contents, isExact: isExact, savingAs: name)) }
    for index in rows.indices { rows[index].item.operations = operations }
    return rows
  }

  /// All rows as something that file managers paste: they want to be told that the files are to be copied.
  static func copy(of rows: [SourceRow]) -> DragItem {
    var item = DragItem(joining: rows.map(\.item))
    let paths = rows.compactMap(\.path)
    if !paths.isEmpty {
      item.append(
        representationsOf: DragItem(CopiedFiles(files: FileList(rawPaths: paths), operation: .copy)),
        of: [.gnomeCopiedFiles, .kdeCutSelection])
    }
    return item
  }

  private static func row(for contents: [OfferedContent.Value], isExact: Bool, savingAs name: String?) -> SourceRow {
    var item = contents.item
    if !isExact, let file = contents.file(named: name) { item.promise(file) }
    let names = item.types.map(\.name)
    let size = contents.fileSize.map { Humane.size($0) + ", " } ?? ""
    let details =
      size + names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    return SourceRow(
      title: name ?? Humane.visible(contents.title), details: details, item: item, size: contents.fileSize,
      icon: contents.icon)
  }
}
