import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Runs the tool with a window: connects the list, the input, the drags and the scene.
final class SourceController {
  private let settings: SourceSettings
  private let session: DriverSession
  private let loop: EventLoop
  private let window: ToolWindow
  private let list: RowList
  private let ending: RunEnding
  private let deliveries: Deliveries
  private let drags: RowDrags
  private let narrator: DragNarrator
  private let input: RowInput
  private let copying: RowCopy
  private let places: PlaceReports
  /// The rows of unfinished drops, which the window still shows after the user has closed it; `nil` before.
  private var pendingRows: [Int]?
  /// The footer's message about the last action; may be empty.
  private var message = ""
  /// The question about the transfer that the closed window waits for.
  private var question: Scene.Bar?

  init(
    rows: [SourceRow], names: NameReader? = nil, icon: DragImage? = nil, settings: SourceSettings, reporter: Reporter
  ) throws(XDnDError) {
    self.settings = settings
    let driver = try DragAndDrop(connectingTo: settings.shared.display, configuration: settings.configuration)
    session = DriverSession(driver, settings.shared, reporter, of: "xdnd-source")
    loop = session.loop
    guard let display = driver.display else { throw .displayClosed }
    list = RowList(rows, names: names, maker: settings.maker, reporter: reporter)
    window = Self.window(for: list, settings, display: display, scale: driver.desktopAppearance.scale)
    ending = RunEnding(settings, isSingle: settings.drag.now, on: loop)
    deliveries = Deliveries(in: window, session)
    narrator = DragNarrator(in: window, driver: driver, loop: loop, reporter: reporter)
    drags = RowDrags(
      of: list, image: RowDragImage(window: window, list: list, icon: icon, options: settings.drag),
      deliveries: deliveries, ending: ending, options: settings.drag, narrator: narrator, session)
    places = PlaceReports(
      of: window, { [list, window] in Report.places(ofRows: list.indices, in: window) { list[$0].title } }, on: loop,
      reporter)
    copying = RowCopy(list: list, clipboard: driver.clipboard, reporter: reporter)
    input = RowInput(
      of: list, in: window, drags: drags, opensRows: !settings.window.noOpen, reporter: reporter)
  }

  private static func window(
    for list: RowList, _ settings: SourceSettings, display: OpaquePointer, scale: Double
  ) -> ToolWindow {
    let options = settings.window
    let highest = 520
    var height = highest
    // No window is high enough for more rows.
    if list.isComplete, list.count < 10 {
      let scene = Scene(
        of: list, selection: RowSelection(count: list.count), drags: [], activities: [:],
        options: options)
      height = min(highest, SceneLayout.height(fitting: scene))
    } else if list.count < 4 {
      height = 320
    }
    let size = PixelSize(width: options.rows == .icons ? 160 : 360, height: height)
    var geometry = settings.shared.geometry
    if options.atPointer {
      // The middle of the first row, which lies below the title, or below the handle, which is taller.
      let grip = PixelPoint(x: size.width / 2, y: (list.count > 1 ? 64 : 48) + 27)
      geometry = .atPointer(of: display, size: geometry?.size, defaultSize: size, scale: scale, grip: grip)
    }
    return ToolWindow(
      display: display, title: list.title, applicationName: "xdnd-source", geometry: geometry, defaultSize: size,
      scale: scale, icon: .source, focusModel: .globallyActive, style: options.style)
  }

  func run() -> ExitStatus {
    connect()
    updateScene()
    if settings.drag.now {
      decodeImage()
      drags.beginNow()
    } else {
      window.show()
    }

    let status = session.run(
      window, onTimeout: { [unowned self] in timeOut() }, onSignal: { [unowned self] in interrupted() })
    window.close()
    return status
  }

  private func connect() {
    session.connect(window)
    window.selectsSeveralRows = true
    window.onSelection = { [unowned input] in input.select($0) }
    window.onMapped = { [unowned self] in
      places.reportReady(
        list.isComplete && list.count == 1
          ? "Ready: drag it out of the window." : "Ready: drag a row, or the heading for all.")
      list.follow(on: loop)
    }
    window.onDrawn = { [unowned self] in
      list.refineIcons()
      updateScene()
      decodeImage()
    }
    window.onClose = { [unowned self] in close() }
    // A press selects rows even while no new drag may begin.
    window.onPress = { [unowned self] in if !ending.isOver, !list.isEmpty { input.pressed($0) } }
    window.onMotion = { [unowned input] in input.moved($0) }
    window.onRelease = { [unowned input] in input.released($0) }
    window.onKey = { [unowned input] in input.typed($0) }
    window.onButton = { [unowned self] in answerQuestion($0) }
    window.onRowAction = { [unowned self] in deliveries.cancel(shownInRow: pendingRows?[$0] ?? $0) }
    deliveries.onChange = { [unowned self] in updateScene() }
    deliveries.placeInWindow = { [unowned self] row in pendingRows.map { $0.firstIndex(of: row) } ?? row }
    input.onCancel = { [unowned deliveries] in deliveries.cancel(ofRow: $0) }
    input.onChange = { [unowned self] in updateScene(footer: "") }
    input.onClose = { [unowned self] in close() }
    loop.watch(list.movedFilesDescriptor) { [unowned self] in
      // Removes the footer's message about a move if the move is undone now. Otherwise keeps it: a target may report a
      // move before the file is gone.
      if let isUndone = list.takeMovedFiles() { updateScene(footer: isUndone ? "" : nil) }
    }
    list.onGrowth = { [unowned self] in listGrew($0) }
    list.onCompletion = { [unowned self] in listCompleted() }
    list.onFailure = { [unowned self] error in
      // A drag of "all" rows, or an end after all of them, would leave out the names that were not read.
      Reporter.printError("xdnd-source", NameReader.sentence(for: error))
      loop.stop(.usage)
      drags.cancel()
    }
    input.onCopy = { [unowned self] rows, time in
      if let words = copying.copy(rows, at: time) { updateScene(footer: words) }
    }
    drags.input = input
    drags.onChange = { [unowned self] in updateScene(footer: $0) }
  }

  /// Decodes content that is an image. The picture then becomes the drag image, even of a drag that has begun.
  private func decodeImage() {
    guard let row = list.imageRow, let image = list[row].image else { return }
    window.decodePicture(image, fitting: window.draggedPictureSide) { [list, drags] picture in
      guard let picture else { return }
      list.setPicture(picture, ofRow: row)
      drags.imageChanged(ofRow: row)
    }
  }

  // MARK: The list

  private func listGrew(_ added: Range<Int>) {
    input.listGrew()
    updateScene()
    let titles = added.count == 1 ? list[added.lowerBound].title : "\(added.count) more"
    session.reporter.print(
      Report(
        "rows", "Added \(titles).",
        ["first": .integer(added.lowerBound), "rows": Report.places(ofRows: added, in: window) { list[$0].title }]))
  }

  private func listCompleted() {
    session.reporter.printForPrograms(Report("list-ended", "", ["count": .integer(list.count)]))
    updateScene()
    if list.isEmpty {
      Reporter.printError("xdnd-source", "nothing to drag: standard input names no readable file")
      loop.stop(.usage)
    } else if drags.open.isEmpty {
      // No more rows will come, and all may have been dropped.
      drags.endIfDone()
    }
  }

  // MARK: The end

  /// Ends the tool at the user's request. A drop in progress may finish, however long it takes, while the target
  /// responds; meanwhile, the window becomes small and shows the progress. A second call asks whether to end at once; a
  /// third call ends the tool.
  private func close() {
    guard drags.isDelivering, question == nil else { return end() }
    guard !ending.isRequested else { return askToStop() }
    finishDeliveries()
    window.shrink(to: Self.finishingSize)
  }

  /// Ends the tool after a signal. A drop in progress may finish within ``DragOptions/grace``.
  private func interrupted() {
    guard drags.isDelivering else { return end() }
    finishDeliveries()
    loop.after(settings.drag.grace) { [unowned self] in end() }
  }

  private func finishDeliveries() {
    ending.request()
    updateScene(footer: "")
    drags.finish()
  }

  /// In logical pixels: room for one row, or for the question.
  private static let finishingSize = PixelSize(width: 360, height: 106)

  /// Ends the tool without waiting for deliveries.
  private func end() {
    if drags.isDelivering { session.reporter.printForPeople("Stopped: what was sent is lost.") }
    copying.handOver { [unowned self] in
      // Stops the loop first: the end of a drag would stop it with another status.
      loop.stop(.cancelled)
      drags.cancel()
    }
  }

  private func askToStop() {
    let question = stopQuestion
    self.question = question
    session.reporter.print(
      "question", "\(question.sentence) (\(question.buttons.map(\.label).joined(separator: ", ")))",
      ["question": .string(question.sentence), "answers": .strings(question.buttons.map(\.label))])
    updateScene()
  }

  private func answerQuestion(_ button: Int) {
    guard let label = question?.buttons[button].label else { return }
    question = nil
    session.reporter.print("answer", "Answered: \(label).", ["answer": .string(label)])
    if button == 0 { end() } else { updateScene() }
  }

  private var stopQuestion: Scene.Bar {
    let waits = drags.waits
    return Scene.Bar(
      deliveries.activities.isEmpty && !waits.isEmpty
        ? "Stop waiting for \(AnswerWait.targets(of: waits))?" : "Stop? What has been sent is lost.",
      buttons: [
        Scene.Bar.Button("Stop", key: "s"), Scene.Bar.Button("Go On", key: "g", isDefault: true, isCancel: true),
      ])
  }

  private func timeOut() {
    // Stops the loop first: the end of a drag would stop it with another status.
    loop.stop(.timedOut)
    drags.cancel()
  }

  // MARK: The window

  /// - Parameter footer: `nil` keeps the present one.
  private func updateScene(footer: String? = nil) {
    var scene = Scene(
      of: list, selection: input.selection, drags: drags.open, activities: deliveries.activities,
      options: settings.window)
    if let footer { message = footer }
    // While content is sent, its row says so.
    let waits = drags.waits
    scene.footer =
      message.isEmpty && !waits.isEmpty ? "Waiting for \(AnswerWait.targets(of: waits))…" : message
    if !narrator.hints.isEmpty {
      scene.footer = ""
      scene.hints = narrator.hints
      scene.hintsNeedKeyboard = false
    }
    if ending.isRequested, drags.isDelivering {
      pendingRows = scene.finish(
        deliveries.activities, waitingForAnswers: waits, others: drags.deliveredRows)
    }
    if let question {
      scene.rows = []
      scene.placeholder = ""
      scene.bar = question
    }
    scene.appearance = window.scene.appearance
    window.scene = scene
    window.title = [deliveries.percent.map { "\($0) %" }, list.title].compactMap(\.self).joined(separator: " – ")
  }
}
