import XDnDFiles
import Glibc

/// Writes the promised files of one drag: to the place that the target names (direct save), or into the temporary
/// container.
final class DragPromises {
  /// The path and the length of a file that was saved by direct save.
  typealias SavedPromise = (path: [UInt8], byteCount: Int)

  private var isDropped = false

  private let promises: [FilePromise]
  private let drag: DragID
  private weak var reactor: Reactor?
  private let doorbell: Doorbell
  private let timeout: Duration
  private let report: (Result<SavedPromise, XDnDError>) -> Void
  private let follow: (LoadEvent, LoadID) -> Void
  private var save: (writer: PromiseWriter, path: [UInt8])?
  private var container: PromiseContainer?
  private var waiting: [(request: DataRequest, promises: Range<Int>)] = []
  /// Whether the container is filled; `nil` until that has succeeded or failed.
  private var isFilled: Bool?
  /// Whether the container is being filled.
  private var isFilling = false
  private var isPreparing = false

  /// How long to delay the answer to a direct save. Qt targets give up after five seconds.
  static let patience = Duration.seconds(3)

  /// The file of a direct save, and those of the container, among the loads of the drag. Transfers have positive numbers.
  private static let savedFile = LoadID(rawValue: -1)
  private static let listedFiles = LoadID(rawValue: -2)

  /// - Parameters:
  ///   - reactor: Not retained.
  ///   - report: Called with each file that was saved by direct save, and with each failure to write a file.
  ///   - follow: Called with the progress of the writing.
  /// - Returns: `nil` if nothing is promised.
  init?(
    _ promises: [FilePromise], of drag: DragID, reactor: Reactor, doorbell: Doorbell, configuration: Configuration,
    report: @escaping (Result<SavedPromise, XDnDError>) -> Void, follow: @escaping (LoadEvent, LoadID) -> Void
  ) {
    guard !promises.isEmpty else { return nil }
    self.promises = promises
    self.drag = drag
    self.reactor = reactor
    self.doorbell = doorbell
    self.timeout = configuration.promiseTimeout
    self.report = report
    self.follow = follow
  }

  deinit {
    save?.writer.cancel()
    // The target may have stored the paths of the files, or opened them.
    if isDropped { container?.keep() } else { container?.remove() }
  }

  var nextDeadline: LoopTime? { .earliest(save?.writer.nextDeadline, container?.nextDeadline) }

  var isWriting: Bool { save != nil || (isFilled == nil && (isPreparing || !waiting.isEmpty)) }

  func advance() {
    guard let now = reactor?.now else { return }
    advanceSave(at: now)
    advanceContainer(at: now)
  }

  private func tellProgress() {
    reactor?.give(.source(drag, .transferProgressed))
    reactor?.give(.directSave(drag, .progressed))
  }

  // MARK: Direct save

  /// - Parameter paths: See ``DirectSavePlace/local(_:)``.
  func save(to paths: [[UInt8]]) {
    guard let promise = promises.first, let first = paths.first else { return saved(.failure(.nothingDropped)) }
    let path = paths.first(where: Self.hasDirectory) ?? first
    let destination = Self.destination(at: path)
    save = (PromiseWriter(promise, to: destination, doorbell: doorbell, timeout: timeout), destination.rawPath)
    follow(.began, Self.savedFile)
    doorbell.ring()
  }

  private func advanceSave(at now: LoopTime) {
    guard let save else { return }
    let result = save.writer.advance(at: now)
    follow(.progressed(received: save.writer.writtenByteCount, expected: save.writer.byteCount), Self.savedFile)
    // The application may have cancelled the delivery meanwhile.
    guard self.save?.writer === save.writer else { return }
    guard let result else { return tellProgress() }
    endSave(result.map { (save.path, $0) })
  }

  private func endSave(_ result: Result<SavedPromise, XDnDError>) {
    save = nil
    follow(.ended(result.error), Self.savedFile)
    saved(result)
  }

  private func saved(_ result: Result<SavedPromise, XDnDError>) {
    let answer = result.error.map { DirectSaveProvider.SaveResult(failure: $0) } ?? .saved
    // Before the answer, which may end the drag.
    report(result)
    reactor?.give(.directSave(drag, .saved(answer)))
  }

  private static func hasDirectory(_ path: [UInt8]) -> Bool {
    (try? FileStatus(at: path.parent))?.kind == .directory
  }

  /// The place that the target names, or a numbered name beside it: an existing file is kept, because not all targets
  /// check for one. An empty file at the named place is the target's placeholder, and is replaced.
  static func destination(at path: [UInt8]) -> FileDestination {
    func status(of path: [UInt8]) -> FileStatus? { try? FileStatus(of: path, in: AT_FDCWD) }
    guard let existing = status(of: path) else { return FileDestination(rawPath: path, replacing: false) }
    if existing.kind == .file, existing.size == 0 { return FileDestination(rawPath: path) }
    let name = String(decoding: path.lastName, as: UTF8.self)
    let free = (2...1000).lazy.map { path.parent.appending(Array(FileName.numbered(name, $0).utf8)) }
      .first { status(of: $0) == nil }
    return FileDestination(rawPath: free ?? path, replacing: false)
  }

  // MARK: The container

  /// Answers a request for the list of files.
  ///
  /// - Parameter range: Whose files are listed, out of all promises; `nil` for all.
  ///
  /// Before the drop it answers with the future paths, because Nautilus and browsers read the list only while the drag
  /// is over them.
  func provideList(_ request: DataRequest, of range: Range<Int>? = nil) {
    let range = range ?? promises.indices
    do {
      let container = try openContainer()
      if isFilled == false { return request.refuse() }
      container.touch()
      guard isDropped, isFilled == nil else {
        if !isDropped {
          container.reserve()
          reactor?.give(.source(drag, .preparationNeeded))
        }
        return request.fulfill(container.uris(of: range).encoded)
      }
      waiting.append((request, range))
      fill(container)
    } catch {
      report(.failure(error))
      request.refuse()
    }
  }

  func prepareDrop() {
    isPreparing = true
    guard isFilled == nil, let container else { return prepared(isFilled ?? false) }
    fill(container)
  }

  private func openContainer() throws(XDnDError) -> PromiseContainer {
    if let container { return container }
    let container = try PromiseContainer(promises, doorbell: doorbell, timeout: timeout)
    self.container = container
    return container
  }

  private func fill(_ container: PromiseContainer) {
    if !isFilling {
      isFilling = true
      follow(.began, Self.listedFiles)
    }
    container.start()
    doorbell.ring()
  }

  private func advanceContainer(at now: LoopTime) {
    guard isFilled == nil, let container, isPreparing || !waiting.isEmpty else { return }
    let result = container.advance(at: now)
    follow(.progressed(received: container.writtenByteCount, expected: container.byteCount), Self.listedFiles)
    // The application may have cancelled the delivery meanwhile, or the drag.
    guard isFilling, self.container === container else { return }
    guard let result else { return tellProgress() }
    filled(container, result)
    if isPreparing { prepared(isFilled == true) }
  }

  private func filled(_ container: PromiseContainer, _ result: Result<Void, XDnDError>) {
    let isFilled = result.error == nil
    self.isFilled = isFilled
    isFilling = false
    follow(.ended(result.error), Self.listedFiles)
    let requests = waiting
    waiting = []
    for (request, range) in requests {
      if isFilled { request.fulfill(container.uris(of: range).encoded) } else { request.refuse() }
    }
    if let error = result.error { report(.failure(error)) }
  }

  private func prepared(_ isThere: Bool) {
    isPreparing = false
    reactor?.give(.source(drag, .prepared(isThere)))
  }

  // MARK: The end

  /// Gives up the files that are not complete, and refuses the requests that wait for them. The caller ends the drag, which
  /// may wait for its preparation.
  func cancel() {
    isPreparing = false
    // The file may be complete already, and under its name.
    if let save { endSave(save.writer.cancel().map { (save.path, $0) }) }
    if isFilling, let container {
      container.remove()
      filled(container, .failure(XDnDError(.cancelled, "the delivery was cancelled")))
    }
  }

  func dropSent() { isDropped = true }

  /// Removes the container of a drag that was not dropped. A later request creates a new one.
  func dragEnded() {
    guard !isDropped else { container?.touch(); return }
    waiting = []
    isPreparing = false
    container?.remove()
    container = nil
    isFilled = nil
    if isFilling {
      isFilling = false
      follow(.ended(XDnDError(.cancelled, "the temporary files were removed")), Self.listedFiles)
    }
  }
}

extension DirectSaveProvider.SaveResult {
  /// A target that is told that the place failed asks for the content, and writes it to the same place. On a full disk it would
  /// be made again in vain.
  init(failure: XDnDError) {
    self = failure.code == .fileNotWritten && failure.cause != ENOSPC ? .placeFailed : .contentFailed
  }
}
