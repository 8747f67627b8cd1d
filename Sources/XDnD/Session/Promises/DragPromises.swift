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
  private let follow: (LoadEvent, _ last: LoadAmount) -> Void
  /// The file of a direct save, and the amount that was last reported.
  private var save: (writer: PromiseWriter, path: [UInt8], told: LoadAmount)?
  private var list = List.none

  /// The state of the files in the requested list (`text/uri-list`).
  private enum List {
    /// The list has not been requested.
    case none
    /// The paths are known; the files are not written yet.
    case open(PromiseContainer)
    case filling(PromiseContainer, for: [Waiter], told: LoadAmount)
    case complete(PromiseContainer)
    case failed(PromiseContainer)
  }

  /// A request or a drop that waits until the files are written.
  private enum Waiter {
    case request(DataRequest, of: Range<Int>)
    /// The drop, which is sent afterwards.
    case drop
  }

  /// The longest delay of the answer to a direct save. Qt targets give up after five seconds.
  static let patience = Duration.seconds(3)

  /// - Parameters:
  ///   - reactor: Not retained.
  ///   - report: Called with each file that was saved by direct save, and with each failure to write a file.
  ///   - follow: Called with the progress of the writing.
  /// - Returns: `nil` if nothing is promised.
  init?(
    _ promises: [FilePromise], of drag: DragID, reactor: Reactor, doorbell: Doorbell, configuration: Configuration,
    report: @escaping (Result<SavedPromise, XDnDError>) -> Void, follow: @escaping (LoadEvent, LoadAmount) -> Void
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

  private var container: PromiseContainer? {
    switch list {
    case .none: nil
    case .open(let container), .filling(let container, _, _), .complete(let container), .failed(let container):
      container
    }
  }

  var isWriting: Bool {
    if case .filling = list { return true }
    return save != nil
  }

  func advance() {
    guard let now = reactor?.now else { return }
    advanceSave(at: now)
    advanceList(at: now)
  }

  private func tellProgress() {
    reactor?.perform {
      $0.drags[drag]?.receive(.transferProgressed)
      $0.offers.receive(.progressed, for: drag)
      $0.loads.progressed(of: drag)
    }
  }

  // MARK: Direct save

  /// - Parameter paths: See ``DirectSavePlace/local(_:)``.
  func save(to paths: [[UInt8]]) {
    guard let promise = promises.first, let first = paths.first else { return saved(.failure(.nothingDropped)) }
    let path = paths.first(where: Self.hasDirectory) ?? first
    let destination = Self.destination(at: path)
    let writer = PromiseWriter(promise, to: destination, doorbell: doorbell, timeout: timeout)
    save = (writer, destination.rawPath, LoadAmount())
    follow(.began, LoadAmount())
    // The writing takes long, and this may be inside a callback, so it begins in the next turn.
    doorbell.ring()
  }

  private func advanceSave(at now: LoopTime) {
    guard let writer = save?.writer else { return }
    let result = writer.advance(at: now)
    // The application may cancel the delivery in each of its callbacks.
    guard let save, save.writer === writer else { return }
    let told = LoadAmount(received: writer.writtenByteCount, expected: writer.byteCount)
    self.save?.told = told
    follow(.progressed(told), save.told)
    guard self.save?.writer === writer else { return }
    guard let result else { return tellProgress() }
    endSave(result.map { (save.path, $0) })
  }

  private func endSave(_ result: Result<SavedPromise, XDnDError>) {
    let told = save?.told ?? LoadAmount()
    save = nil
    follow(.ended(result.error), told)
    saved(result)
  }

  private func saved(_ result: Result<SavedPromise, XDnDError>) {
    let answer = result.error.map { DirectSaveProvider.SaveResult(failure: $0) } ?? .saved
    // Report before the answer, which may end the drag.
    report(result)
    reactor?.perform { $0.offers.receive(.saved(answer), for: drag) }
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

  /// Answers a request for the list of files. Before the drop, the answer has the future paths, because Nautilus and
  /// browsers read the list only while the drag is over them.
  ///
  /// - Parameter range: The promises whose files are listed; `nil` for all.
  func provideList(_ request: DataRequest, of range: Range<Int>? = nil) {
    let range = range ?? promises.indices
    do {
      let container = try openContainer()
      container.touch()
      switch list {
      case .failed: return request.refuse()
      case .open where isDropped, .filling where isDropped: return fill(container, for: .request(request, of: range))
      case .none, .open, .filling, .complete: break
      }
      if !isDropped {
        container.reserve()
        reactor?.perform { $0.drags[drag]?.receive(.preparationNeeded) }
      }
      request.fulfill(container.uris(of: range).encoded)
    } catch {
      report(.failure(error))
      request.refuse()
    }
  }

  func prepareDrop() {
    switch list {
    case .none, .failed: prepared(false)
    case .complete: prepared(true)
    case .open(let container), .filling(let container, _, _): fill(container, for: .drop)
    }
  }

  private func openContainer() throws(XDnDError) -> PromiseContainer {
    if let container { return container }
    let container = try PromiseContainer(promises, doorbell: doorbell, timeout: timeout)
    list = .open(container)
    return container
  }

  private func fill(_ container: PromiseContainer, for waiter: Waiter) {
    if case .filling(_, let waiters, let told) = list {
      list = .filling(container, for: waiters + [waiter], told: told)
    } else {
      list = .filling(container, for: [waiter], told: LoadAmount())
      follow(.began, LoadAmount())
    }
    container.start()
  }

  private func advanceList(at now: LoopTime) {
    guard case .filling(let container, _, _) = list else { return }
    let result = container.advance(at: now)
    // The application may cancel the delivery, or the drag, in each of its callbacks.
    guard case .filling(let filling, let waiting, let last) = list, filling === container else { return }
    let told = LoadAmount(received: container.writtenByteCount, expected: container.byteCount)
    list = .filling(container, for: waiting, told: told)
    follow(.progressed(told), last)
    guard case .filling(let rest, let waiters, _) = list, rest === container else { return }
    guard let result else { return tellProgress() }
    filled(container, result, for: waiters, told)
    if waiters.contains(where: { if case .drop = $0 { true } else { false } }) { prepared(result.error == nil) }
  }

  private func filled(
    _ container: PromiseContainer, _ result: Result<Void, XDnDError>, for waiters: [Waiter], _ told: LoadAmount
  ) {
    list = result.error == nil ? .complete(container) : .failed(container)
    follow(.ended(result.error), told)
    for case .request(let request, let range) in waiters {
      if result.error == nil { request.fulfill(container.uris(of: range).encoded) } else { request.refuse() }
    }
    if let error = result.error { report(.failure(error)) }
  }

  private func prepared(_ isThere: Bool) { reactor?.perform { $0.drags[drag]?.receive(.prepared(isThere)) } }

  // MARK: The end

  /// Gives up the files that are not complete, and refuses the requests that wait for them. The caller then ends the
  /// drag, which may be waiting for the files.
  func cancel() {
    // The file may be complete already, and under its name.
    if let save { endSave(save.writer.cancel().map { (save.path, $0) }) }
    if case .filling(let container, let waiters, let told) = list {
      container.remove()
      filled(container, .failure(XDnDError(.cancelled, "the delivery was cancelled")), for: waiters, told)
    }
  }

  func dropSent() { isDropped = true }

  /// Removes the container of a drag that was not dropped. A later request creates a new one.
  func dragEnded() {
    guard !isDropped else { container?.touch(); return }
    let removed = list
    container?.remove()
    list = .none
    if case .filling(_, _, let told) = removed {
      follow(.ended(XDnDError(.cancelled, "the temporary files were removed")), told)
    }
  }
}

extension DirectSaveProvider.SaveResult {
  /// After `placeFailed` the target requests the content and writes it to the same place. On a full disk, that would fail
  /// again.
  init(failure: XDnDError) {
    self = failure.code == .fileNotWritten && failure.cause != ENOSPC ? .placeFailed : .contentFailed
  }
}
