import FileOperations
import ToolSupport
import ToolWindow
import XDnD

/// Makes files of one drop, and reports what it wrote where.
///
/// It goes through the types that are offered, best first. What the source refuses to give is tried as the next one.
final class DropSaver {
  /// What has come of it.
  struct Saved {
    /// What to tell the source.
    var operation: DragOperation
    /// Whether the user still has to say what the source is told.
    var isAnswerDue = false
    /// Nothing, if nothing was changed.
    var undoable: Undoable?
  }

  /// Called when ``row`` has changed.
  var onProgress: () -> Void = {}
  /// Called with a line for each thing that was saved, and one for people's eyes.
  var onSaved: (Report, _ name: String, _ details: String) -> Void = { _, _, _ in }
  /// Asks the user: a question, and who is told which button it was.
  var ask: (Scene.Bar, @escaping (Int) -> Void) -> Void = { _, _ in }
  /// Called when nothing more is needed of the source, before the end.
  var onSourceDone: (DragOperation) -> Void = { _ in }

  let drop: DropSession
  let settings: SaveSettings
  let loop: EventLoop
  /// What the window shows of it.
  private(set) var row = Scene.Row("Saving", secondary: "", progress: 0)
  var files: FileWork?
  /// Where something new is, in the order in which it was saved.
  var paths: [[UInt8]] = []
  private var types: ArraySlice<ContentType>
  private var cancelTransfer: () -> Void = {}
  private var completion: ((Result<Saved, Intake.Failure>) -> Void)?

  init(
    _ drop: DropSession, settings: SaveSettings, loop: EventLoop,
    completion: @escaping (Result<Saved, Intake.Failure>) -> Void
  ) {
    self.drop = drop
    self.settings = settings
    self.loop = loop
    self.types = drop.negotiation.candidates.map(\.offered)[...]
    self.completion = completion
  }

  /// Whether the end is still to come.
  var isUnderWay: Bool { completion != nil }

  func start() { next(after: Intake.Failure(sentence: "there is nothing that can be saved", status: .refused)) }

  /// Ends it, with nothing half done, and says no more.
  func stop() {
    completion = nil
    cancelTransfer()
    files?.stop()
  }

  func end(_ result: Result<Saved, Intake.Failure>) {
    let completion = self.completion
    self.completion = nil
    completion?(result)
  }

  func next(after failure: Intake.Failure) {
    guard completion != nil else { return }
    guard let type = types.popFirst() else { return end(.failure(failure)) }
    showRow("Saving", type.name)
    if type == .directSave {
      saveDirectly()
    } else if FileList.reads(type) {
      loadFiles(type)
    } else {
      saveClipping(type)
    }
  }

  func showRow(_ primary: String, _ secondary: String) {
    row = Scene.Row(primary, secondary: secondary, progress: 0)
    onProgress()
  }

  func showProgress(_ received: Int, _ expected: Int?) {
    guard let expected, expected > 0 else { return }
    showProgress(min(1, Double(received) / Double(expected)))
  }

  func showProgress(_ fraction: Double) {
    row.progress = fraction
    onProgress()
  }

  /// A source that refuses a type may give another; one that is gone, or a disk that is full, will not do better.
  private func failed(_ error: XDnDError) {
    let failure = Intake.Failure(error)
    switch error.code {
    case .transferRefused, .transferFailed: next(after: failure)
    default: end(.failure(failure))
    }
  }

  private func tell(_ file: SavedFile, _ how: String, _ type: ContentType) {
    let path = RawArgument.string(file.rawPath)
    let size = file.byteCount
    paths.append(file.rawPath)
    onSaved(
      Report(
        "saved", "Saved \(Humane.visible(path))\(size.map { ": \(Humane.bytes($0))" } ?? "").",
        [
          "path": .string(String(decoding: file.rawPath, as: UTF8.self)), "bytes": size.map { .integer($0) },
          "how": .string(how), "type": .string(type.name),
        ]), Humane.visible(path.split(separator: "/").last.map(String.init) ?? path), size.map(Humane.size) ?? "")
  }

  /// - Parameter isAnswered: Whether the source has been told already.
  private func end(with files: [SavedFile], isAnswered: Bool = false) {
    // The source may delete what is on the disk now; a link to content there is not.
    let operation = drop.droppedOperation == .move ? DragOperation.move : .copy
    end(
      .success(
        Saved(
          operation: operation, isAnswerDue: drop.droppedOperation == .ask && !isAnswered,
          undoable: .created(files.map { settings.heldPath(of: $0) }))))
  }

  // MARK: What the source saves

  private func saveDirectly() {
    var isAnswered: () -> Bool = { false }
    let task = drop.saveDirectly(
      into: settings.directory, fallbackName: ClippingTime.name(),
      progress: { [weak self] in self?.showProgress($0, $1) }
    ) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let files):
        for file in files { tell(file, "direct-save", .directSave) }
        end(with: files, isAnswered: isAnswered())
      // A source that does not save may give its content in other ways. One that has tried could not make it, and need
      // not do so again.
      case .failure(let error) where error.code == .transferRefused: failed(error)
      case .failure(let error): end(.failure(Intake.Failure(error)))
      }
    }
    isAnswered = { [weak task] in task?.hasFinishedDrop ?? false }
    cancelTransfer = { [weak task] in task?.cancel() }
  }

  // MARK: Content

  private func saveClipping(_ type: ContentType) {
    guard ArrivedContent.canRead(type) else { return stream(type) }
    let task = drop.load(type, progress: { [weak self] in self?.showProgress($0, $1) }) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let content): save(Clipping.all(of: content, as: settings.linkFormat), type)
      case .failure(let error): failed(error)
      }
    }
    cancelTransfer = { [weak task] in task?.cancel() }
  }

  private func save(_ clippings: [Clipping], _ type: ContentType) {
    var files: [SavedFile] = []
    do throws(XDnDError) {
      for clipping in clippings {
        files.append(try settings.directory.save(clipping))
      }
    } catch {
      // All of it, or nothing.
      for file in files { remove(file) }
      return failed(error)
    }
    for file in files { tell(file, "clipping", type) }
    end(with: files)
  }

  private func stream(_ type: ContentType) {
    let name = Clipping.name(
      for: type, suggestedName: drop.offersDirectSave ? drop.promisedFileName() : nil,
      fallbackName: ClippingTime.name(), database: .system)
    let task = drop.load(
      type, into: settings.directory, named: name, progress: { [weak self] in self?.showProgress($0, $1) }
    ) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let file):
        tell(file, "clipping", type)
        end(with: [file])
      case .failure(let error): failed(error)
      }
    }
    cancelTransfer = { [weak task] in task?.cancel() }
  }

  // MARK: Files

  private func loadFiles(_ type: ContentType) {
    let task = drop.load(type) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let content): read(content.bytes, type)
      case .failure(let error): failed(error)
      }
    }
    cancelTransfer = { [weak task] in task?.cancel() }
  }

  private func read(_ list: [UInt8], _ type: ContentType) {
    guard let slices = ListSlices(list, as: type) else {
      return next(after: Intake.Failure(sentence: "the list of files cannot be read", status: .transferFailed))
    }
    let hostName = FileList.thisHost
    var entries = ListEntries()
    slices.read(on: loop) { [weak self] uris in
      let list = FileList(uris: uris)
      for (uri, entry) in zip(uris, list.entries(hostName: hostName)) {
        switch entry {
        case .local(let path): entries.paths.append(path)
        case .remote(let uri): entries.links.append(uri)
        case .otherHost, .malformed:
          entries.others.append(LeftOut(uri: uri, reason: entry.noFileReason ?? ""))
        }
      }
      return self?.isUnderWay ?? false
    } completion: { [weak self] isCut in
      if isCut { entries.others.append(LeftOut(uri: "", reason: ListSlices.cutSentence)) }
      self?.save(entries, type)
    }
  }

  /// The entries of a list, by what can be done with them.
  private struct ListEntries {
    var paths: [[UInt8]] = []
    var links: [String] = []
    var others: [LeftOut] = []
  }

  private func save(_ list: ListEntries, _ type: ContentType) {
    let (paths, links, others) = (list.paths, list.links, list.others)
    guard paths.isEmpty else {
      return saveFiles(paths, besides: others + links.map { LeftOut(uri: $0, reason: "it is not on this machine") })
    }
    // A link has a better form than this, if it is offered.
    if let better = types.first(where: { $0 == .mozURL || $0 == .netscapeURL }) {
      types = [better] + types
      return next(after: Intake.Failure(sentence: "", status: .refused))
    }
    guard !links.isEmpty else {
      let what = others.first.map { "\(Humane.visible($0.uri)): \($0.reason)" } ?? "the list of files is empty"
      return next(after: Intake.Failure(sentence: what, status: .refused))
    }
    tell(others) { [weak self] in
      guard let self else { return }
      save(clippings(of: links), type)
    }
  }

  private func clippings(of links: [String]) -> [Clipping] {
    let fallback = ClippingTime.name()
    // So many are a list that somebody wants to keep, and a directory full of files is none.
    guard links.count <= Self.mostLinkFiles else {
      return [Clipping(text: links.map { $0 + "\n" }.joined(), fallbackName: fallback)]
    }
    return links.map { Clipping(Link(url: $0), as: settings.linkFormat, fallbackName: fallback) }
  }

  /// How many links of one list get a file each.
  private static let mostLinkFiles = 100

  /// Reports what of a list cannot be saved, between other things.
  func tell(_ others: [LeftOut], completion: @escaping () -> Void) {
    var rest = others[...]
    loop.work { [weak self] in
      guard let self, isUnderWay else { return false }
      guard let other = rest.popFirst() else {
        completion()
        return false
      }
      let name = other.uri.isEmpty ? "the rest" : Humane.visible(other.uri)
      onSaved(
        Report(
          "not-saved", "Not saved: \(name): \(other.reason).",
          ["uri": other.uri.isEmpty ? nil : .string(other.uri), "reason": .string(other.reason)]), name, other.reason)
      return true
    }
  }
}
