import Foundation
import XDnD
import XDnDFoundation

final class Gallery {
  var isLocked = false
  var isTargeted = false
  private(set) var pictures: [Data] = []

  func add(_ picture: Data) {
    pictures.append(picture)
  }
}

struct GalleryDropDelegate: DropInfoDelegate {
  let gallery: Gallery

  func validateDrop(info: DropInfo) -> Bool {
    !gallery.isLocked && info.hasItemsConforming(to: [.image])
  }

  func dropEntered(info: DropInfo) {
    gallery.isTargeted = true
  }

  func dropUpdated(info: DropInfo) -> DropProposal? {
    DropProposal(operation: .copy)
  }

  func dropExited(info: DropInfo) {
    gallery.isTargeted = false
  }

  func performDrop(info: DropInfo) -> Bool {
    gallery.isTargeted = false
    guard let provider = info.itemProviders(for: [.image]).first else { return false }
    _ = provider.loadDataRepresentation(for: .image) { picture, _ in
      guard let picture else { return }
      gallery.add(picture)
    }
    return true
  }
}

// MARK: The view

func show(_ gallery: Gallery, _ dragAndDrop: DragAndDrop, in window: WindowID) {
  dragAndDrop.onDrop(of: [.image], in: window, delegate: GalleryDropDelegate(gallery: gallery))
}
