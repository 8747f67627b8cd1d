import XDnDFiles
import XDnDFileOperations
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Copies, moves or links the dropped local files into the directory.
final class FileImport {
  struct Outcome {
    fileprivate(set) var paths: [RawPath] = []
    let undoable: Undoable
    fileprivate var problem: FileError?
    fileprivate var count = 0
    fileprivate var skippedCount = 0
    /// Copies whose originals could not be removed.
    fileprivate var leftCount = 0

    private var doneCount: Int { paths.count - leftCount }

    /// Whether the operation was carried out for all files.
    var isComplete: Bool { doneCount == count }

    /// Whether all files were skipped.
    var isSkipped: Bool { skippedCount == count }

    /// The first problem, if no file was saved.
    var failure: FileError? { paths.isEmpty ? problem : nil }

    fileprivate mutating func add(_ result: ItemResult) {
      if let path = result.destination { paths.append(path) }
      count += 1
      switch result.outcome {
      case .copiedOnly(_, _, let error):
        leftCount += 1
        problem = problem ?? error
      case .failed(let error): problem = problem ?? error
      case .skipped: skippedCount += 1
      case .copied, .moved, .linked, .trashed, .restored, .cancelled: break
      }
    }

    /// The result, for display: `moved`, `copied 2 of 3` or `skipped`. The operation that is reported to the source may
    /// differ, because it must not delete files that were not moved.
    func words(for kind: FileOperation.Kind) -> String {
      let done = OperationWords.pastTense(kind.operation)
      if isComplete { return done }
      if isSkipped { return "skipped" }
      if doneCount == 0, leftCount > 0 { return leftCount == count ? "copied" : "copied \(leftCount) of \(count)" }
      return "\(done) \(doneCount) of \(count)"
    }
  }

  var onProgress: (FileProgress) -> Void = { _ in }
  /// Called for each file.
  var onSaved: (SavedItem) -> Void = { _ in }
  /// Asks the user about a file that exists already.
  var ask: (Scene.Bar, @escaping QuestionQueue.Answer) -> Void = { _, _ in }

  private let operation: FileOperation
  private let loop: EventLoop
  private var work: WatchedFileTask?
  private var completion: ((Outcome) -> Void)?

  /// - Parameter completion: Called once, unless the import is stopped.
  init(
    _ paths: [RawPath], _ kind: FileOperation.Kind, settings: SaveSettings, on loop: EventLoop,
    completion: @escaping (Outcome) -> Void
  ) {
    var operation = FileOperation(kind, paths, to: settings.directory.rawPath, conflicts: settings.existing)
    operation.holder = settings.directory.fileDescriptor
    self.operation = operation
    self.loop = loop
    self.completion = completion
  }

  func start() throws(FileError) {
    let task = try FileTask(operation) { [weak self] event in
      guard let self else { return }
      switch event {
      case .progress(let progress): onProgress(progress)
      case .conflict(let conflict): askAbout(conflict)
      case .finished(let report): finished(report)
      }
    }
    work = WatchedFileTask(task, on: loop)
  }

  /// Ends at the user's request, without leaving partial files. The completion follows.
  func cancel() { work?.task.cancel() }

  /// Stops without leaving partial files.
  func stop() {
    completion = nil
    work?.stop()
  }

  private func askAbout(_ conflict: Conflict) {
    let new =
      operation.kind == .link
      ? "link to \(Formatting.visible(RawArgument.string(conflict.source)))" : conflict.newStatus?.words
    var bar = Scene.Bar(
      "\(Formatting.quoted(Self.name(of: conflict.existing))) already exists here.",
      details: [("Existing", conflict.existingStatus?.words), ("New", new)].compactMap { label, words in
        words.map { "\(label): \($0)" }
      },
      buttons: [
        Scene.Bar.Button("Keep Both", key: "k", isDefault: true), Scene.Bar.Button("Replace", key: "r"),
        Scene.Bar.Button("Skip", key: "s", isCancel: true),
      ])
    if conflict.hasMore { bar.buttons.append(Scene.Bar.Button("Apply to All", key: "a", isCheckBox: true)) }
    ask(bar) { [weak self] button, isForAll in
      let choices: [ConflictChoice] = [.keepBoth, .replace, .skip]
      self?.work?.task.answer(choices[min(button, choices.count - 1)], forAll: isForAll)
    }
  }

  private func finished(_ report: OperationReport) {
    var outcome = Outcome(undoable: report.undoable)
    var results = report.results[...]
    loop.work { [weak self] in
      guard let self, let completion else { return false }
      guard let result = results.popFirst() else {
        completion(outcome)
        return false
      }
      onSaved(
        SavedItem(
          report: Report(result, operation.kind), name: Self.name(of: result.destination ?? result.source),
          details: result.details, state: result.outcome.state, path: result.destination))
      outcome.add(result)
      return true
    }
  }

  static func name(of path: RawPath) -> String {
    Formatting.visible(RawArgument.string(path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path))
  }
}

extension FileStatus {
  /// The size or the kind, and the modification time: `2.0 KiB, 2026-11-21 14:30`.
  fileprivate var words: String {
    let what =
      switch kind {
      case .file: Formatting.size(size)
      case .directory: "folder"
      case .link: "link"
      case .special(let noun): noun
      }
    return "\(what), \(Formatting.date(modifiedSeconds))"
  }
}

extension ItemResult {
  fileprivate var details: String {
    let words =
      switch outcome {
      case .copied: "copied"
      case .moved: "moved"
      case .copiedOnly(_, _, let error): "copied, but \(error)"
      case .linked: "linked"
      case .skipped(let reason): reason
      case .failed(let error): error.description
      // Only an undo trashes or restores files.
      case .cancelled, .trashed, .restored: "cancelled"
      }
    return Formatting.visible(words) + (replaced == nil ? "" : ", replaced")
  }

  fileprivate var destination: RawPath? {
    switch outcome {
    case .copied(let path, _), .moved(let path, _), .copiedOnly(let path, _, _), .linked(let path): path
    case .skipped, .failed, .cancelled, .trashed, .restored: nil
    }
  }
}

extension ItemResult.Outcome {
  var state: Scene.Row.State {
    switch self {
    case .copied, .moved, .copiedOnly, .linked: .plain
    // The user's choice.
    case .skipped, .cancelled: .dimmed
    case .failed, .trashed, .restored: .error
    }
  }
}
