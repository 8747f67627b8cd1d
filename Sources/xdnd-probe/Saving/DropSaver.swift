import XDnDFiles
import XDnDFileOperations
import Glibc
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Saves one drop as files and reports their paths.
///
/// Tries the offered types in order of preference; if the source refuses a type, the next one is tried.
final class DropSaver {
  struct Saved {
    /// The operation to report to the source; `nil` if the user skipped all files.
    let operation: DragOperation?
    /// Whether the user must still choose the operation to report.
    var isAnswerDue = false
    /// How to undo the saving; `nil` if nothing was changed.
    let undoable: Undoable?
    let paths: [RawPath]
    /// The result for local files, for display; `nil` for other content.
    var words: String?
  }

  /// Called when the name of the content is known.
  var onNamed: (String) -> Void = { _ in }
  /// Called for each item that was saved, or could not be.
  var onSaved: (SavedItem) -> Void = { _ in }
  /// Asks the user a question.
  var ask: (Scene.Bar, @escaping QuestionQueue.Answer) -> Void = { _, _ in }
  /// Shows the progress in the drop's row.
  var work: RowWork?
  /// How to undo an import of local files that the user has cancelled; `nil` without one.
  private(set) var abandoned: Undoable?

  private let drop: any ProbeDrop
  private let settings: SaveSettings
  private let loop: EventLoop
  private var files: FileImport?
  private var types: ArraySlice<ContentType>
  private weak var load: LoadTask?
  private weak var directSave: DirectSaveTask?
  private var isCancelled = false
  /// Whether the user has been asked about a file that exists already.
  private var hasAsked = false
  private var completion: ((Result<Saved, DropFailure>) -> Void)?

  init(
    _ drop: any ProbeDrop, settings: SaveSettings, loop: EventLoop,
    completion: @escaping (Result<Saved, DropFailure>) -> Void
  ) {
    self.drop = drop
    self.settings = settings
    self.loop = loop
    self.types = drop.negotiation.candidates.map(\.offered)[...]
    self.completion = completion
  }

  func start() {
    next(after: DropFailure("the drop offers nothing that can be saved", .refused))
  }

  /// Stops without leaving partial files and without calling the completion.
  func stop() {
    completion = nil
    load?.cancel()
    directSave?.cancel()
    files?.stop()
  }

  /// Ends at the user's request, without leaving partial files. The completion receives a failure.
  func cancel() {
    isCancelled = true
    // Some files may be finished already: see ``abandoned``.
    if let files { return files.cancel() }
    let (load, directSave) = (load, directSave)
    end(.failure(.cancelledByUser))
    load?.cancel()
    directSave?.cancel()
  }

  private func end(_ result: Result<Saved, DropFailure>) {
    let completion = self.completion
    self.completion = nil
    completion?(result)
  }

  private func next(after failure: DropFailure) {
    guard completion != nil else { return }
    guard let type = types.popFirst() else { return end(.failure(failure)) }
    work?.begin("saving")
    if type == .directSave {
      saveDirectly()
    } else if FileList.reads(type) {
      loadFiles(type)
    } else {
      saveClipping(type)
    }
  }

  /// Tries the next type if the error allows it.
  private func failed(_ error: XDnDError) {
    let failure = DropFailure(error)
    if error.allowsAnotherType { next(after: failure) } else { end(.failure(failure)) }
  }

  /// Returns a completion for a load, which calls `use` with the content, or ``failed(_:)``.
  private func loaded<Content>(
    _ use: @escaping (DropSaver, Content) -> Void
  ) -> (Result<Content, XDnDError>) -> Void {
    { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let content): use(self, content)
      case .failure(let error): failed(error)
      }
    }
  }

  private var received: (Int, Int?) -> Void { { [work, drop] in work?.received($0, of: $1, from: drop) } }

  private func report(_ file: SavedFile, _ how: String, _ type: ContentType) {
    let path = RawArgument.string(file.rawPath)
    let size = file.byteCount
    onSaved(
      SavedItem(
        report: Report(
          "saved", "Saved \(Formatting.visible(path))\(size.map { ": \(Formatting.bytes($0))" } ?? "").",
          [
            "path": .path(file.rawPath), "bytes": size.map { .integer($0) }, "how": .string(how),
            "type": .string(type.name),
          ]), name: FileImport.name(of: file.rawPath), details: size.map(Formatting.size) ?? "",
        // `--save` may name a relative path.
        path: file.rawPath.parent.resolved?.appending(file.rawPath.lastName) ?? file.rawPath))
  }

  /// - Parameter isAnswered: Whether the operation has already been reported to the source.
  private func end(with files: [SavedFile], isAnswered: Bool = false) {
    // After a move the source may delete its original, because the content is on disk. A link to content is reported
    // as a copy.
    let operation = drop.droppedOperation == .move ? DragOperation.move : .copy
    end(
      .success(
        Saved(
          operation: operation, isAnswerDue: drop.droppedOperation == .ask && !isAnswered,
          undoable: .created(files.map { settings.heldPath(of: $0) }), paths: files.map(\.rawPath))))
  }

  // MARK: Direct save (XDS)

  /// Whether the drop is finished, but its file is not written yet.
  var awaitsFile: Bool { directSave.map { $0.hasFinishedDrop && !$0.isFinished } ?? false }

  private func saveDirectly() {
    directSave = drop.session?.directSave(
      into: settings.directory, fallbackName: Formatting.clippingName()
    ) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let files):
        for file in files { report(file, "direct-save", .directSave) }
        end(with: files, isAnswered: directSave?.hasFinishedDrop ?? false)
      // A source that refuses direct save may offer its content in other types. One that tried and failed is not asked
      // again.
      case .failure(let error) where error.code == .transferRefused: failed(error)
      case .failure(let error): end(.failure(DropFailure(error)))
      }
    }
  }

  // MARK: Content

  private func saveClipping(_ type: ContentType) {
    guard DecodedContent.canRead(type), !DecodedContent.isTextDocument(type) else { return stream(type) }
    load = drop.provider.load(
      type, progress: received,
      completion: { [weak self] result in
        guard let self else { return }
        // A contact with a picture may be too long to decode. It is then saved without reading its name.
        if case .failure(let error) = result, error.code == .tooLarge, DroppedRecord.reads(type) { return stream(type) }
        loaded { $0.save(Clipping.all(of: $1, as: $0.settings.linkFormat), type) }(result)
      })
  }

  private func save(_ clippings: [Clipping], _ type: ContentType) {
    var files: [SavedFile] = []
    do throws(XDnDError) {
      for clipping in clippings { files.append(try settings.directory.save(clipping)) }
    } catch {
      // Either all files are saved or none.
      for file in files { _ = withCPath(settings.heldPath(of: file)) { unlink($0) } }
      return failed(error)
    }
    for file in files { report(file, "clipping", type) }
    end(with: files)
  }

  private func stream(_ type: ContentType) {
    let name = Clipping.name(
      for: type, suggestedName: drop.promisedName,
      fallbackName: Formatting.clippingName(), database: .system)
    load = drop.provider.load(
      type, into: settings.directory, named: name, progress: received,
      completion: loaded { saver, file in
        saver.report(file, "clipping", type)
        saver.end(with: [file])
      })
  }

  // MARK: Files

  private func loadFiles(_ type: ContentType) {
    load = drop.provider.load(type, progress: received, completion: loaded { $0.read($1.bytes, type) })
  }

  private func read(_ list: [UInt8], _ type: ContentType) {
    guard let slices = ListSlices(list, as: type) else {
      return next(after: DropFailure("cannot decode the file list"))
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
      return self?.completion != nil
    } completion: { [weak self] isCut in
      if isCut { entries.others.append(LeftOut(uri: "", reason: ListSlices.cutSentence)) }
      self?.save(entries, type)
    }
  }

  private struct ListEntries {
    var paths: [RawPath] = []
    var links: [String] = []
    var others: [LeftOut] = []
  }

  private func save(_ list: ListEntries, _ type: ContentType) {
    let (paths, links, others) = (list.paths, list.links, list.others)
    guard paths.isEmpty else {
      return importFiles(paths, besides: others + links.map { LeftOut(uri: $0, reason: "it is on another host") })
    }
    // A link type with a title is preferred over the plain URI, if offered.
    if let better = types.first(where: { $0 == .mozURL || $0 == .netscapeURL }) {
      types = [better] + types
      return next(after: DropFailure("", .refused))
    }
    guard !links.isEmpty else {
      let what = others.first.map { "\(Formatting.visible($0.uri)): \($0.reason)" } ?? "the list of files is empty"
      return next(after: DropFailure(what, .refused))
    }
    reportLeftOut(others) { [weak self] in
      guard let self else { return }
      save(Clipping.all(of: links.map { Link(url: $0) }, as: settings.linkFormat), type)
    }
  }

  /// Reports the entries of a list that cannot be saved, in slices between events.
  private func reportLeftOut(_ others: [LeftOut], completion: @escaping () -> Void) {
    var rest = others[...]
    loop.work { [weak self] in
      guard let self, self.completion != nil else { return false }
      guard let other = rest.popFirst() else {
        completion()
        return false
      }
      let name = other.uri.isEmpty ? "the rest" : Formatting.visible(other.uri)
      onSaved(
        SavedItem(
          report: Report(
            "not-saved", "Not saved: \(name): \(other.reason).",
            ["uri": other.uri.isEmpty ? nil : .string(other.uri), "reason": .string(other.reason)]), name: name,
          details: other.reason, state: .error))
      return true
    }
  }

  // MARK: Local files

  /// - Parameter others: The entries of the list that cannot be saved.
  private func importFiles(_ paths: [RawPath], besides others: [LeftOut]) {
    if drop.droppedOperation == .ask { return askForKind(paths, others) }
    importFiles(paths, Self.kinds.first { $0.operation == drop.droppedOperation } ?? .copy, others)
  }

  private static let kinds: [FileOperation.Kind] = [.copy, .move, .link]

  private func askForKind(_ paths: [RawPath], _ others: [LeftOut]) {
    // Keeps the drop open for up to ten minutes: Finished must report the operation performed, and the source may
    // delete temporary files after it. If the source gives up earlier, the answer still applies to the files.
    drop.waitForUser()
    work?.wait("waiting for your choice")
    let words = Dictionary(drop.choices.map { ($0.operation, $0.description) }) { first, _ in first }
    let kinds = Self.kinds.filter { kind in
      drop.operations.isEmpty || drop.operations.contains(kind.operation) || kind == .copy
    }
    let buttons = kinds.map { kind in
      Scene.Bar.Button(
        Formatting.visible(words[kind.operation] ?? kind.word).capitalizedFirst, key: String(kind.word.prefix(1)),
        isDefault: kind == .copy)
    }
    onNamed(Self.name(of: paths))
    let what = paths.count == 1 ? Formatting.quoted(Self.name(of: paths)) : "the \(Self.name(of: paths))"
    let bar = Scene.Bar(
      "What do you want to do with \(what)?",
      buttons: buttons + [Scene.Bar.Button("Cancel", key: "x", isCancel: true)])
    ask(bar) { [weak self] button, _ in
      guard let self else { return }
      guard button < kinds.count else {
        return end(.failure(.cancelledByUser))
      }
      importFiles(paths, kinds[button], others)
    }
  }

  private func importFiles(_ paths: [RawPath], _ kind: FileOperation.Kind, _ others: [LeftOut]) {
    // The source would take the silence during this work for a hung target.
    drop.waitForWork()
    onNamed(Self.name(of: paths))
    work?.begin(kind.participle)
    let files = FileImport(paths, kind, settings: settings, on: loop) { [weak self] outcome in
      self?.reportLeftOut(others) { [weak self] in self?.end(outcome, kind, isWholeList: others.isEmpty) }
    }
    var isAsking = false
    files.onProgress = { [weak self] progress in
      if isAsking { return }
      if progress.bytesTotal > 0 {
        self?.work?.advance(to: progress.bytesDone, of: progress.bytesTotal)
      } else {
        self?.work?.advance(to: progress.fraction)
      }
    }
    files.onSaved = { [weak self] in self?.onSaved($0) }
    files.ask = { [weak self] bar, answer in
      isAsking = true
      self?.hasAsked = true
      self?.work?.wait("waiting for your choice")
      // The reported operation depends on the answer. If the source gives up earlier, the answer still applies to the
      // files.
      self?.drop.waitForUser()
      self?.ask(bar) { [weak self] button, isForAll in
        isAsking = false
        self?.work?.begin(kind.participle)
        answer(button, isForAll)
      }
    }
    self.files = files
    do {
      try files.start()
    } catch {
      end(.failure(DropFailure(error.description)))
    }
  }

  private static func name(of paths: [RawPath]) -> String {
    paths.count == 1 ? FileImport.name(of: paths[0]) : Formatting.count(paths.count, "file")
  }

  private func end(_ outcome: FileImport.Outcome, _ kind: FileOperation.Kind, isWholeList: Bool) {
    if isCancelled {
      abandoned = outcome.undoable
      return end(.failure(.cancelledByUser))
    }
    if let failure = outcome.failure {
      return end(.failure(DropFailure(failure.description)))
    }
    // Files that were not moved must not be deleted by the source, so only a complete move is reported as a move.
    let isPartial = kind == .move && !(outcome.isComplete && isWholeList)
    let operation = hasAsked && outcome.isSkipped ? nil : isPartial ? .copy : kind.operation
    let undoable = outcome.undoable.isEmpty ? nil : outcome.undoable
    end(
      .success(
        Saved(operation: operation, undoable: undoable, paths: outcome.paths, words: outcome.words(for: kind))))
  }
}

extension Clipping {
  /// A longer list of links is saved as one file instead of filling the directory.
  private static let mostLinkFiles = 100

  /// Returns the files for a list of links: one for each, or a text for a long list.
  static func all(of links: [Link], as format: LinkFormat) -> [Clipping] {
    let fallback = Formatting.clippingName()
    guard links.count <= mostLinkFiles else {
      return [Clipping(text: links.map { $0.url + "\n" }.joined(), fallbackName: fallback)]
    }
    return links.map { Clipping($0, as: format, fallbackName: fallback) }
  }

  /// Returns the files for dropped content: for a list of links as above, otherwise a single file.
  static func all(of content: LoadedContent, as format: LinkFormat) -> [Clipping] {
    let fallback = Formatting.clippingName()
    // HTML becomes an HTML file. ``DecodedContent`` has its source only as plain text.
    let type = content.requestedType
    if StyledText.reads(type), let text = try? StyledText(decoding: content.bytes, as: type) {
      return [Clipping(text, fallbackName: fallback)]
    }
    switch DecodedContent.decode(content.bytes, requested: type, type: content.type) {
    case .text(let text): return [Clipping(text: text, fallbackName: fallback)]
    case .links(let links) where !links.isEmpty: return all(of: links, as: format)
    case .color(let color): return [Clipping(color, fallbackName: fallback)]
    // Saved unchanged: a decoded record lacks some of its data, and in the other cases nothing was decoded.
    case .files, .links, .records, nil:
      return [Clipping(bytes: content.bytes, of: type, fallbackName: fallback, database: .system)]
    }
  }
}
