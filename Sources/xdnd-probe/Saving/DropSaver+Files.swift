import FileOperations
import Glibc
import ToolSupport
import ToolWindow
import XDnD

extension DropSaver {
  /// Saves the local files of a list by the dropped operation.
  ///
  /// - Parameter others: The entries of the list that cannot be saved.
  func saveFiles(_ paths: [[UInt8]], besides others: [LeftOut]) {
    switch drop.droppedOperation {
    case .move: saveFiles(paths, .move, others)
    case .link: saveFiles(paths, .link, others)
    case .ask: askForKind(paths, others)
    default: saveFiles(paths, .copy, others)
    }
  }

  private func askForKind(_ paths: [[UInt8]], _ others: [LeftOut]) {
    // The source waits up to ten minutes for the answer: its files may exist only until then, and Finished must report
    // the operation performed. If the source gives up earlier, the answer still applies to the files.
    drop.waitForUser()
    let words = Dictionary(drop.choices.map { ($0.operation, $0.description) }) { first, _ in first }
    let kinds: [(DragOperation, FileOperation.Kind, Scene.Bar.Button)] = [
      (.copy, .copy, Scene.Bar.Button(Humane.visible(words[.copy] ?? "Copy"), key: "c", isDefault: true)),
      (.move, .move, Scene.Bar.Button(Humane.visible(words[.move] ?? "Move"), key: "m")),
      (.link, .link, Scene.Bar.Button(Humane.visible(words[.link] ?? "Link"), key: "l")),
    ].filter { drop.operations.isEmpty || drop.operations.contains($0.0) || $0.0 == .copy }
    let bar = Scene.Bar(
      paths.count == 1 ? "What to do with '\(name(of: paths[0]))'?" : "What to do with the \(paths.count) files?",
      buttons: kinds.map(\.2) + [Scene.Bar.Button("Cancel", key: "x", isCancel: true)])
    ask(bar) { [weak self] button in
      guard let self else { return }
      guard button < kinds.count else {
        return end(.failure(DropReader.Failure(sentence: "nothing was to be done with it", status: .refused)))
      }
      saveFiles(paths, kinds[button].1, others)
    }
  }

  private func saveFiles(_ paths: [[UInt8]], _ kind: FileOperation.Kind, _ others: [LeftOut]) {
    showRow(kind.participle, paths.count == 1 ? name(of: paths[0]) : "\(paths.count) files")
    var operation = FileOperation(kind, paths, to: settings.directory.rawPath, conflicts: settings.existing)
    operation.holder = settings.directory.fileDescriptor
    do {
      let task = try FileTask(operation) { [weak self] event in
        guard let self else { return }
        switch event {
        case .progress(let progress): showProgress(progress.fraction)
        case .conflict(let conflict): askAbout(conflict, kind)
        case .finished(let report): finished(report, kind, others)
        }
      }
      files = FileWork(task, on: loop)
    } catch {
      end(.failure(DropReader.Failure(sentence: error.description, status: .transferFailed)))
    }
  }

  private func askAbout(_ conflict: Conflict, _ kind: FileOperation.Kind) {
    // The user may take any time to answer, so the source is released first. It has nothing to delete, whatever the
    // answer is.
    onSourceDone(kind == .link ? .link : .copy)
    let bar = Scene.Bar(
      "'\(name(of: conflict.existing))' is there already.",
      buttons: [
        Scene.Bar.Button("Keep both", key: "k", isDefault: true), Scene.Bar.Button("Replace", key: "r"),
        Scene.Bar.Button("Skip", key: "s", isCancel: true),
      ])
    ask(bar) { [weak self] button in
      let choices: [ConflictAnswer.Choice] = [.keepBoth, .replace, .skip]
      self?.files?.task.answer(ConflictAnswer(choices[min(button, choices.count - 1)]))
    }
  }

  /// The combined result of the files of a list.
  private struct Outcome {
    var isWhole: Bool
    var hasDone = false
    var problem: String?
  }

  private func finished(_ report: OperationReport, _ kind: FileOperation.Kind, _ others: [LeftOut]) {
    var outcome = Outcome(isWhole: others.isEmpty)
    var results = report.results[...]
    loop.work { [weak self] in
      guard let self, isUnderWay else { return false }
      if let result = results.popFirst() {
        note(result, kind, in: &outcome)
        return true
      }
      tell(others) { [weak self] in self?.end(outcome, kind, report.undoable) }
      return false
    }
  }

  private func note(_ result: ItemResult, _ kind: FileOperation.Kind, in outcome: inout Outcome) {
    onSaved(Report(result, kind), name(of: result.destination ?? result.source), result.details)
    switch result.outcome {
    case .copied(let path, _), .moved(let path, _), .linked(let path):
      outcome.hasDone = true
      paths.append(path)
    case .copiedOnly(let path, _, let error):
      outcome.hasDone = true
      paths.append(path)
      outcome.isWhole = false
      outcome.problem = outcome.problem ?? error.description
    case .failed(let error):
      outcome.isWhole = false
      outcome.problem = outcome.problem ?? error.description
    case .skipped, .trashed, .restored, .cancelled: outcome.isWhole = false
    }
  }

  private func end(_ outcome: Outcome, _ kind: FileOperation.Kind, _ undoable: Undoable) {
    if !outcome.hasDone, let problem = outcome.problem {
      return end(.failure(DropReader.Failure(sentence: problem, status: .transferFailed)))
    }
    // Files that were not moved must not be deleted by the source, so only a complete move is reported as a move.
    let operation: DragOperation =
      switch kind {
      case .copy: .copy
      case .move: outcome.isWhole ? .move : .copy
      case .link: .link
      }
    end(.success(Saved(operation: operation, undoable: undoable.isEmpty ? nil : undoable)))
  }

  private func name(of path: [UInt8]) -> String {
    Humane.visible(RawArgument.string(path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path))
  }

  func remove(_ file: SavedFile) { _ = withPath(settings.heldPath(of: file)) { unlink($0) } }
}

extension ItemResult {
  /// The result in a few words.
  fileprivate var details: String {
    let words =
      switch outcome {
      case .copied(_, let bytes): "copied, \(Humane.size(bytes))"
      case .moved: "moved"
      case .copiedOnly(_, _, let error): "copied, but \(error)"
      case .linked: "linked"
      case .trashed: "in the trash"
      case .restored: "back from the trash"
      case .skipped(let reason): reason
      case .failed(let error): error.description
      case .cancelled: "cancelled"
      }
    return Humane.visible(words) + (replaced == nil ? "" : ", replaced")
  }

  /// The resulting path, if there is one.
  var destination: RawPath? {
    switch outcome {
    case .copied(let path, _), .moved(let path, _), .copiedOnly(let path, _, _), .linked(let path), .restored(let path):
      path
    case .trashed(let file): file.path
    case .skipped, .failed, .cancelled: nil
    }
  }
}
