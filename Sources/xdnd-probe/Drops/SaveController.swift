import XDnDFileOperations
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Saves drops as files (`--save`), and prints their paths.
final class SaveController: DropHandler {
  private let settings: SaveSettings
  private let printer: ContentPrinter?
  private let undo: UndoStack
  private let content: WindowContent
  private let results: DropResults
  private let reporter: Reporter
  private let loop: EventLoop
  private var savers: [ObjectIdentifier: DropSaver] = [:]
  /// The reports of drops that have ended, but whose files are not written yet.
  private var heldEnds: [ObjectIdentifier: () -> Void] = [:]

  init(
    _ settings: SaveSettings, printer: ContentPrinter?, undo: UndoStack, content: WindowContent, results: DropResults,
    reporter: Reporter, on loop: EventLoop
  ) {
    self.settings = settings
    self.printer = printer
    self.undo = undo
    self.content = content
    self.results = results
    self.reporter = reporter
    self.loop = loop
  }

  var isIdle: Bool { savers.isEmpty }

  func holdsEnd(of drop: any ProbeDrop, _ end: @escaping () -> Void) -> Bool {
    guard savers[ObjectIdentifier(drop)]?.awaitsFile == true else { return false }
    heldEnds[ObjectIdentifier(drop)] = end
    return true
  }

  func stop() { for saver in savers.values { saver.stop() } }

  func take(_ drop: any ProbeDrop) {
    let id = ObjectIdentifier(drop)
    reporter.print(.dropped(drop, "saving in \(settings.visibleName)", drop.negotiation.best?.offered))
    let saver = DropSaver(drop, settings: settings, loop: loop) { [weak self] result in
      guard let self, savers[id] != nil else { return }
      switch result {
      case .success(let saved): finish(drop, saved)
      case .failure(let failure):
        let saver = savers.removeValue(forKey: id)
        content.endWork(on: drop)
        if failure.status == .cancelled {
          content.questions.withdrawAll(about: drop)
          removeAll(saver?.abandoned, of: drop)
        }
        // The source may already have received a successful Finished.
        results.fail(drop, failure, isLate: true)
        heldEnds.removeValue(forKey: id)?()
        content.update()
        results.stopIfDone()
      }
    }
    saver.onNamed = { [content] name in content.drops.update(drop) { $0.name = name } }
    saver.onSaved = { [reporter, content] item in
      reporter.print(item.report)
      // Without an update for each file, because there may be thousands. The next update shows them.
      content.drops.add(DropHistory.Part(of: item), to: drop)
    }
    saver.ask = { [content] bar, answer in content.questions.ask(bar, about: drop, endsWithDrop: false, answer) }
    savers[id] = saver
    saver.work = content.beginWork(on: drop, "saving", .cancel) { [weak saver] in saver?.cancel() }
    saver.start()
    content.update()
  }

  /// Removes the files that a drop saved before the user cancelled it, even if the drop has ended.
  private func removeAll(_ undoable: Undoable?, of drop: any ProbeDrop) {
    guard let undoable, !undoable.isEmpty else { return }
    undo.push(undoable, record: content.drops.record(of: drop)?.number)
    // Undo first: the end of the drop may end the tool, which waits only for work that has begun.
    undo.undo(undoable)
  }

  private func finish(_ drop: any ProbeDrop, _ saved: DropSaver.Saved) {
    content.endWork(on: drop)
    content.drops.update(drop) { $0.done = saved.words }
    if let undoable = saved.undoable, !undoable.isEmpty {
      undo.push(undoable, record: content.drops.record(of: drop)?.number)
    }
    printPaths(saved.paths) { [weak self] in
      guard let self, savers.removeValue(forKey: ObjectIdentifier(drop)) != nil else { return }
      if saved.isAnswerDue {
        chooseOperation(for: drop, saved)
      } else if let operation = saved.operation {
        drop.finish(operation)
      } else {
        content.drops.update(drop) { $0.isRefusedByUser = true }
        results.reject(drop, .refused)
      }
      heldEnds.removeValue(forKey: ObjectIdentifier(drop))?()
      content.update()
      results.stopIfDone()
    }
  }

  /// Prints the saved paths. A failure to print does not undo saving.
  private func printPaths(_ paths: [[UInt8]], completion: @escaping () -> Void) {
    guard let printer else { return completion() }
    printer.print(saved: paths, reporter, on: loop) { [reporter] failure in
      if let failure { reporter.print(.failure(failure)) }
      completion()
    }
  }

  /// Asks for the operation after the content is saved, because the source may exit meanwhile. Cancel removes the
  /// files, even after the drop has ended.
  private func chooseOperation(for drop: any ProbeDrop, _ saved: DropSaver.Saved) {
    content.questions.askForOperation(
      of: drop, called: content.subject(of: drop), among: [.copy, .move], endsWithDrop: false
    ) { [undo, results] operation in
      if let operation { return drop.finish(operation) }
      // Undo first, as in `removeAll`.
      if let undoable = saved.undoable { undo.undo(undoable) }
      results.fail(drop, .cancelledByUser)
    }
  }
}
