import ToolSupport
import ToolWindow
import XDnD

/// The window to drag from, and what happens to what was dragged out of it.
final class SourceController {
  var rows: [SourceRow]
  let settings: SourceSettings
  let reporter: Reporter
  let driver: DragAndDrop
  let loop: EventLoop
  let window: ToolWindow
  /// Where more rows come from; `nil` if there are none to come.
  var names: NameReader?
  private(set) lazy var interaction = DragInteraction(driver, delegate: self)

  var selection: RowSelection {
    didSet { if selection != oldValue { selectionChanged(from: oldValue) } }
  }
  /// The rows of the drag that was begun last.
  var draggedRows: [Int] = []
  /// The drags of which something may still be heard, until nobody can ask for their content any more.
  var logs: [ObjectIdentifier: DragLog] = [:]
  /// What they look like at the pointer.
  var preview: DragPreview?
  /// What the image at the pointer is, if the user has said so.
  let icon: DragImage?
  /// What has become of rows, in a word.
  var marks: [Int: String] = [:]
  var clicks = DoubleClick()
  /// Where the pointer has come to with a new press, while the last drop is not decided.
  var heldMotion: Point?
  /// How the last drag has ended.
  var lastStatus: ExitStatus?
  /// Whether the tool has been told to end, and only lets a drop finish.
  var isEnding = false
  /// How the tool ends once a file has been written.
  var pendingStatus: ExitStatus?
  /// Until when to try to get hold of the pointer, for a drag that begins at once.
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

  /// In logical pixels from the upper edge of the window: below the heading, or what stands for all, which is higher.
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
    // What `--action` names first is what a drop does.
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

  /// Whether a new drag may begin. Drops that are under way do not keep it from that, unless the tool ends with one of
  /// them.
  var isFree: Bool {
    guard !isEnding, pendingStatus == nil, !rows.isEmpty, !isUndecided else { return false }
    return !endsWithFirstDrop || openLogs.isEmpty
  }

  /// Whether a target owes the answer that a drop waits for. A new drag would end that one: there is one source window.
  var isUndecided: Bool { logs.values.contains(where: \.isUndecided) }

  /// The drags that are not over.
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
      // A line without anything keeps the row, and its icon, as large as others.
      secondary: form.iconOnly ? " " : form.nameOnly ? "" : mark ?? row.details, state: state, progress: progress,
      icon: form.nameOnly ? nil : row.icon)
  }

  /// What stands for all rows.
  private var handle: Scene.Handle {
    var handle = Scene.Handle(
      "All items", badge: String(rows.count), details: settings.window.iconOnly ? "" : totalSize)
    handle.isHighlighted = openLogs.contains { $0.rows.count == rows.count }
    return handle
  }

  /// The sum of what has a size; empty if nothing has.
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

  /// Which rows there are, and where, for programs.
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
