import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The drags of the window's rows: begins them, from a gesture, a key or at once, and follows each of them until its
/// content is released.
final class RowDrags {
  /// Chooses the rows that a press drags, and takes clicks and the ends of drags.
  weak var input: RowInput?
  /// The scene has changed. The argument is the new footer; `nil` keeps the present one.
  var onChange: ((String?) -> Void)?

  private let session: DriverSession
  private let list: RowList
  private let image: RowDragImage
  private let deliveries: Deliveries
  private let ending: RunEnding
  private let options: DragOptions
  /// Describes the progress of a drag to the user.
  private let narrator: DragNarrator
  private lazy var interaction = DragInteraction(session.driver, delegate: self)
  /// The first operation in `--action` is the default.
  private static let policy = OperationPolicy.firstOffered
  /// The pointer's latest root position during a press that waits for the previous drop to be decided.
  private var heldMotion: Point?
  private var draggedRows: [Int] = []
  private var preview: DragPreview?
  /// Whether the latest drag is moved by keys, or by a pointer without a held button.
  private var isByKeys = false
  /// The drags that can still produce events, until their content is released.
  private var logs: [ObjectIdentifier: DragLog] = [:]
  /// The drag that was begun last.
  private weak var latest: DragSession?
  /// The deadline for retrying the pointer grab, for a drag that starts at once (`--now`).
  private var grabDeadline: ContinuousClock.Instant?

  init(
    of list: RowList, image: RowDragImage, deliveries: Deliveries, ending: RunEnding, options: DragOptions,
    narrator: DragNarrator, _ session: DriverSession
  ) {
    self.list = list
    self.image = image
    self.deliveries = deliveries
    self.ending = ending
    self.options = options
    self.narrator = narrator
    self.session = session
    narrator.onChange = { [unowned self] in onChange?(nil) }
    interaction.policy = Self.policy
    if !options.now { interaction.container = DragContainer(window: WindowID(rawValue: image.window.windowID)) }
  }

  var open: [DragLog] { logs.values.filter { $0.status == nil } }

  /// The drops whose targets have received all requested content, but have not sent `XdndFinished`.
  var waits: [AnswerWait] {
    logs.values.filter(\.waitsForAnswer).compactMap { log in
      log.rows.first.map { AnswerWait(row: $0, target: log.targetName) }
    }
  }

  /// The first row of each drop that a target is still receiving.
  var deliveredRows: [Int] { logs.values.filter(\.isDelivering).compactMap(\.rows.first).sorted() }

  /// Whether a target is still receiving the content of a drop.
  var isDelivering: Bool { logs.values.contains(where: \.isDelivering) }

  /// Whether a drag is in progress, or its drop waits for the target's `XdndStatus`. A new drag would abort it,
  /// because both share one source window.
  private var isUndecided: Bool { logs.values.contains(where: \.isUndecided) || beginning != nil }

  /// The drag that waits for the selection and the grab.
  private var beginning: DragSession? {
    guard let latest, latest.outcome == nil, logs[ObjectIdentifier(latest)] == nil else { return nil }
    return latest
  }

  /// Whether a drag without a held button can begin.
  var canBegin: Bool { isFree && interaction.currentPress == nil }

  private var isFree: Bool { !list.isEmpty && !isUndecided && ending.allowsDrag(besides: !open.isEmpty) }

  // MARK: The gesture

  func press(_ press: DragPress) {
    heldMotion = nil
    interaction.press(press)
  }

  /// - Parameter point: In root pixels.
  func move(to point: Point) {
    heldMotion = point
    takeHeldMotion()
  }

  func release(_ button: PointerButton) {
    heldMotion = nil
    interaction.release(button)
  }

  /// Passes on the held motion, which may begin a drag, once the previous drop is decided.
  private func takeHeldMotion() {
    guard !isUndecided, let point = heldMotion else { return }
    heldMotion = nil
    interaction.move(to: point)
  }

  /// Returns the rows that can be dragged, and shows a message if none can.
  private func present(_ rows: [Int]) -> [Int] {
    let present = list.present(rows)
    if present.isEmpty, !rows.isEmpty { onChange?("Nothing to drag: moved away.") }
    return present
  }

  // MARK: Drags without a gesture

  /// Begins a drag without a held button: the arrow keys move it, Return or a click drops.
  func begin(_ rows: [Int], at time: Timestamp) {
    guard canBegin, case let rows = present(rows), !rows.isEmpty else { return }
    begin(items(ofRows: rows), at: time)
    onChange?("")
  }

  /// How long to retry: the key that launched the tool may still hold a keyboard grab.
  private static let grabPatience = Duration.seconds(1)

  func beginNow() {
    if grabDeadline == nil { grabDeadline = .now + Self.grabPatience }
    begin(items(ofRows: Array(list.indices)), at: session.driver.serverTime)
  }

  /// Whether the drag failed to grab the pointer or keyboard and is started again.
  private func triesAgain(after outcome: DragOutcome) -> Bool {
    guard options.now, let grabDeadline, grabDeadline > .now, outcome == .cancelled(.grabLost) else { return false }
    session.loop.after(0.02) { [unowned self] in beginNow() }
    return true
  }

  private func begin(_ items: [DragItem], at time: Timestamp) {
    isByKeys = true
    latest = session.driver.beginDrag(
      items, preview: preview, button: nil, at: time, from: interaction.container, policy: Self.policy, delegate: self)
  }

  /// Returns the items of a drag, with drag images that start at their rows. Sets ``draggedRows`` and ``preview``.
  private func items(ofRows rows: [Int]) -> [DragItem] {
    draggedRows = rows
    // The drag image shows the texts of the rows, so they must not show a failure.
    list.noteFailure(nil, of: rows)
    onChange?(nil)
    var items = SourceRow.items(of: draggedRows.map { list[$0] })
    preview = image.preview(ofRows: draggedRows, items: &items)
    return items
  }

  /// Updates the drag image when the image of a dragged row has been decoded.
  func imageChanged(ofRow row: Int) {
    guard isUndecided, draggedRows == [row], let latest else { return }
    var items = latest.items
    latest.preview = image.preview(ofRows: draggedRows, items: &items)
  }

  // MARK: The end

  func cancel() {
    beginning?.cancel()
    for log in open { log.drag.cancel() }
  }

  /// Cancels the drags that have not been dropped, and ends the tool when the others are delivered.
  func finish() {
    beginning?.cancel()
    for log in open {
      if log.isDelivering { log.stopLingering() } else { log.drag.cancel() }
    }
    endIfDone()
  }

  /// Ends the tool if that was requested, or all rows are taken, and no target still receives content.
  func endIfDone() { ending.endIfDone(isDelivering: isDelivering, areAllTaken: list.areAllMarked) }

  private func ended(_ drag: DragSession, of rows: [Int], _ outcome: DragOutcome, as status: ExitStatus) {
    if status == .dropped {
      if outcome.operation == .move {
        list.markMoved(rows)
      } else if options.andExit == .all {
        list.markTaken(rows)
      }
      input?.deselect(rows)
    }
    list.noteFailure(outcome.failure(as: status), of: rows)
    let log = log(of: drag)
    if outcome.operation != .move, log.droppedOperation == .move {
      let movedCount = list.markMissing(rows)
      if movedCount > 0 { log.sentence = "Moved \(movedCount) of \(rows.count)." }
    }
    onChange?(log.sentence)
    ending.ended(outcome, as: status, isDelivering: isDelivering, areAllTaken: list.areAllMarked)
  }

  /// Returns the log of a drag. The first call for a drag creates it, with the rows in ``draggedRows``.
  private func log(of drag: DragSession) -> DragLog {
    if let log = logs[ObjectIdentifier(drag)] { return log }
    let rows = draggedRows
    let log = DragLog(
      drag, rows: rows, shown: rows.map { list[$0] }, session, linger: options.linger
    ) { [unowned self] in ended(drag, of: rows, $0, as: $1) }
    logs[ObjectIdentifier(drag)] = log
    deliveries.follow(log)
    return log
  }
}

extension RowDrags: DragInteractionDelegate {
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    guard isFree, case let rows = present(input?.rowsToDrag(by: press) ?? []), !rows.isEmpty else { return [] }
    return items(ofRows: rows)
  }

  func dragInteraction(_ interaction: DragInteraction, previewForDragAt press: DragPress) -> DragPreview? { preview }

  func dragInteraction(_ interaction: DragInteraction, began drag: DragSession) {
    latest = drag
    isByKeys = false
    onChange?("")
  }

  func dragInteraction(_ interaction: DragInteraction, clickedAt press: DragPress) { input?.clicked(press) }

  func dragBegan(_ drag: DragSession) {
    grabDeadline = nil
    let log = log(of: drag)
    log.began()
    narrator.began(drag, log.rows.map { list[$0].title }, isByKeys: isByKeys)
  }

  func drag(_ drag: DragSession, movedOver target: WindowID?) {
    session.reporter.printForPrograms(.target(target))
    narrator.moved(over: target)
  }

  func drag(_ drag: DragSession, isProposed operation: DragOperation?) {
    session.reporter.printForPrograms(.proposal(operation))
    narrator.proposed(operation)
  }

  func drag(_ drag: DragSession, dropped operation: DragOperation) {
    log(of: drag).dropped(operation, onTarget: narrator.dropped())
    onChange?("")
    takeHeldMotion()
  }

  func drag(_ drag: DragSession, sent bytes: Int, of type: ContentType) { log(of: drag).sent(bytes, of: type) }

  func drag(_ drag: DragSession, finishedSending type: ContentType, successfully: Bool) {
    log(of: drag).finishedSending(type, successfully: successfully)
    onChange?(nil)
    endIfDone()
  }

  func drag(_ drag: DragSession, saved file: [UInt8], byteCount: Int) {
    session.reporter.print(.saved(file, byteCount: byteCount))
    wrote(nil, by: drag)
  }

  func drag(_ drag: DragSession, failedToSave error: XDnDError) {
    // The drag's end says what was cancelled.
    if error.code == .cancelled {
      session.reporter.printForPrograms(.notSaved(error))
    } else {
      session.reporter.print(.notSaved(error))
    }
    wrote(error, by: drag)
  }

  private func wrote(_ error: XDnDError?, by drag: DragSession) {
    logs[ObjectIdentifier(drag)]?.wrote(error)
    endIfDone()
  }

  func dragRequestsDeletion(_ drag: DragSession) { log(of: drag).deletionRequested() }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    guard !triesAgain(after: outcome) else { return }
    narrator.ended(drag)
    input?.dragEnded()
    let log = log(of: drag)
    log.ended(outcome)
    // The target may still request the content after `XdndFinished`, or never request it.
    onChange?(log.status == nil ? "" : nil)
    takeHeldMotion()
  }

  func dragReleased(_ drag: DragSession) {
    guard let log = logs.removeValue(forKey: ObjectIdentifier(drag)) else { return }
    log.stopLingering()
  }
}
