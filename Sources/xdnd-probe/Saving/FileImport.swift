import FileOperations
import ToolSupport
import ToolWindow
import XDnD

/// Copies, moves or links the dropped local files into the directory.
final class FileImport {
  /// The result of an import.
  struct Outcome {
    /// Whether everything was done with all files.
    fileprivate(set) var isComplete = true
    fileprivate var hasDone = false
    fileprivate var problem: FileError?
    /// The paths of the new files.
    fileprivate(set) var paths: [[UInt8]] = []
    /// How to undo it.
    fileprivate(set) var undoable: Undoable

    /// The first problem, if no file was saved; otherwise `nil`.
    var failure: FileError? { hasDone ? nil : problem }
  }

  /// Called with the progress, from 0 to 1.
  var onProgress: (Double) -> Void = { _ in }
  /// Called for each file, with a report, and a name and details for the window.
  var onSaved: (Report, _ name: String, _ details: String) -> Void = { _, _, _ in }
  /// Asks the user about a file that exists already; the closure receives the index of the pressed button.
  var ask: (Scene.Bar, @escaping (Int) -> Void) -> Void = { _, _ in }

  private let kind: FileOperation.Kind
  private let paths: [[UInt8]]
  private let settings: SaveSettings
  private let loop: EventLoop
  private var work: FileWork?
  private var completion: ((Outcome) -> Void)?

  /// - Parameter completion: Called once, unless the import is stopped.
  init(
    _ paths: [[UInt8]], _ kind: FileOperation.Kind, settings: SaveSettings, on loop: EventLoop,
    completion: @escaping (Outcome) -> Void
  ) {
    self.paths = paths
    self.kind = kind
    self.settings = settings
    self.loop = loop
    self.completion = completion
  }

  func start() throws(FileError) {
    var operation = FileOperation(kind, paths, to: settings.directory.rawPath, conflicts: settings.existing)
    operation.holder = settings.directory.fileDescriptor
    let task = try FileTask(operation) { [weak self] event in
      guard let self else { return }
      switch event {
      case .progress(let progress): onProgress(progress.fraction)
      case .conflict(let conflict): askAbout(conflict)
      case .finished(let report): finished(report)
      }
    }
    work = FileWork(task, on: loop)
  }

  /// Stops without leaving partial files.
  func stop() {
    completion = nil
    work?.stop()
  }

  private func askAbout(_ conflict: Conflict) {
    let bar = Scene.Bar(
      "A file named '\(Self.name(of: conflict.existing))' exists already.",
      buttons: [
        Scene.Bar.Button("Keep both", key: "k", isDefault: true), Scene.Bar.Button("Replace", key: "r"),
        Scene.Bar.Button("Skip", key: "s", isCancel: true),
      ])
    ask(bar) { [weak self] button in
      let choices: [ConflictChoice] = [.keepBoth, .replace, .skip]
      self?.work?.task.answer(choices[min(button, choices.count - 1)])
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
      onSaved(Report(result, kind), Self.name(of: result.destination ?? result.source), result.details)
      outcome.add(result)
      return true
    }
  }

  /// Returns the last component of a path, for display.
  static func name(of path: [UInt8]) -> String {
    Humane.visible(RawArgument.string(path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path))
  }
}

extension FileImport.Outcome {
  fileprivate mutating func add(_ result: ItemResult) {
    switch result.outcome {
    case .copied(let path, _), .moved(let path, _), .linked(let path):
      hasDone = true
      paths.append(path)
    case .copiedOnly(let path, _, let error):
      hasDone = true
      paths.append(path)
      isComplete = false
      problem = problem ?? error
    case .failed(let error):
      isComplete = false
      problem = problem ?? error
    case .skipped, .trashed, .restored, .cancelled: isComplete = false
    }
  }
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
      case .restored: "restored from the trash"
      case .skipped(let reason): reason
      case .failed(let error): error.description
      case .cancelled: "cancelled"
      }
    return Humane.visible(words) + (replaced == nil ? "" : ", replaced")
  }

  /// The resulting path, if there is one.
  fileprivate var destination: RawPath? {
    switch outcome {
    case .copied(let path, _), .moved(let path, _), .copiedOnly(let path, _, _), .linked(let path), .restored(let path):
      path
    case .trashed(let file): file.path
    case .skipped, .failed, .cancelled: nil
    }
  }
}
