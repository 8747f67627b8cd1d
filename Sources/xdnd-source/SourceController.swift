import ToolSupport
import ToolWindow
import XDnD

/// The window to drag from, and what happens to what was dragged out of it.
final class SourceController {
  let rows: [SourceRow]
  let options: SharedOptions
  let reporter: Reporter
  let driver: DragAndDrop
  let loop: EventLoop
  let window: ToolWindow
  private(set) lazy var interaction = DragInteraction(driver, delegate: self)

  var selection: RowSelection {
    didSet { if selection != oldValue { selectionChanged(from: oldValue) } }
  }
  /// The drag that the user holds, or whose drop is not over.
  var drag: DragSession?
  /// The rows of that drag, or of the last one.
  var draggedRows: [Int] = []
  /// What they look like at the pointer.
  var preview: DragPreview?
  /// The rows whose content was moved somewhere else.
  var movedRows: Set<Int> = []
  /// How the drag has ended while a file of it is still written.
  var pendingStatus: ExitStatus?

  init(rows: [SourceRow], options: SharedOptions, reporter: Reporter) throws(XDnDError) {
    self.rows = rows
    self.options = options
    self.reporter = reporter
    selection = RowSelection(count: rows.count)
    driver = try DragAndDrop(connectingTo: options.display, configuration: options.configuration)
    driver.tamper = options.misbehavior(of: .source)
    loop = EventLoop(driver)
    guard let display = driver.display else { throw .displayClosed }
    window = ToolWindow(
      display: display, title: rows.count == 1 ? rows[0].title : "\(rows.count) items",
      applicationName: "xdnd-source", geometry: options.geometry,
      defaultSize: PixelSize(width: 320, height: min(480, 96 + 56 * rows.count)), focusModel: .globallyActive)
  }

  func run() -> ExitStatus {
    driver.onOtherEvent = { [window] in window.handle(event: $0) }
    window.onMapped = { [unowned self] in reportReady() }
    window.onPress = { [unowned self] in pressed($0) }
    window.onMotion = { [unowned self] in moved($0) }
    window.onRelease = { [unowned self] in released($0) }
    window.onKey = { [unowned self] in typed($0) }
    window.onClose = { [unowned self] in close() }
    if let timeout = options.timeout { loop.after(timeout) { [unowned self] in timeOut() } }
    // What `--action` names first is what a drop does.
    interaction.policy = .firstOffered
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

  /// Whether a new drag may begin.
  var isFree: Bool { drag == nil || drag?.outcome != nil }

  // MARK: The window

  func updateScene(footer: String? = nil) {
    var scene = Scene(
      title: rows.count == 1 ? "Drag this" : "Drag a row, or this for all \(rows.count)",
      rows: rows.enumerated().map { index, row in
        Scene.Row(
          row.title, secondary: movedRows.contains(index) ? "moved" : row.details, state: state(ofRow: index))
      },
      footer: footer ?? window.scene.footer)
    scene.focusedRow = selection.cursor
    window.scene = scene
  }

  private func state(ofRow index: Int) -> Scene.Row.State {
    if selection.rows.contains(index) { return .selected }
    if drag != nil, draggedRows.contains(index) { return .highlighted }
    return movedRows.contains(index) ? .dimmed : .plain
  }

  private func selectionChanged(from old: RowSelection) {
    updateScene()
    guard selection.rows != old.rows else { return }
    reporter.printForPrograms(
      Report("selection", "", ["rows": .list(selection.rows.sorted().map { .integer($0) })]))
  }

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

  // MARK: Ends

  func close() {
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
