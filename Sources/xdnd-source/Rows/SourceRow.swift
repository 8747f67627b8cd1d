import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// A draggable row of the list.
struct SourceRow {
  let title: String
  let details: String
  /// The path of the file that the row offers by URI; `nil` for content and promised copies.
  var path: [UInt8]?
  var icon: Scene.Icon
  /// Whether the icon was chosen without the system's MIME database.
  var isIconGuessed = false
  /// The path or URI that a double click opens; `nil` if there is none.
  var opened: [UInt8]?
  var size: Int?
  /// What is dragged in place of the row's card, if the row is dragged alone; `nil` for the card.
  var picture: ContentPicture?
  /// The image that becomes ``picture`` when it is decoded, which takes time.
  var image: EncodedPicture?
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
