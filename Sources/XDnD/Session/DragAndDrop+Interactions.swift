extension DragAndDrop {
  /// Attaches a drag interaction to a window. The library then observes the presses. The counterpart of
  /// `UIView.addInteraction(_:)`.
  ///
  /// The host continues to receive all of its events. It must select its own events before this call, because
  /// `XSelectInput` replaces the whole event mask. If the host selects pointer events or touches with XInput 2, the
  /// server sends no core events; the library then reads the events of XInput 2.
  ///
  /// - Parameters:
  ///   - interaction: Retained until ``remove(_:)``, or until the window is destroyed. Of several at the same place,
  ///     the one added last receives the press.
  ///   - window: A window of this connection.
  ///   - frame: The part of the window that can be dragged from, in window-local device pixels; `nil` for the whole
  ///     window.
  public func add(_ interaction: DragInteraction, to window: WindowID, frame: Rect? = nil) {
    interactions.attach(interaction, to: window, frame: frame)
  }

  /// Detaches an interaction from all windows. A drag that it has begun continues.
  public func remove(_ interaction: DragInteraction) {
    interactions.detach(interaction)
  }

  /// Makes a part of a window draggable. The counterpart of SwiftUI's `onDrag(_:preview:)`.
  ///
  /// ```swift
  /// dragAndDrop.onDrag(in: window) { _ in
  ///   [DragItem("Hello")]
  /// } preview: { _ in
  ///   DragPreview(images: [greeting])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - window: A window of this connection. Select the host's events before this call: see ``add(_:to:frame:)``.
  ///   - frame: The part of the window, in window-local device pixels; `nil` for the whole window.
  ///   - operations: The permitted operations, best first; `nil` for each item's own operations. With `[.copy, .move]`
  ///     the items move within a container and are copied elsewhere, unless the user holds a modifier: see
  ///     ``OperationPolicy/standard``.
  ///   - trigger: The gesture that turns a press into a drag.
  ///   - items: Returns the items that a press drags; an empty array if there is nothing to drag at that place. Called
  ///     when the press has become a drag.
  ///   - preview: Returns the drag image. Without it, the images of the items are used, with a drawn one for each item
  ///     without an image.
  ///   - began: Called when a press has become a drag, with the drag: set its ``DragSession/onProgress``, or keep it
  ///     for ``DragSession/cancelDelivery()``.
  ///   - ended: Called at the end of each drag.
  /// - Returns: The interaction, for its other settings, such as ``DragInteraction/policy``, and for ``remove(_:)``. The
  ///   closures are retained with it.
  @discardableResult
  public func onDrag(
    in window: WindowID, frame: Rect? = nil, operations: [DragOperation]? = nil, trigger: DragTrigger = .motion,
    items: @escaping (DragPress) -> [DragItem], preview: ((DragPress) -> DragPreview?)? = nil,
    began: ((DragSession) -> Void)? = nil, ended: ((DragSession, DragOutcome) -> Void)? = nil
  ) -> DragInteraction {
    let permitted = { (press: DragPress) in
      items(press).map { item in
        var item = item
        item.operations = operations ?? item.operations
        return item
      }
    }
    let delegate = ClosureDragDelegate(items: permitted, preview: preview, began: began, ended: ended)
    let interaction = DragInteraction(self, retaining: delegate)
    interaction.trigger = trigger
    add(interaction, to: window, frame: frame)
    return interaction
  }

  /// Makes a part of a window draggable, with one value, which is copied. The counterpart of SwiftUI's
  /// `draggable(_:preview:)`. To permit a move, use ``onDrag(in:frame:operations:trigger:items:preview:began:ended:)``,
  /// and delete the value in `ended`.
  ///
  /// ```swift
  /// dragAndDrop.draggable(document.title, in: window)
  /// ```
  ///
  /// - Parameters:
  ///   - payload: The value. Evaluated when a press has become a drag.
  ///   - window: A window of this connection. Select the host's events before this call: see ``add(_:to:frame:)``.
  ///   - frame: The part of the window, in window-local device pixels; `nil` for the whole window.
  ///   - preview: Returns the drag image. Without it, the library draws one.
  /// - Returns: The interaction, for ``remove(_:)``. The closures are retained with it.
  @discardableResult
  public func draggable<Payload: Transferable>(
    _ payload: @autoclosure @escaping () -> Payload, in window: WindowID, frame: Rect? = nil,
    preview: (() -> DragPreview)? = nil
  ) -> DragInteraction {
    onDrag(in: window, frame: frame) { _ in
      [DragItem(payload())]
    } preview: { _ in
      preview?()
    }
  }
}

final class ClosureDragDelegate: DragInteractionDelegate {
  private let items: (DragPress) -> [DragItem]
  private let preview: ((DragPress) -> DragPreview?)?
  private let began: ((DragSession) -> Void)?
  private let ended: ((DragSession, DragOutcome) -> Void)?

  init(
    items: @escaping (DragPress) -> [DragItem], preview: ((DragPress) -> DragPreview?)?,
    began: ((DragSession) -> Void)?, ended: ((DragSession, DragOutcome) -> Void)?
  ) {
    self.items = items
    self.preview = preview
    self.began = began
    self.ended = ended
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    items(press)
  }

  func dragInteraction(_ interaction: DragInteraction, previewForDragAt press: DragPress) -> DragPreview? {
    preview?(press)
  }

  func dragInteraction(_ interaction: DragInteraction, began drag: DragSession) { began?(drag) }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) { ended?(drag, outcome) }
}
