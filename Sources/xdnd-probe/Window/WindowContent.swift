import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The content of the window: the drops, the drag over it or the selected drop, and a question.
final class WindowContent {
  let drops: DropList
  let questions: QuestionQueue
  /// The hints for the undo and redo keys; empty if there is nothing to undo or redo.
  var undoHints: () -> [String] = { [] }
  /// The work on a drop has ended.
  var onWorkEnd: () -> Void = {}
  /// The hints for a drag out of the window; empty while there is none.
  var dragHints: () -> [String] = { [] }

  private let window: ToolWindow
  private let reporter: Reporter
  private let loop: EventLoop
  private let placeholder: String
  /// The drag over the window; `nil` while there is none.
  private var live: LiveDrag?
  /// The footer's message about the last key; may be empty.
  private var message = ""
  /// The work in progress by drop, and the progress of the drop's loads. Loads of a paste report their own progress.
  private var works: [ObjectIdentifier: (work: RowWork, loads: DropPlaceholder?)] = [:]
  /// Scrolls the list under a drag. Drops on this region go to the delegate of the window.
  private let list = DropRegion()

  /// - Parameters:
  ///   - placeholder: The text of the window before the first drop.
  ///   - isSaving: Whether drops become files.
  init(
    of window: ToolWindow, placeholder: String, isSaving: Bool, budget: Int, reporter: Reporter, on loop: EventLoop
  ) {
    self.window = window
    self.loop = loop
    self.placeholder = placeholder
    self.reporter = reporter
    drops = DropList(budget: budget, isSaving: isSaving) { [window] in window.decodePicture(.bytes($0), $1) }
    questions = QuestionQueue(reporter: reporter)
    drops.onPreview = { [unowned self] in
      update()
      reportPreview()
    }
    questions.onChange = { [unowned self] in
      // Shows the drop that the question is about.
      if let drop = questions.subject { drops.select(drop) }
      update()
      if questions.subject != nil { drops.currentIndex.map(window.reveal(row:)) }
    }
    window.onResize = { [unowned self] in placeList() }
    window.onButton = { [questions, unowned window] in
      questions.answer($0, isChecked: !window.checkedButtons.isEmpty)
    }
    window.onRowAction = { [unowned self] row in _ = line(ofRow: row).map { stopWork(on: $0) } }
    list.autoScroll = AutoScrollBehavior(
      margin: Int((32 * window.scale).rounded()), initialSpeed: 200 * window.scale, maximumSpeed: 1600 * window.scale)
    list.onAutoScroll = { [unowned self] _, dy in scroll(by: dy, "rest") }
    list.onWheel = { [unowned self] in scroll($0) }
  }

  var regions: [DropRegion] { [list] }

  private func placeList() {
    let place = window.listPlace
    list.frame = Rect(
      x: place.origin.x, y: place.origin.y, width: place.size.width, height: place.size.height)
  }

  // MARK: The scene

  func update() {
    let content = drops.content()
    var scene = Scene(
      rows: content.rows, footer: message, placeholder: placeholder,
      dropHighlight: live?.isAccepted == true ? .accepting : .none, appearance: window.scene.appearance,
      bar: questions.bar)
    scene.focusedRow = content.selectedRow
    scene.pane = live.map { Scene.Pane(facts: $0.facts) } ?? content.pane
    let dragHints = live.map { $0.isAnswered ? $0.hints : [] } ?? dragHints()
    if !dragHints.isEmpty {
      scene.footer = ""
      scene.hints = dragHints
      scene.hintsNeedKeyboard = false
    } else if scene.bar == nil {
      // A question names its own keys.
      scene.hints = hints
    }
    window.scene = scene
    let title = [drops.percent.map { "\($0) %" }, drops.title?.clipped(to: Self.titleLimit), Self.programName]
    window.title = title.compactMap(\.self).joined(separator: " – ")
    placeList()
  }

  private var hints: [String] {
    let canDrag = drops.current?.parts.contains { $0.item != nil } == true
    return undoHints() + (canDrag ? ["Ctrl+C copies", "Return starts a drag"] : []) + ["Ctrl+V pastes"]
  }

  static let programName = "xdnd-probe"
  /// Leaves room for the program's name in a list of windows.
  private static let titleLimit = LabelLimit(scalarCount: 60)

  /// Shows why a drop has failed.
  func showFailure(_ reason: String, of drop: any ProbeDrop) {
    drops.add(DropHistory.Part(title: reason, state: .error), to: drop)
    window.announce(reason)
    update()
  }

  /// Shows the effect of a key in the footer, until the next key or drop. An empty text removes the message.
  func say(_ words: String) {
    guard message != words else { return }
    message = words
    update()
  }

  // MARK: Rows of drops

  /// Moves the selection. Returns whether the key was handled.
  func select(with key: KeyEvent) -> Bool {
    guard let index = drops.select(with: key) else { return false }
    update()
    reportPreview()
    window.reveal(row: index)
    return true
  }

  func line(ofRow row: Int) -> DropHistory.Line? {
    let lines = drops.lines
    return lines.indices.contains(row) ? lines[row] : nil
  }

  /// Selects the row of a drop at a position, if there is one, and shows its preview.
  func selectLine(at position: PixelPoint) {
    window.row(at: position).map(selectLine)
  }

  private func selectLine(ofRow row: Int) {
    guard let line = line(ofRow: row) else { return }
    drops.select(line)
    update()
    reportPreview()
  }

  /// Selects a row for assistive technology, one at a time.
  func select(_ request: RowSelectionRequest) {
    switch request {
    case .only(let row), .add(let row): selectLine(ofRow: row)
    case .remove, .all, .none: break
    }
  }

  private func reportPreview() {
    guard drops.isSelectedByUser, let preview = window.scene.pane?.preview else { return }
    reporter.printForPrograms("preview", ["kind": .string(preview.kind)])
  }

  // MARK: Work on drops

  /// Shows the work on a drop in the drop's row, if it takes long.
  ///
  /// - Parameters:
  ///   - verb: The kind of work: `fetching`.
  ///   - end: Ends the work at the user's request.
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

  /// Reports to programs that a row shows work, and where its button is.
  private func report(_ activity: RowActivity, of drop: any ProbeDrop) {
    guard let row = drops.firstLine(of: drop) else { return }
    Report.busy(activity, inRow: row, of: window).map { reporter.printForPrograms($0) }
  }

  /// The work on a drop has ended. Its row shows the result again.
  func endWork(on drop: any ProbeDrop) {
    guard works.removeValue(forKey: ObjectIdentifier(drop)) != nil else { return }
    drops.update(drop) { $0.activity = nil }
    update()
    onWorkEnd()
  }

  /// Ends the work on the selected drop at the user's request. Returns whether its row shows any work.
  func stopSelectedWork() -> Bool { drops.current.map { stopWork(on: $0) } ?? false }

  private func stopWork(on line: DropHistory.Line) -> Bool {
    guard line.row.action != nil, let work = line.drop.flatMap({ works[$0]?.work }) else { return false }
    work.stop()
    return true
  }

  // MARK: Drags over the window

  func showEntry(of drag: LiveDrag) {
    live = drag
    update()
  }

  func showPosition(of drop: DropSession, _ proposal: DropProposal) {
    live?.answer(drop, proposal)
    update()
  }

  /// The drag is no longer over the window.
  func endHover() {
    live = nil
    update()
  }

  func begin(_ drop: DropSession) {
    drops.begin(drop, origin: live?.program?.name ?? "")
    message = ""
    endHover()
  }

  /// - Parameter origin: The name of the program that has copied the content; empty if unknown.
  func begin(_ paste: PastedContent, origin: String) {
    drops.begin(paste, origin: origin)
    message = ""
    update()
  }

  func announceResult(of drop: any ProbeDrop, _ words: String) {
    window.announce("\(title(of: drop)): \(words)")
  }

  private func title(of drop: any ProbeDrop) -> String {
    (drops.record(of: drop)?.title ?? "Drop").clipped(to: Self.titleLimit)
  }

  /// Returns the name of a drop for a question: `"x"`, `these 3 items`.
  func subject(of drop: any ProbeDrop) -> String {
    if let count = drops.record(of: drop)?.partCount, count > 1 { return "these \(Formatting.count(count, "item"))" }
    return Formatting.quoted(title(of: drop))
  }

  func announceUndo(_ extent: UndoStack.Extent) {
    let words =
      switch extent {
      case .complete: "The last drop is undone"
      case .part: "The last drop is undone in part"
      case .nothing: "The last drop cannot be undone"
      }
    window.announce(words)
  }

  /// Scrolls the list during a drag. Returns whether it moved.
  private func scroll(by pixels: Int, _ how: String) -> Bool {
    let before = window.firstVisibleRow
    let hasMoved = window.scroll(by: pixels)
    let row = window.firstVisibleRow
    if row != before {
      reporter.print("scrolled", "Scrolled to row \(row + 1).", ["how": .string(how), "row": .integer(row)])
    }
    return hasMoved
  }

  private func scroll(_ scroll: WheelScroll) {
    switch scroll.direction {
    case .up: _ = self.scroll(by: -window.rowHeight, "wheel")
    case .down: _ = self.scroll(by: window.rowHeight, "wheel")
    case .left, .right: break
    }
  }
}

extension RowWork {
  /// Shows the progress of a load. The source may announce less than it sends; once more has arrived, the total is
  /// unknown.
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
    }
  }
}
