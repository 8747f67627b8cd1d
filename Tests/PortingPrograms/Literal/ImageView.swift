import XDnD
import XDnDFoundation

extension PictureController: UIDragInteractionDelegate {
  func dragInteraction(_ interaction: UIDragInteraction, itemsForBeginning session: any UIDragSession) -> [UIDragItem] {
    guard let image = imageView.image, imageView.frame.contains(session.location(in: view)) else { return [] }
    let provider = NSItemProvider(object: image)
    var item = UIDragItem(itemProvider: provider)
    item.localObject = image
    return [item]
  }

  func dragInteraction(
    _ interaction: UIDragInteraction, previewForLifting item: UIDragItem, session: any UIDragSession
  ) -> UITargetedDragPreview? {
    item.localObject is UIImage ? UITargetedDragPreview(view: imageView) : nil
  }

  func dragInteraction(
    _ interaction: UIDragInteraction, willAnimateLiftWith animator: any UIDragAnimating, session: any UIDragSession
  ) {
    animator.addAnimations { self.imageView.alpha = 0.5 }
  }

  func dragInteraction(
    _ interaction: UIDragInteraction, session: any UIDragSession, didEndWith operation: UIDropOperation
  ) {
    imageView.alpha = 1
    if operation == .move { imageView.image = nil }
  }
}

extension PictureController: UIDropInteractionDelegate {
  func dropInteraction(_ interaction: UIDropInteraction, canHandle session: any UIDropSession) -> Bool {
    session.hasItemsConforming(toTypeIdentifiers: [UTType.image.identifier]) && session.items.count == 1
  }

  func dropInteraction(_ interaction: UIDropInteraction, sessionDidUpdate session: any UIDropSession) -> UIDropProposal
  {
    let location = session.location(in: view)
    let operation: UIDropOperation
    if imageView.frame.contains(location) {
      operation = session.localDragSession == nil ? .copy : .move
    } else {
      operation = .cancel
    }
    imageView.isHighlighted = operation != .cancel
    return UIDropProposal(operation: operation)
  }

  func dropInteraction(_ interaction: UIDropInteraction, sessionDidExit session: any UIDropSession) {
    imageView.isHighlighted = false
  }

  func dropInteraction(_ interaction: UIDropInteraction, performDrop session: any UIDropSession) {
    session.loadObjects(ofClass: UIImage.self) { images in
      guard let image = images.first else { return }
      self.imageView.image = image
    }
  }

  func dropInteraction(_ interaction: UIDropInteraction, sessionDidEnd session: any UIDropSession) {
    imageView.isHighlighted = false
  }
}

// MARK: The view

final class PictureController {
  var imageView = ImageView(frame: Rect(x: 10, y: 10, width: 80, height: 80))
  let view: WindowID

  init(_ dragAndDrop: DragAndDrop, in window: WindowID) {
    view = window
    dragAndDrop.add(UIDragInteraction(delegate: self), to: view)
    dragAndDrop.add(UIDropInteraction(delegate: self), to: view)
  }
}

struct ImageView {
  let frame: Rect
  var image: UIImage?
  var alpha = 1.0
  var isHighlighted = false
}

extension UITargetedDragPreview {
  init?(view: ImageView) {
    let (width, height) = (view.frame.width, view.frame.height)
    let gray = [UInt32](repeating: 0xFF80_8080, count: width * height)
    guard let bitmap = Bitmap(width: width, height: height, pixels: gray) else { return nil }
    self.init(bitmap)
  }
}
