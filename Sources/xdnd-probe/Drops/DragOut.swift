import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Drags dropped content out of the window.
final class DragOut {
  var onEnd: () -> Void = {}

  private let driver: DragAndDrop
  private let window: ToolWindow
  private let content: WindowContent
  private let reporter: Reporter
  private lazy var interaction = DragInteraction(driver, delegate: self)
  private var keyDrag: DragSession?
  /// The drag image of the press that has become a drag.
  private var preview: DragPreview?
  private var draggedTitles: [String] = []
  private let narrator: DragNarrator

  init(
    _ driver: DragAndDrop, from window: ToolWindow, content: WindowContent, reporter: Reporter, on loop: EventLoop
  ) {
    self.driver = driver
    self.window = window
    self.content = content
    self.reporter = reporter
    narrator = DragNarrator(in: window, driver: driver, loop: loop, reporter: reporter)
    narrator.onChange = { [unowned content] in content.update() }
    content.dragHints = { [narrator] in narrator.hints }
  }

  func pressed(_ event: PointerEvent) {
    interaction.press(
      DragPress(
        rootLocation: Point(event.rootPosition), location: Point(event.position),
        button: PointerButton(rawValue: event.button), time: Timestamp(rawValue: event.time)))
  }

  func moved(_ event: PointerEvent) { interaction.move(to: Point(event.rootPosition)) }

  func released(_ event: PointerEvent) {
    let isUndecided = interaction.currentPress != nil && event.button == PointerButton.primary.rawValue
    interaction.release(PointerButton(rawValue: event.button))
    // A press of the primary button may still be a click or a drag; other buttons only click.
    if !isUndecided { window.takeOfferedFocus(at: event.time) }
  }

  /// Begins a drag without a held button: the arrow keys move it, Return or a click drops.
  func begin(at time: UInt32) {
    guard interaction.currentPress == nil, keyDrag?.outcome != nil || keyDrag == nil, let line = content.drops.current
    else { return }
    let items = line.parts.compactMap(\.item)
    guard !items.isEmpty else { return }
    draggedTitles = line.parts.map(\.title)
    content.drops.currentIndex.map(window.movePointer(toRow:))
    keyDrag = driver.beginDrag(items, button: nil, at: Timestamp(rawValue: time), delegate: self)
  }

  /// Reports the centers of the draggable rows in root pixels, for programs.
  func reportRows() {
    guard window.rootOrigin != nil else { return }
    let rows = window.scene.rows.indices.filter { row in
      content.line(ofRow: row)?.parts.contains { $0.item != nil } ?? false
    }
    guard !rows.isEmpty else { return }
    let places = Report.places(ofRows: rows, in: window) { window.scene.rows[$0].primary }
    reporter.printForPrograms("draggable", ["rows": places])
  }
}

extension DragOut: DragInteractionDelegate {
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    let row = window.row(at: PixelPoint(x: press.location.x, y: press.location.y))
    let parts = row.flatMap { content.line(ofRow: $0) }?.parts ?? []
    var items = parts.compactMap(\.item)
    preview = nil
    guard let row, !items.isEmpty else {
      window.takeOfferedFocus(at: press.time.rawValue)
      return []
    }
    window.declineOfferedFocus()
    draggedTitles = parts.map(\.title)
    guard let picture = window.picture(ofRow: row),
      let bitmap = Bitmap(width: picture.size.width, height: picture.size.height, pixels: picture.pixels)
    else { return items }
    items[0].preview = DragImage(bitmap, hotspot: window.dragHotspot)
    // A translucent card would lose contrast.
    preview = DragPreview(
      images: items.compactMap(\.preview), badge: .count(items.count > 1 ? items.count : 0),
      opacity: window.scene.appearance.isHighContrast ? 1 : 0.85, scale: window.scale)
    return items
  }

  func dragInteraction(_ interaction: DragInteraction, previewForDragAt press: DragPress) -> DragPreview? { preview }

  func dragInteraction(_ interaction: DragInteraction, clickedAt press: DragPress) {
    window.takeOfferedFocus(at: press.time.rawValue)
  }

  func dragBegan(_ drag: DragSession) {
    reporter.print(
      "drag-began", "Dragging dropped content out of the window.",
      ["types": .strings(drag.types.map(\.name)), "operations": .strings(drag.operations.map(\.description))])
    narrator.began(drag, draggedTitles, isByKeys: drag === keyDrag)
  }

  func drag(_ drag: DragSession, movedOver target: WindowID?) { narrator.moved(over: target) }

  func drag(_ drag: DragSession, isProposed operation: DragOperation?) { narrator.proposed(operation) }

  func drag(_ drag: DragSession, dropped operation: DragOperation) { narrator.dropped() }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    onEnd()
    let words =
      if case .dropped(let operation) = outcome { OperationWords.pastTense(operation) } else {
        ExitStatus(outcome).words
      }
    narrator.ended(drag, "Dragged out: \(words)")
    reporter.print("drag-ended", "Dragged out: \(words).", ["outcome": .string(outcome.word)])
  }
}

extension Point {
  fileprivate init(_ point: PixelPoint) { self.init(x: point.x, y: point.y) }
}
