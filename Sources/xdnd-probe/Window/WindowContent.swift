import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// What the window shows: the view of the selected tab, the drop highlight, and a question.
final class WindowContent {
  let drops: DropList
  let questions: QuestionQueue
  /// The keys that undo and redo something now, in words.
  var undoHint: () -> String = { "" }

  private let window: ToolWindow
  private let reporter: Reporter
  private let loop: EventLoop
  private let views: [ProbeView]
  /// The directory that drops are saved in, for display; `nil` if they are not saved.
  private let saveDirectory: String?
  private var view = ProbeView.history
  /// The drag over the window, or the last one.
  private var live: LiveDrag?
  private var dropHighlight = Scene.DropHighlight.none
  /// The part of the window that would take the drop by itself; `nil` if the drop would be added to the list.
  private var targetedPart: Scene.Part?
  /// The tab that a drag is over, and whether it is highlighted as about to spring open.
  private var spring: (view: ProbeView, isEmphasized: Bool)?
  private var regions: ProbeRegions?
  /// What the last key has done, in the footer; empty for nothing to say.
  private var message = ""
  /// The work under way, by drop, and what follows the loads of the drop: those of a paste say themselves how far they are.
  private var works: [ObjectIdentifier: (work: RowWork, loads: DropPlaceholder?)] = [:]

  init(
    of window: ToolWindow, views: [ProbeView], saveDirectory: String?, budget: Int, reporter: Reporter,
    on loop: EventLoop
  ) {
    self.window = window
    self.loop = loop
    self.views = views
    self.saveDirectory = saveDirectory
    self.reporter = reporter
    drops = DropList(budget: budget) { [window] in window.decodePicture(.bytes($0), $1) }
    questions = QuestionQueue(reporter: reporter)
    drops.onPreview = { [unowned self] in
      update()
      reportPreview()
    }
    questions.onChange = { [unowned self] in update() }
    window.onTab = { [unowned self] index in ProbeView(rawValue: index).map { select($0) } }
    window.onResize = { [unowned self] in placeRegions() }
    window.onButton = { [questions] in questions.answer($0) }
    window.onRowAction = { [unowned self] row in _ = line(ofRow: row).map { stopWork(on: $0) } }
    window.onField = { [unowned self] in regions?.field.edited($0) }
    window.onSelectedText = { [unowned self] in regions?.field.drag.receive($0, $1) }
  }

  /// - Parameters:
  ///   - fieldDrag: Drags the text of the field.
  ///   - delegate: Handles the drags over the regions like those over the rest of the window. Not retained.
  ///   - onFailure: Ends a drop on the text field whose text cannot be loaded.
  func makeRegions(
    accepting offer: DropOffer, fieldDrag: FieldDrag, delegate: any WindowDropDelegate,
    onFailure: @escaping (DropSession, XDnDError) -> Void
  ) -> [DropRegion] {
    let field = TrialField(
      in: self, window, drag: fieldDrag, operations: offer.operations, delegate: delegate, reporter: reporter,
      onFailure: onFailure)
    let regions = ProbeRegions(
      of: self, tabs: views, field: field, offer: offer, delegate: delegate, scale: window.scale)
    self.regions = regions
    return regions.all
  }

  private func placeRegions() { regions?.place(in: window, view: view) }

  func stop() { regions?.field.cancelLoad() }

  /// The text field while it has the keyboard focus within the window.
  var focusedField: TrialField? { window.scene.field?.isFocused == true ? regions?.field : nil }

  // MARK: The scene

  func update() {
    var scene = Scene(
      placeholder: saveDirectory.map { "Drop something here to save it in \($0)" } ?? "Drop something here",
      density: view == .history ? .comfortable : .compact, dropHighlight: dropHighlight,
      appearance: window.scene.appearance,
      bar: questions.bar)
    scene.footer = message
    // A question names its own keys.
    if view != .trial, scene.bar == nil { scene.keyHint = keyHint }
    switch view {
    case .live: scene.rows = live?.rows ?? []
    case .trial:
      scene.title = "Drag something here to try it"
      scene.rows = Self.trialRows
      scene.field = regions?.field.text
    case .history:
      let content = drops.content()
      scene.rows = content.rows
      scene.preview = content.preview
      scene.focusedRow = content.selectedRow
    }
    // A question takes the keyboard focus.
    if scene.bar != nil { scene.field?.isFocused = false }
    scene.highlightedPart = targetedPart ?? .list
    var tabs = Scene.Tabs(views.map(title), selected: view.rawValue)
    tabs.highlighted = spring?.view.rawValue
    tabs.isEmphasized = spring?.isEmphasized ?? false
    scene.tabs = tabs
    window.scene = scene
    let title = [drops.percent.map { "\($0) %" }, drops.title?.clipped(to: Self.titleLimit), Self.programName]
    window.title = title.compactMap(\.self).joined(separator: " – ")
    placeRegions()
  }

  /// The keys that help with past and new drops.
  private var keyHint: String {
    var hints = [undoHint()].filter { !$0.isEmpty }
    if currentLine?.parts.contains(where: { $0.item != nil }) == true {
      hints += ["Control+C copies the row", "Return starts a drag"]
    }
    return (hints + ["Control+V pastes"]).joined(separator: ", ")
  }

  static let programName = "xdnd-probe"
  /// Leaves room for the program's name in a list of windows.
  private static let titleLimit = LabelLimit(scalarCount: 60)

  /// Suggestions to try, and enough rows to scroll.
  private static let trialRows =
    [
      "Hover over a tab: it opens", "Hover near an edge of the list: it scrolls",
      "Turn the wheel while dragging: the list scrolls", "Drop text between letters of the field below",
    ].map { Scene.Row($0, wraps: true) } + (5...60).map { Scene.Row("Row \($0)", state: .dimmed) }

  private func title(of view: ProbeView) -> String { view.title(isSaving: saveDirectory != nil) }

  func note(_ title: String, state: Scene.Row.State = .plain, of drop: (any ProbeDrop)? = nil) {
    drops.add(DropHistory.Part(title: title, state: state), to: drop)
    if state == .error { window.announce(title) }
    update()
  }

  /// Says in the footer what a key has done, until the next key or drop. Empty words end that.
  func say(_ words: String) {
    guard message != words else { return }
    message = words
    update()
  }

  // MARK: Views

  func select(_ view: ProbeView) {
    guard view != self.view else { return }
    self.view = view
    window.scrollToTop()
    update()
  }

  /// Switches to the adjacent view, or moves the selection. Returns whether the key was handled.
  func select(with key: KeyEvent) -> Bool {
    let index: Int
    switch key.key {
    case .left: index = view.rawValue - 1
    case .right: index = view.rawValue + 1
    default: return selectLine(with: key)
    }
    if views.indices.contains(index) { select(views[index]) }
    return true
  }

  private func selectLine(with key: KeyEvent) -> Bool {
    guard view == .history, let index = drops.select(with: key) else { return false }
    update()
    reportPreview()
    window.reveal(row: index)
    return true
  }

  func tabFields(_ origin: PixelPoint) -> Report.Value {
    .list(
      views.map { view in
        let place = window.place(of: .tab(view.rawValue))
        return .members([
          "title": .string(title(of: view)), "x": .integer(origin.x + place.origin.x + place.size.width / 2),
          "y": .integer(origin.y + place.origin.y + place.size.height / 2),
        ])
      })
  }

  // MARK: Rows of drops

  func line(ofRow row: Int) -> DropHistory.Line? {
    guard view == .history else { return nil }
    let lines = drops.lines
    return lines.indices.contains(row) ? lines[row] : nil
  }

  /// Selects the row at a position, if it is that of a drop, and shows its preview.
  func selectLine(at position: PixelPoint) {
    window.row(at: position).map(selectLine)
  }

  private func selectLine(ofRow row: Int) {
    guard let line = line(ofRow: row) else { return }
    drops.select(line)
    update()
    reportPreview()
  }

  /// Selects a row as assistive technology asks for it: one at a time.
  func select(_ request: RowSelectionRequest) {
    switch request {
    case .only(let row), .add(let row): selectLine(ofRow: row)
    case .remove, .all, .none: break
    }
  }

  /// The drop to drag out with the keyboard; `nil` in other views.
  var currentLine: DropHistory.Line? { view == .history ? drops.current : nil }

  /// Moves the pointer to the current drop's row, where a drag by keys begins.
  func movePointerToCurrentLine() { drops.currentIndex.map(window.movePointer(toRow:)) }

  private func reportPreview() {
    guard drops.isSelectedByUser, let preview = window.scene.preview else { return }
    reporter.printForPrograms("preview", ["kind": .string(preview.kind)])
  }

  // MARK: Work on drops

  /// Shows the work on a drop in the drop's row, if it takes long.
  ///
  /// - Parameters:
  ///   - verb: What is done: `fetching`.
  ///   - end: Ends the work at the user's wish.
  @discardableResult
  func beginWork(
    on drop: any ProbeDrop, _ verb: String, _ action: Scene.Row.Action, end: @escaping () -> Void
  ) -> RowWork {
    let work = RowWork(verb, action, on: loop, end: end) { [weak self, weak drop] activity in
      if let self, let drop { show(activity, of: drop) }
    }
    let loads = drop.session.map { DropPlaceholder(for: $0) }
    loads?.onChange = { [weak work] in work?.advance(to: $0.progress) }
    works[ObjectIdentifier(drop)] = (work, loads)
    return work
  }

  private func show(_ activity: RowActivity, of drop: any ProbeDrop) {
    var isNew = false
    drops.update(drop) {
      isNew = $0.activity == nil
      $0.activity = activity
    }
    update()
    if isNew { report(activity, of: drop) }
  }

  /// Reports for programs that a row shows work, and where its button is.
  private func report(_ activity: RowActivity, of drop: any ProbeDrop) {
    guard view == .history, let row = drops.firstLine(of: drop) else { return }
    Report.busy(activity, inRow: row, of: window).map { reporter.printForPrograms($0) }
  }

  /// The work on a drop has ended. Its row shows the result again.
  func endWork(on drop: any ProbeDrop) {
    guard works.removeValue(forKey: ObjectIdentifier(drop)) != nil else { return }
    drops.update(drop) { $0.activity = nil }
    update()
  }

  /// Ends the work on the selected drop at the user's wish. Returns whether there is any that is shown.
  func stopSelectedWork() -> Bool { view == .history && drops.current.map { stopWork(on: $0) } ?? false }

  private func stopWork(on line: DropHistory.Line) -> Bool {
    guard line.row.action != nil, let work = drops.drop(of: line).flatMap({ works[$0]?.work }) else { return false }
    work.stop()
    return true
  }

  // MARK: Drags over the window

  // None of these changes the view: the user is looking for a place to drop in it.

  func showEntry(of drag: LiveDrag) {
    live = drag
    update()
  }

  func showPosition(of drop: DropSession, _ proposal: DropProposal) {
    dropHighlight = proposal.operation == nil ? .none : .accepting
    live?.phase = .over(drop.rootLocation)
    live?.requested = drop.requestedOperation
    live?.proposed = proposal.operation
    update()
  }

  func showExit(_ words: String) {
    live?.phase = .gone(words)
    clearHover()
  }

  func begin(_ drop: DropSession) {
    describe(drop, "dropped (\(Formatting.visible((drop.droppedOperation ?? .copy).description)))")
    drops.begin(drop, origin: live?.program?.name ?? "")
    message = ""
    clearHover()
  }

  /// - Parameter origin: The name of the program that has copied it; empty if unknown.
  func begin(_ paste: PastedContent, origin: String) {
    drops.begin(paste, origin: origin)
    message = ""
    update()
  }

  /// Shows the newest drop, whichever view is selected.
  func showNewest() {
    select(.history)
    window.scrollToTop()
  }

  /// Announces the result of a drop.
  func announceResult(of drop: any ProbeDrop, _ words: String) {
    let title = drops.title(of: drop) ?? "Drop"
    window.announce("\(title.clipped(to: Self.titleLimit)): \(words)")
  }

  func announceUndo(_ extent: UndoStack.Extent) {
    let words =
      switch extent {
      case .complete: "The last drop is taken back"
      case .part: "The last drop is taken back in part"
      case .nothing: "The last drop cannot be taken back"
      }
    window.announce(words)
  }

  func describe(_ drop: any ProbeDrop, _ words: String) {
    if live?.drop == ObjectIdentifier(drop) { live?.phase = .dropped(words) }
  }

  private func clearHover() {
    dropHighlight = .none
    targetedPart = nil
    update()
  }

  // MARK: Drop regions

  /// Draws the drop highlight around the text field, or else around the list.
  func highlightField(_ isTargeted: Bool) {
    targetedPart = isTargeted ? .field : nil
    update()
  }

  func highlight(_ view: ProbeView, _ highlight: SpringLoadingHighlight) {
    spring = highlight == .none ? nil : (view, highlight == .emphasized)
    update()
  }

  /// Opens a spring-loaded tab. This changes the view only; drops are processed alike in all views.
  func springOpen(_ view: ProbeView) {
    reporter.print("spring", "Spring-loaded the \(title(of: view)) tab.", ["view": .string(title(of: view))])
    select(view)
  }

  /// Scrolls the list during a drag. Returns whether it moved.
  func scroll(by pixels: Int, _ how: String) -> Bool {
    let before = window.firstVisibleRow
    let hasMoved = window.scroll(by: pixels)
    let row = window.firstVisibleRow
    if row != before {
      reporter.print("scrolled", "Scrolled to row \(row + 1).", ["how": .string(how), "row": .integer(row)])
    }
    return hasMoved
  }

  func scroll(_ scroll: WheelScroll) {
    switch scroll.direction {
    case .up: _ = self.scroll(by: -window.rowHeight, "wheel")
    case .down: _ = self.scroll(by: window.rowHeight, "wheel")
    case .left, .right: break
    }
  }

  func insertionIndex(of drop: DropSession) -> Int? {
    drop.location.flatMap { window.insertionIndex(at: PixelPoint(x: $0.x, y: $0.y)) }
  }
}

extension RowWork {
  /// A load says what its source has announced, which may be less than what comes, and means nothing once that much has
  /// arrived.
  fileprivate func advance(to progress: LoadProgress) {
    let done = progress.receivedByteCount
    advance(to: done, of: progress.expectedByteCount.flatMap { $0 > done ? $0 : nil })
  }
}

extension Scene.Preview {
  fileprivate var kind: String {
    switch self {
    case .text: "text"
    case .output: "output"
    case .styled: "styled"
    case .picture: "picture"
    case .color: "color"
    case .files: "files"
    }
  }
}
