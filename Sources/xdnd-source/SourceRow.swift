import ToolSupport
import ToolWindow
import XDnD

/// One thing that can be dragged by itself.
struct SourceRow {
  var title: String
  var details: String
  var item: DragItem

  /// A row for each file, and one for the content that all options describe together.
  static func rows(
    files: [String], contents: [OfferedContent.Value], operations: [DragOperation]
  ) -> [SourceRow] {
    var rows = files.map { argument in
      let file = SourceFile(argument)
      return SourceRow(
        title: Humane.visible(file.name), details: file.size.map(Humane.size) ?? "folder", item: file.item)
    }
    if !contents.isEmpty { rows.append(row(for: contents)) }
    for index in rows.indices { rows[index].item.operations = operations }
    return rows
  }

  private static func row(for contents: [OfferedContent.Value]) -> SourceRow {
    let item = contents.item
    let names = item.types.map(\.name)
    let size = contents.fileSize.map { Humane.size($0) + ", " } ?? ""
    let details =
      size + names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    return SourceRow(title: Humane.visible(contents.title), details: details, item: item)
  }
}

extension SourceFile {
  /// The file by its URI; and, for those that take no files, its content: under its own type, and as text if it is text.
  var item: DragItem {
    var item = DragItem(FileList(rawPaths: [path]))
    guard let size else { return item }
    let leaf = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    let type = TypeDatabase.system.type(forFileName: leaf)
    item.promise(type, contentsOfFile: path)
    guard size <= Self.textLimit, TypeDatabase.system.conforms(type, to: "text/plain") else { return item }
    for name: ContentType in [.plainText, .utf8String] {
      item.promise(name) { [path] request in
        // Under these names it has to be UTF-8. Under its own it is whatever it is.
        guard let bytes = Self.read(path, upTo: Self.textLimit), String(validating: bytes, as: UTF8.self) != nil
        else { return request.refuse() }
        request.fulfill(bytes)
      }
    }
    return item
  }

  /// The longest file that is offered as text, in bytes: it is what somebody may want to have in a text field.
  private static let textLimit = 1 << 20
}
