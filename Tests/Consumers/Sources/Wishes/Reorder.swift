import XDnD

/// Rows that are dragged to another place of their list. A line shows the place.
final class Reordering: DropDelegate {
  private let list: RowList
  init(_ list: RowList, _ dnd: DragAndDrop) {
    self.list = list
    dnd.onDrag(in: list.host.id, operations: [.move]) { press in
      guard let row = list.row(at: press.location) else { return [] }
      var item = DragItem(list.rows[row])
      item.localContext = row
      item.isRestrictedToApplication = true
      return [item]
    }
    dnd.onDrop(of: [.plainText], operations: [.move], in: list.host.id, delegate: self)
  }

  func validateDrop(_ drop: DropSession) -> Bool { drop.localItems != nil }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    list.insertionIndex = drop.location.map(list.insertionIndex(at:))
    return .accept(.move, marking: list.insertionLine)
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { list.insertionIndex = nil }

  func performDrop(_ drop: DropSession) {
    defer { list.insertionIndex = nil }
    guard let row = drop.localItems?[0].localContext as? Int, let index = list.insertionIndex else { return }
    list.rows.insert(list.rows.remove(at: row), at: index > row ? index - 1 : index)
    drop.finish(.move)
    show(list.rows.joined(separator: " "))
  }
}
