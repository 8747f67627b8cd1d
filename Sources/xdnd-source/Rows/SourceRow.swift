import ToolSupport
import ToolWindow
import XDnD

/// A draggable row of the list.
struct SourceRow {
  var title: String
  var details: String
  /// The path of the file that the row offers by URI; `nil` for content and promised copies.
  var path: [UInt8]?
  /// The size in bytes, if known.
  var size: Int?
  var icon: Scene.Icon
  /// Whether the icon was chosen without the system's MIME database.
  let isIconGuessed: Bool
  /// The path or URI that a double click opens; `nil` if there is none.
  var opened: [UInt8]?
  /// Makes the item on demand: most rows of a long list are never dragged, and making an item reads the file.
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

  /// Returns the item to drag.
  ///
  /// - Parameter isOneOfMany: Whether the row is dragged together with others. A file is then offered by URI only,
  ///   because the concatenated content of several files is of no use.
  func item(isOneOfMany: Bool = false) -> DragItem { make(isOneOfMany) }

  /// Returns the items of rows that are dragged or copied together.
  static func items(of rows: [SourceRow]) -> [DragItem] { rows.map { $0.item(isOneOfMany: rows.count > 1) } }

  /// Merges all rows into one clipboard item. File managers require the copy operation to be stated
  /// (`x-special/gnome-copied-files`, `application/x-kde-cutselection`).
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
