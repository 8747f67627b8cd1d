import ToolSupport
import ToolWindow
import XDnD

/// The window to drag from, and what happens to what was dragged out of it.
final class SourceController {
  private let rows: [SourceRow]
  private let options: SharedOptions
  private let reporter: Reporter
  private let driver: DragAndDrop
  private let loop: EventLoop
  private let window: ToolWindow
  private var press: Press?
  private var drag: DragSession?
  /// How the drag has ended while a file of it is still written.
  private var pendingStatus: ExitStatus?
  /// The row that is dragged; `nil` for everything.
  private var draggedRow: Int?

  /// A button that is down and may become a drag.
  private struct Press {
    var event: PointerEvent
    var row: Int?
  }

  /// How far the pointer has to move, in logical pixels, before a press is a drag.
  private static let threshold = 3.0

  init(rows: [SourceRow], options: SharedOptions, reporter: Reporter) throws(XDnDError) {
    self.rows = rows
    self.options = options
    self.reporter = reporter
    driver = try DragAndDrop(connectingTo: options.display, configuration: options.configuration)
    loop = EventLoop(driver)
    guard let display = driver.display else { throw .displayClosed }
    window = ToolWindow(
      display: display, title: rows.count == 1 ? rows[0].title : "\(rows.count) items",
      applicationName: "xdnd-source", geometry: options.geometry,
      defaultSize: PixelSize(width: 320, height: min(480, 96 + 56 * rows.count)))
  }

  func run() -> ExitStatus {
    driver.onOtherEvent = { [window] in window.handle(event: $0) }
    window.onMapped = { [unowned self] in reportReady() }
    window.onPress = { [unowned self] in pressed($0) }
    window.onMotion = { [unowned self] in moved($0) }
    window.onRelease = { [unowned self] in if $0.button == press?.event.button { press = nil } }
    window.onClose = { [unowned self] in close() }
    window.onKey = { [unowned self] in if $0.text == "q" || $0.keysym == 0xFF1B { close() } }
    if let timeout = options.timeout { loop.after(timeout) { [unowned self] in timeOut() } }
    updateScene()
    window.show()

    let status = loop.run { [unowned self] in close() }
    if status == .serverLost {
      window.detach()
      reporter.printServerLost(as: "xdnd-source")
    }
    window.close()
    return status
  }

  // MARK: The window

  private func updateScene(footer: String? = nil) {
    window.scene = Scene(
      title: rows.count == 1 ? "Drag this" : "Drag a row, or this for all \(rows.count)",
      rows: rows.enumerated().map { index, row in
        Scene.Row(
          row.title, secondary: row.details, state: drag != nil && isDragged(index) ? .selected : .plain)
      },
      footer: footer ?? window.scene.footer)
  }

  private func isDragged(_ row: Int) -> Bool { draggedRow.map { $0 == row } ?? true }

  private func reportReady() {
    let origin = window.rootOrigin ?? PixelPoint(x: 0, y: 0)
    reporter.print(
      Report(
        "ready", "Ready: drag from the window.",
        [
          "window": .integer(Int(window.windowID)), "x": .integer(origin.x), "y": .integer(origin.y),
          "width": .integer(window.size.width), "height": .integer(window.size.height),
          "rows": .list(
            rows.indices.map { index in
              let center = window.center(ofRow: index)
              return .object([
                ("title", .string(rows[index].title)), ("x", .integer(origin.x + center.x)),
                ("y", .integer(origin.y + center.y)),
              ])
            }),
        ]))
  }

  private func pressed(_ event: PointerEvent) {
    guard event.button == 1, drag == nil || drag?.outcome != nil else { return }
    press = Press(event: event, row: window.row(at: event.position))
  }

  private func moved(_ event: PointerEvent) {
    guard let press else { return }
    let dx = Double(event.rootPosition.x - press.event.rootPosition.x)
    let dy = Double(event.rootPosition.y - press.event.rootPosition.y)
    guard dx * dx + dy * dy >= Self.threshold * Self.threshold * window.scale * window.scale else { return }
    self.press = nil
    draggedRow = rows.count > 1 ? press.row : nil
    let items = draggedRow.map { [rows[$0].item] } ?? rows.map(\.item)
    drag = driver.beginDrag(
      items, button: PointerButton(rawValue: press.event.button), at: Timestamp(rawValue: press.event.time),
      policy: .firstOffered,
      delegate: self)
    updateScene(footer: "")
  }

  private func close() {
    if let drag, drag.outcome == nil {
      // The end of the drag ends the loop too, with its own code.
      drag.cancel()
    }
    loop.stop(.cancelled)
  }

  private func timeOut() {
    reporter.print(Report("timed-out", "Timed out."))
    // First, for the end of the drag would end the loop with a code of its own.
    loop.stop(.timedOut)
    drag?.cancel()
  }
}

extension SourceController: DragDelegate {
  func dragBegan(_ drag: DragSession) {
    reporter.print(
      Report(
        "drag-began", "Dragging \(draggedRow.map { rows[$0].title } ?? rows.map(\.title).joined(separator: ", ")).",
        [
          "types": .strings(drag.types.map(\.name)),
          "operations": .strings(drag.operations.map(\.description)),
        ]))
  }

  func drag(_ drag: DragSession, movedOver target: WindowID?) {
    reporter.print(
      target.map { Report("target", "Over window \($0).", ["window": .integer(Int($0.rawValue))]) }
        ?? Report("target", "Over nothing that takes drops.", ["window": nil]))
  }

  func drag(_ drag: DragSession, isProposed operation: DragOperation?) {
    reporter.print(
      operation.map { Report("proposal", "A drop would \($0).", ["operation": .string($0.description)]) }
        ?? Report("proposal", "A drop would do nothing."))
  }

  func drag(_ drag: DragSession, dropped operation: DragOperation) {
    reporter.print(
      Report("drop-sent", "Dropped, to \(operation).", ["operation": .string(operation.description)]))
    updateScene(footer: "Dropped, waiting for the target")
  }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    reporter.print(
      Report(
        "sent", successfully ? "Sent \(type)." : "Could not send \(type).",
        ["type": .string(type.name), "ok": .boolean(successfully)]))
  }

  func drag(_ drag: DragSession, saved file: [UInt8], byteCount: Int) {
    let path = String(decoding: file, as: UTF8.self)
    reporter.print(
      Report(
        "saved", "Saved \(Humane.visible(RawArgument.string(file))): \(Humane.bytes(byteCount)).",
        ["path": .string(path), "bytes": .integer(byteCount)]))
    endIfWritten(drag)
  }

  func drag(_ drag: DragSession, failedToSave error: XDnDError) {
    reporter.print(
      Report("not-saved", "Not saved: \(Humane.visible(error.message)).", ["reason": .string(error.message)]))
    if pendingStatus == .dropped { pendingStatus = .transferFailed }
    endIfWritten(drag)
  }

  /// Ends the tool if it waits for nothing but this.
  private func endIfWritten(_ drag: DragSession) {
    guard let status = pendingStatus, !drag.isWriting else { return }
    loop.stop(status)
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    let status = ExitStatus(outcome)
    let sentence = outcome.sentence
    reporter.print(
      Report(
        "ended", sentence,
        [
          "outcome": .string(status.word), "operation": outcome.operation.map { .string($0.description) },
          "reason": outcome.reason.map { .string($0) }, "delete": .boolean(drag.isDeletionRequested),
        ]))
    self.drag = nil
    updateScene(footer: sentence)
    guard options.once, outcome != .cancelled(.buttonReleased) else { return }
    // The target does not wait for a file that takes long; we do.
    if drag.isWriting { pendingStatus = status } else { loop.stop(status) }
  }
}
