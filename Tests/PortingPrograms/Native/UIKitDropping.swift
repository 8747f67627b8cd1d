import XDnD

/// A view that takes photos: those of its own program are moved, all others are copied.
final class PhotoDropDelegate: DropDelegate {
  private(set) var photos: [EncodedImage] = []
  private(set) var isHighlighted = false

  func validateDrop(_ drop: DropSession) -> Bool { drop.canLoad(EncodedImage.self) }

  func dropEntered(_ drop: DropSession) { isHighlighted = true }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    DropProposal(operation: drop.localDrag == nil ? .copy : .move)
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { isHighlighted = false }

  func performDrop(_ drop: DropSession) {
    drop.load(EncodedImage.self) { [weak self] result in
      guard let self, case .success(let photo) = result else { return drop.reject() }
      photos.append(photo)
      drop.finish(drop.droppedOperation ?? .copy)
    }
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) { isHighlighted = false }
}

/// - Parameter delegate: Not retained.
func acceptPhotos(in window: WindowID, _ dragAndDrop: DragAndDrop, delegate: PhotoDropDelegate) {
  dragAndDrop.registerDropTarget(
    window, accepting: DropOffer([.image], operations: [.copy, .move]), delegate: delegate)
}
