import ToolSupport
import ToolWindow
import XDnD

/// Dragging dropped content out of the window (`--keep`).
extension ProbeController: DragInteractionDelegate {
  func pressed(_ event: PointerEvent) {
    if event.button == 1, let row = window.row(at: event.position), let line = line(ofRow: row) { look(at: line.id) }
    guard settings.keeps else { return }
    interaction.press(
      DragPress(
        rootLocation: Point(event.rootPosition), location: Point(event.position),
        button: PointerButton(rawValue: event.button), time: Timestamp(rawValue: event.time)))
  }

  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    guard let row = window.row(at: PixelPoint(x: press.location.x, y: press.location.y)), let line = line(ofRow: row)
    else { return [] }
    var items = line.parts.compactMap(\.item)
    guard let picture = window.picture(ofRow: row), !items.isEmpty,
      let bitmap = Bitmap(width: picture.size.width, height: picture.size.height, pixels: picture.pixels)
    else { return items }
    items[0].preview = DragImage(bitmap)
    return items
  }

  /// Begins a drag without a held button: the arrow keys move it, Return or a click drops.
  func dragOut(at time: UInt32) {
    let lines = history.lines
    guard settings.keeps, view == .history, interaction.currentPress == nil, keyDrag?.outcome != nil || keyDrag == nil,
      let line = lines.first(where: { $0.id == lookedAt }) ?? lines.first
    else { return }
    let items = line.parts.compactMap(\.item)
    guard !items.isEmpty else { return }
    keyDrag = driver.beginDrag(items, button: nil, at: Timestamp(rawValue: time), delegate: self)
  }

  func dragBegan(_ drag: DragSession) {
    reporter.print(
      Report(
        "drag-began", "Dragging it out again.",
        [
          "types": .strings(drag.types.map(\.name)), "operations": .strings(drag.operations.map(\.description)),
        ]))
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    let status = ExitStatus(outcome)
    reporter.print(Report("drag-ended", "Dragged out: \(status.word).", ["outcome": .string(status.word)]))
  }

  /// Reports the centers of the draggable rows in root pixels, for programs.
  func reportKept() {
    guard settings.keeps, let origin = window.rootOrigin else { return }
    let rows = window.scene.rows.indices.filter { line(ofRow: $0)?.parts.contains { $0.item != nil } ?? false }
    reporter.printForPrograms(
      Report(
        "kept", "",
        [
          "rows": .list(
            rows.map { row in
              let center = window.center(ofRow: row)
              return .object([
                ("title", .string(window.scene.rows[row].primary)), ("x", .integer(origin.x + center.x)),
                ("y", .integer(origin.y + center.y)),
              ])
            })
        ]))
  }
}

extension Point {
  fileprivate init(_ point: PixelPoint) { self.init(x: point.x, y: point.y) }
}

extension ProbeController {
  func moved(_ event: PointerEvent) { interaction.move(to: Point(event.rootPosition)) }

  func released(_ event: PointerEvent) { interaction.release(PointerButton(rawValue: event.button)) }
}
