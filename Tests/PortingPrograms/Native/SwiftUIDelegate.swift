import XDnD

/// Takes pictures, unless the shelf is locked.
final class ShelfDropDelegate: DropDelegate {
  private(set) var pictures: [[UInt8]] = []
  var isLocked = false

  func validateDrop(_ drop: DropSession) -> Bool { !isLocked }

  func dropUpdated(_ drop: DropSession) -> DropProposal { DropProposal(operation: .copy) }

  func performDrop(_ drop: DropSession) {
    drop.load(.image) { [weak self] result in
      guard let self, case .success(let picture) = result else { return drop.reject() }
      pictures.append(picture.bytes)
      drop.finish(.copy)
    }
  }
}

func makeShelf(_ dragAndDrop: DragAndDrop, in window: WindowID) -> ShelfDropDelegate {
  let delegate = ShelfDropDelegate()
  dragAndDrop.onDrag(in: window) { _ in [DragItem(files: ["/home/me/photo.png"])] }
  dragAndDrop.onDrop(of: [.image], in: window, delegate: delegate)
  return delegate
}
