import ToolSupport
import ToolWindow
import XDnD

/// The window with the draggable rows, and the drag sessions that start in it.
final class SourceController {
  var rows: [SourceRow]
  let settings: SourceSettings
  let reporter: Reporter
  let driver: DragAndDrop
  let loop: EventLoop
  let window: ToolWindow
  /// The source of further file names from standard input; `nil` once it has ended, or if there is none.
  var names: NameReader?
  private(set) lazy var interaction = DragInteraction(driver, delegate: self)

  var selection: RowSelection {
    didSet { if selection != oldValue { selectionChanged(from: oldValue) } }
  }
  /// The rows of the most recent drag.
  var draggedRows: [Int] = []
  /// The drags that can still produce events, until their content is released.
  var logs: [ObjectIdentifier: DragLog] = [:]
  /// The drag image of the most recent drag.
  var preview: DragPreview?
  /// The drag image of `--icon`; `nil` renders the rows.
  let icon: DragImage?
  /// The note shown in place of a row's details after a drop, such as "moved".
  var marks: [Int: String] = [:]
  var clicks = DoubleClick()
  /// The pointer's latest root position during a press that waits for the previous drop to be decided.
  var heldMotion: Point?
  /// The result of the most recent drag.
  var lastStatus: ExitStatus?
  /// Whether the tool was asked to end and is only completing a drop.
  var isEnding = false
  /// The exit status to use once a promised file has been written.
  var pendingStatus: ExitStatus?
  /// The deadline for retrying the pointer grab, for a drag that starts at once (`--now`).
  var grabDeadline: ContinuousClock.Instant?

  init(
    rows: [SourceRow], names: NameReader? = nil, icon: DragImage? = nil, settings: SourceSettings, reporter: Reporter
  ) throws(XDnDError) {
    self.rows = rows
    self.names = names
    self.icon = icon
    self.settings = settings
    self.reporter = reporter
    selection = RowSelection(count: rows.count)
    let shared = settings.shared
    driver = try DragAndDrop(connectingTo: shared.display, configuration: settings.configuration)
    driver.tamper = shared.misbehavior(of: .source)
    loop = EventLoop(driver)
    guard let display = driver.display else { throw .displayClosed }
    let shown = max(rows.count, names == nil ? 1 : 4)
    let size = PixelSize(
      width: settings.window.iconOnly ? 160 : 360, height: min(520, 112 + (settings.window.nameOnly ? 34 : 54) * shown))
    var geometry = shared.geometry
    if settings.window.atPointer {
      let grip = PixelPoint(x: size.width / 2, y: Self.middleOfFirstRow(of: rows.count, settings.window))
      geometry = .atPointer(
        of: display, size: geometry?.size, defaultSize: size, scale: driver.desktopAppearance.scale, grip: grip)
    }
    window = ToolWindow(
      display: display, title: Self.title(of: rows), applicationName: "xdnd-source", geometry: geometry,
      defaultSize: size, scale: driver.desktopAppearance.scale, focusModel: .globallyActive)
    window.adopt(settings.window.style)
  }

  /// Returns the y coordinate in logical pixels, window-local. The first row lies below the title, or below the
  /// handle, which is taller.
  private static func middleOfFirstRow(of count: Int, _ window: WindowOptions) -> Int {
    (count > 1 ? 64 : 48) + (window.nameOnly ? 17 : 27)
  }

  func run() -> ExitStatus {
    driver.onOtherEvent = { [window] in window.handle(event: $0) }
    window.onMapped = { [unowned self] in reportReady() }
    window.onPress = { [unowned self] in pressed($0) }
    window.onMotion = { [unowned self] in moved($0) }
    window.onRelease = { [unowned self] in released($0) }
    window.onKey = { [unowned self] in typed($0) }
    loop.watch(window.iconDescriptor) { [window] in window.takeIcons() }
    window.onClose = { [unowned self] in close() }
    if let timeout = settings.shared.timeout { loop.after(timeout) { [unowned self] in timeOut() } }
    // The first operation in `--action` is the default.
    interaction.policy = .firstOffered
    window.follow(settings.shared.appearance, of: driver)
    window.onDrawn = { [unowned self] in
      for index in rows.indices { rows[index].refineIcon() }
      updateScene()
    }
    updateScene()
    if settings.drag.now { beginNow() } else { window.show() }

    let status = loop.run { [unowned self] in close() }
    reporter.progressBar?.erase()
    if status == .serverLost {
      window.detach()
      reporter.printServerLost(as: "xdnd-source")
    }
    window.close()
    return status
  }

  /// Whether a new drag may begin. Drops in progress do not prevent one, unless the tool exits with one of them.
  var isFree: Bool {
    guard !isEnding, pendingStatus == nil, !rows.isEmpty, !isUndecided else { return false }
    return !endsWithFirstDrop || openLogs.isEmpty
  }

  /// Whether a drag is in progress, or its drop waits for the target's `XdndStatus`. A new drag would abort it,
  /// because both share one source window.
  var isUndecided: Bool { logs.values.contains(where: \.isUndecided) }

  /// The drags that have not ended.
  var openLogs: [DragLog] { logs.values.filter { $0.status == nil } }

  // MARK: The window

  func updateScene(footer: String? = nil) {
    let open = openLogs
    let dragged = Set(open.flatMap(\.rows))
    var scene = Scene(
      title: rows.isEmpty ? "" : "Drag this",
      rows: rows.enumerated().map { index, row in
        look(
          of: row, mark: marks[index], state: state(ofRow: index, dragged),
          progress: open.first { $0.rows == [index] }?.transfers.fraction)
      },
      footer: footer ?? window.scene.footer,
      placeholder: names == nil ? "" : "Waiting for names of files", appearance: window.scene.appearance)
    scene.focusedRow = selection.cursor
    if rows.count > 1 { scene.handle = handle }
    window.scene = scene
  }

  private func look(of row: SourceRow, mark: String?, state: Scene.Row.State, progress: Double?) -> Scene.Row {
    let form = settings.window
    return Scene.Row(
      form.iconOnly ? "" : row.title,
      // A blank second line keeps the row and its icon at the full height.
      secondary: form.iconOnly ? " " : form.nameOnly ? "" : mark ?? row.details, state: state, progress: progress,
      icon: form.nameOnly ? nil : row.icon)
  }

  /// The heading that drags all rows.
  private var handle: Scene.Handle {
    var handle = Scene.Handle(
      "All items", badge: String(rows.count), details: settings.window.iconOnly ? "" : totalSize)
    handle.isHighlighted = openLogs.contains { $0.rows.count == rows.count }
    return handle
  }

  /// The total size of the rows with a known size; empty if there are none.
  private var totalSize: String {
    let sizes = rows.compactMap(\.size)
    return sizes.isEmpty ? "" : Humane.size(sizes.reduce(0, +))
  }

  private func state(ofRow index: Int, _ dragged: Set<Int>) -> Scene.Row.State {
    if selection.rows.contains(index) { return .selected }
    if dragged.contains(index) { return .highlighted }
    return marks[index] != nil ? .dimmed : .plain
  }

  private func selectionChanged(from old: RowSelection) {
    updateScene()
    guard selection.rows != old.rows else { return }
    reporter.printForPrograms(
      Report("selection", "", ["rows": .list(selection.rows.sorted().map { .integer($0) })]))
  }

  static func title(of rows: [SourceRow]) -> String { rows.count == 1 ? rows[0].title : "\(rows.count) items" }

  private func reportReady() {
    let origin = window.rootOrigin ?? PixelPoint(x: 0, y: 0)
    reporter.print(
      Report(
        "ready", "Ready: drag from the window.",
        [
          "window": .integer(Int(window.windowID)), "x": .integer(origin.x), "y": .integer(origin.y),
          "width": .integer(window.size.width), "height": .integer(window.size.height),
          "rows": places(ofRows: rows.indices, from: origin),
        ]))
    watchNames()
  }

  /// Returns the titles and centers of rows in root pixels, for the JSON output.
  func places(ofRows indices: Range<Int>, from origin: PixelPoint) -> Report.Value {
    .list(
      indices.map { index in
        let center = window.center(ofRow: index)
        return .object([
          ("title", .string(rows[index].title)), ("x", .integer(origin.x + center.x)),
          ("y", .integer(origin.y + center.y)),
        ])
      })
  }
}
