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

  /// A row for each file, and one for the content that text and types describe together.
  static func rows(
    files: [String], text: String?, types: [TypedContent], operations: [DragOperation]
  ) -> [SourceRow] {
    var rows = files.map { argument in
      let file = SourceFile(argument)
      var item = DragItem()
      item.promise(FileList(rawPaths: [file.path]))
      return SourceRow(
        title: Humane.visible(file.name), details: file.size.map(Humane.size) ?? "folder", item: item, path: file.path)
    }
    if text != nil || !types.isEmpty { rows.append(content(text: text, types: types)) }
    for index in rows.indices { rows[index].item.operations = operations }
    return rows
  }

  private static func content(text: String?, types: [TypedContent]) -> SourceRow {
    var item = DragItem()
    for content in types {
      if let path = content.path {
        item.promise(content.type, contentsOfFile: RawArgument.bytes(of: path))
      } else {
        item.promise(content.type, bytes: content.bytes)
      }
    }
    let text = text.map { String(decoding: RawArgument.bytes(of: $0), as: UTF8.self) }
    if let text { item.promise(text: text) }
    let file = types.compactMap(\.path).first.map { SourceFile($0) }
    let title = text.map { String($0.prefix(200)) } ?? file?.name ?? types.first.map(\.type.name) ?? ""
    let names = item.types.map(\.name)
    let size = text == nil ? file?.size.map { Humane.size($0) + ", " } ?? "" : ""
    let details =
      size + names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    return SourceRow(title: Humane.visible(title), details: details, item: item, path: nil)
  }

  /// Everything at once: all files in one list, and all other content.
  static func all(_ rows: [SourceRow]) -> DragItem {
    guard rows.count > 1 else { return rows.first?.item ?? DragItem() }
    let paths = rows.compactMap(\.path)
    var item = DragItem()
    if !paths.isEmpty { item.promise(FileList(rawPaths: paths)) }
    for row in rows where row.path == nil { item.append(representationsOf: row.item) }
    item.operations = rows.first?.item.operations ?? [.copy]
    return item
  }
}
