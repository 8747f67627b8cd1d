extension DragAndDrop {
  /// Has a drag begin when the user presses in a window and moves. The library sees the presses by itself.
  ///
  /// The host sees all of its events as before. It has to select the events that it wants before this call:
  /// `XSelectInput` replaces the whole mask. Where a toolkit takes the pointer with XInput 2 no core events come, and
  /// the host feeds the interaction itself.
  ///
  /// - Parameters:
  ///   - interaction: Retained until ``remove(_:)``, or until the window is gone. Where several have been added to the
  ///     same place the newest is asked.
  ///   - window: A window of this connection.
  ///   - frame: The part of the window that can be dragged from, in device pixels from its upper left corner; by default
  ///     all of it.
  public func add(_ interaction: DragInteraction, to window: WindowID, frame: Rect? = nil) {
    interactions.attach(interaction, to: window, frame: frame)
    reactor.system.watch(window, for: .gestures)
    reactor.system.flush()
  }

  /// Takes an interaction from all places that it was added to. A drag that it has begun goes on.
  public func remove(_ interaction: DragInteraction) {
    for window in interactions.detach(interaction) { reactor.system.unwatch(window, for: .gestures) }
    interaction.cancel()
  }

  /// Makes a part of a window something to drag from.
  ///
  /// ```swift
  /// driver.onDrag(in: window) { _ in
  ///   [DragItem("Hello")]
  /// } preview: { _ in
  ///   DragPreview(images: [greeting])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - window: A window of this connection; see ``add(_:to:frame:)`` for what the host has to do before.
  ///   - frame: The part of the window, in device pixels from its upper left corner; by default all of it.
  ///   - trigger: What makes a drag of a press.
  ///   - items: What a press at a place drags; nothing, if there is nothing at that place.
  ///   - preview: What the user sees at the pointer; without it, the images of the items, and where an item has none, one
  ///     that the library draws.
  ///   - ended: Called when a drag is over.
  /// - Returns: What was added, for ``remove(_:)``.
  @discardableResult
  public func onDrag(
    in window: WindowID, frame: Rect? = nil, trigger: DragTrigger = .motion,
    items: @escaping (DragPress) -> [DragItem], preview: ((DragPress) -> DragPreview?)? = nil,
    ended: ((DragSession, DragOutcome) -> Void)? = nil
  ) -> DragInteraction {
    let delegate = ClosureDragDelegate(items: items, preview: preview, ended: ended)
    let interaction = DragInteraction(self, retaining: delegate)
    interaction.trigger = trigger
    add(interaction, to: window, frame: frame)
    return interaction
  }

  /// How far a press has to move if nobody says otherwise, in device pixels.
  func dragThreshold(for trigger: DragTrigger) -> Int {
    let settings = reactor.system.settings
    return DragGesture.Settings.threshold(for: trigger, desktop: settings.dragThreshold, scale: settings.scale)
  }
}

/// Closures instead of methods.
final class ClosureDragDelegate: DragInteractionDelegate {
  private let items: (DragPress) -> [DragItem]
  private let preview: ((DragPress) -> DragPreview?)?
  private let ended: ((DragSession, DragOutcome) -> Void)?

  init(
    items: @escaping (DragPress) -> [DragItem], preview: ((DragPress) -> DragPreview?)?,
    ended: ((DragSession, DragOutcome) -> Void)?
  ) {
    self.items = items
    self.preview = preview
    self.ended = ended
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    items(press)
  }

  func dragInteraction(_ interaction: DragInteraction, previewForDragAt press: DragPress) -> DragPreview? {
    preview?(press)
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) { ended?(drag, outcome) }
}
