import ToolSupport
import ToolWindow
import XDnD

/// One thing that can be dragged by itself.
struct SourceRow {
  var title: String
  var details: String
  /// The file that it stands for, if it is handed out itself.
  var path: [UInt8]?
  /// In bytes, if that is known.
  var size: Int?
  /// What stands before its name.
  var icon: Scene.Icon
  /// Whether that is by the few types that are known without asking the system.
  let isIconGuessed: Bool
  /// What opens it: a path or a URI; `nil` for what no program opens.
  var opened: [UInt8]?
  /// Made when it is wanted: of a long list most is never dragged, and files are looked into.
  private let make: (_ isOneOfMany: Bool) -> DragItem

  init(
    title: String, details: String, path: [UInt8]? = nil, icon: Scene.Icon, isIconGuessed: Bool = false,
    opened: [UInt8]? = nil,
    size: Int? = nil,
    make: @escaping (_ isOneOfMany: Bool) -> DragItem
  ) {
    self.title = title
    self.details = details
    self.path = path
    self.icon = icon
    self.isIconGuessed = isIconGuessed
    self.opened = opened
    self.size = size
    self.make = make
  }

  /// What is dragged.
  ///
  /// - Parameter isOneOfMany: Whether it is dragged with others: then a file is its name and no more, for the content of
  ///   several files put together is nothing that anybody wants.
  func item(isOneOfMany: Bool = false) -> DragItem { make(isOneOfMany) }

  /// The items of rows that are dragged or copied together.
  static func items(of rows: [SourceRow]) -> [DragItem] { rows.map { $0.item(isOneOfMany: rows.count > 1) } }

  /// All rows as something that file managers paste: they want to be told that the files are to be copied.
  static func copy(of rows: [SourceRow]) -> DragItem {
    var item = DragItem(joining: items(of: rows))
    let paths = rows.compactMap(\.path)
    if !paths.isEmpty {
      item.append(
        representationsOf: DragItem(CopiedFiles(files: FileList(rawPaths: paths), operation: .copy)),
        of: [.gnomeCopiedFiles, .kdeCutSelection])
    }
    return item
  }
}
