/// A target's answer to one position of a drag: `XdndStatus` on the wire.
///
/// The counterpart of UIKit's `UIDropProposal` and SwiftUI's `DropProposal`.
public struct DropProposal: Hashable, Sendable {
  /// The operation that a drop here would perform; `nil` refuses the drop.
  public var operation: DragOperation?

  /// The area, in window-local device pixels, in which the answer stays the same. The source may omit positions there.
  ///
  /// Empty by default: the source reports every position, which insertion points and auto-scroll need.
  public var quietRegion: Rect

  /// The place that a drop here would apply to, in window-local device pixels: an insertion point, a tab, a row. Empty
  /// by default.
  ///
  /// A drag image larger than this region shrinks and moves beside the pointer, so that the place stays visible.
  /// `XdndStatus` carries the region as its rectangle, with the request for every position; a nonempty ``quietRegion``
  /// takes precedence. By default, a drop region with ``DropRegion/springLoading`` marks its frame. UIKit's counterpart
  /// is `prefersFullSizePreview`.
  public var markedRegion: Rect

  /// How many items the drop would take; `nil` for the items that the ``DropOffer`` accepts. The counterpart of
  /// `NSDraggingInfo.numberOfValidItemsForDrop`.
  ///
  /// The badge of the drag image shows it while the pointer is over the target. It has no effect on a drag from another
  /// program, because XDND has no message for a number of items. See ``DropSession/acceptedItems``.
  public var itemCount: Int?

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - operation: The operation that a drop here would perform; `nil` refuses the drop.
  ///   - quietRegion: See ``quietRegion``.
  ///   - markedRegion: See ``markedRegion``.
  ///   - itemCount: See ``itemCount``.
  public init(
    operation: DragOperation?, quietRegion: Rect = Rect(x: 0, y: 0, width: 0, height: 0),
    markedRegion: Rect = Rect(x: 0, y: 0, width: 0, height: 0), itemCount: Int? = nil
  ) {
    self.operation = operation
    self.quietRegion = quietRegion
    self.markedRegion = markedRegion
    self.itemCount = itemCount
  }

  /// Accepts a drop with `operation`.
  public static func accept(
    _ operation: DragOperation, quietIn region: Rect = Rect(x: 0, y: 0, width: 0, height: 0)
  ) -> DropProposal {
    DropProposal(operation: operation, quietRegion: region)
  }

  /// Accepts a drop with `operation`, at a mark that no drag image covers; see ``markedRegion``.
  public static func accept(_ operation: DragOperation, marking region: Rect) -> DropProposal {
    DropProposal(operation: operation, markedRegion: region)
  }

  /// Refuses a drop.
  public static let forbidden = DropProposal(operation: nil, quietRegion: Rect(x: 0, y: 0, width: 0, height: 0))
}
