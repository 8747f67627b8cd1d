import FileOperations
import ToolSupport
import ToolWindow
import XDnD

/// A question to the user.
struct Question {
  let bar: Scene.Bar
  /// The drop that the question ends with; `nil` if the answer is still valid after the drop.
  let drop: ObjectIdentifier?
  /// Receives the index of the pressed button.
  let answer: (Int) -> Void
}

extension ProbeController {
  func save(_ drop: DropSession) {
    guard let saving else { return }
    let id = ObjectIdentifier(drop)
    reporter.print(
      Report(
        "dropped", "Dropped, to \(drop.droppedOperation ?? .copy); saving it in \(saving.visibleName).",
        [
          "operation": .string((drop.droppedOperation ?? .copy).description),
          "type": drop.negotiation.best.map { .string($0.offered.name) },
        ]))
    let saver = DropSaver(drop, settings: saving, loop: loop) { [weak self] result in
      guard let self, savers[id] != nil else { return }
      switch result {
      case .success(let saved):
        if let undoable = saved.undoable, !undoable.isEmpty { undoables.append(undoable) }
        printPaths(saved.paths) { [weak self] in
          guard let self, savers.removeValue(forKey: id) != nil else { return }
          if saved.isAnswerDue { askWhatToSay(drop, saved) } else { drop.finish(saved.operation) }
          updateScene()
          stopIfDone()
        }
      case .failure(let failure):
        savers[id] = nil
        reporter.print(.failure(failure))
        note(failure.sentence, "", state: .error, of: drop)
        statuses[id] = failure.status
        drop.reject()
        // The source may have been told of success already.
        if pendingStatus == .dropped { pendingStatus = failure.status }
        updateScene()
        stopIfDone()
      }
    }
    saver.onProgress = { [weak self] in self?.updateScene() }
    saver.onSaved = { [weak self] report, name, details in
      self?.reporter.print(report)
      self?.remember(name, details, state: report.event == "saved" ? .plain : .error, of: drop)
    }
    saver.onSourceDone = { drop.finish($0) }
    saver.ask = { [weak self] bar, answer in self?.ask(bar, answer) }
    savers[id] = saver
    saver.start()
    updateScene()
  }

  /// Prints the saved paths. A failure to print does not undo saving.
  private func printPaths(_ paths: [[UInt8]], completion: @escaping () -> Void) {
    guard let printer = settings.printer else { return completion() }
    printer.print(printer.entries(ofSaved: paths), on: loop) { [reporter] count in
      if let count {
        reporter.printForPrograms(Report("printed", "", ["entries": .integer(count)]))
      } else {
        reporter.print(.failure(Printer.failure))
      }
      completion()
    }
  }

  /// Asks for the operation after the content is saved, because the source may exit meanwhile. Cancel removes the
  /// files.
  private func askWhatToSay(_ drop: DropSession, _ saved: DropSaver.Saved) {
    askForOperation(drop, among: [.copy, .move]) { [weak self] operation in
      if let operation { return drop.finish(operation) }
      // Undo first: the end of the drop may end the tool, which waits for work that has begun.
      self?.takeBack(saved)
      drop.reject()
    }
  }

  /// - Parameter drop: The drop that the question ends with, if any.
  func ask(_ bar: Scene.Bar, during drop: DropSession? = nil, _ answer: @escaping (Int) -> Void) {
    reporter.print(
      Report(
        "question", "\(bar.sentence) \(bar.buttons.map(\.label).joined(separator: ", "))?",
        ["question": .string(bar.sentence), "answers": .strings(bar.buttons.map(\.label))]))
    questions.append(Question(bar: bar, drop: drop.map { ObjectIdentifier($0) }, answer: answer))
  }

  func answered(_ button: Int) {
    guard !questions.isEmpty else { return }
    let question = questions.removeFirst()
    reporter.print(
      Report(
        "answer", "Answered: \(question.bar.buttons[button].label).",
        ["answer": .string(question.bar.buttons[button].label)]))
    question.answer(button)
  }

  private func takeBack(_ saved: DropSaver.Saved) {
    guard let index = undoables.lastIndex(where: { $0 == saved.undoable }) else { return }
    takeBack(undoables.remove(at: index))
  }

  /// Undoes the last saved drop.
  func undo() {
    guard undoing == nil, let undoable = undoables.popLast() else { return }
    takeBack(undoable)
  }

  private func takeBack(_ undoable: Undoable) {
    guard undoing == nil else { return cancelled.append(undoable) }
    do {
      let task = try FileTask(undoing: undoable) { [weak self] event in
        if case .finished(let report) = event { self?.undone(report) }
      }
      undoing = FileWork(task, on: loop)
    } catch {
      undoables.append(undoable)
      reporter.print(Report("not-undone", "Not taken back: \(error).", ["reason": .string(error.description)]))
    }
  }

  private func undone(_ report: OperationReport) {
    if !report.undoable.isEmpty { undoables.append(report.undoable) }
    var results = report.results[...]
    loop.work { [weak self] in
      guard let self else { return false }
      guard let result = results.popFirst() else {
        undone(completely: report.undoable.isEmpty)
        return false
      }
      let line = Report(result, nil)
      reporter.print(line)
      remember(line.sentence, "")
      return true
    }
  }

  private func undone(completely isComplete: Bool) {
    undoing = nil
    updateScene()
    reporter.print(
      Report(
        "undone", isComplete ? "Taken back." : "Not all of it could be taken back.",
        ["complete": .boolean(isComplete)]))
    while undoing == nil, !cancelled.isEmpty { takeBack(cancelled.removeFirst()) }
    stopIfDone()
  }

  /// Ends the tool if it only waited for work that is done now.
  func stopIfDone() {
    if let pendingStatus, isIdle { loop.stop(pendingStatus) }
  }
}

extension KeyEvent {
  /// The mask of the Control key, `ControlMask`.
  static let control: UInt32 = 1 << 2
}
