// Apple's names, for a program that is ported with `XDnDFoundation`. Copy this file into the program: an alias is visible
// in its module only, and hides the library's type of the same name there.

import XDnD
import XDnDFoundation

typealias NSItemProvider = ItemProvider
typealias NSString = String
typealias UTType = ContentType

typealias DropDelegate = DropInfoDelegate

typealias UIDragAnimating = DragInteractionAnimating
typealias UIDragInteraction = DragSourceInteraction
typealias UIDragInteractionDelegate = DragSourceDelegate
typealias UIDragItem = DragItem
typealias UIDragPreview = DragImage
typealias UIDragSession = DragInteractionSession
typealias UITargetedDragPreview = DragImage

typealias UIDropInteraction = DropInteraction
typealias UIDropInteractionDelegate = DropInteractionDelegate
typealias UIDropOperation = DragOperation?
typealias UIDropProposal = DropProposal
typealias UIDropSession = DropInteractionSession

typealias CGPoint = Point
typealias CGRect = Rect
typealias UIImage = EncodedImage
typealias UIPasteboard = Clipboard
