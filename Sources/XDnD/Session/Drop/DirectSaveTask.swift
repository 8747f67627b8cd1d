import Glibc

/// A direct save (XDS) in progress.
///
/// It need not be retained, and may outlive the drop: see ``hasFinishedDrop``.
package final class DirectSaveTask {
  /// The number of bytes that have been saved or, if the source delivers data instead, loaded.
  package var receivedByteCount: Int { amount.received }
  /// Whether the save has ended, successfully or not.
  package var isFinished: Bool { completion == nil }
  /// Whether the drop was finished as a copy while the save continues, because the source has reported its file as
  /// saved and the file is not complete yet. Later calls of ``DropSession/finish(_:)`` and ``DropSession/reject()``
  /// have no effect.
  package private(set) var hasFinishedDrop = false

  /// The amount that was last reported.
  private(set) var amount = LoadAmount()
  /// Retained until the save ends, because a deallocated session answers the drop.
  private var drop: DropSession?
  /// The entry of this save in the log of the drop's loads.
  private var entry: LoadLog.Entry?
  private let directory: FileDirectory
  private let progress: ((Int, Int?) -> Void)?
  private var completion: ((Result<[SavedFile], XDnDError>) -> Void)?
  /// Whether the save was cancelled, possibly before it has begun.
  private var isCancelled = false
  /// The driver's save; `nil` before it begins, and after its end.
  private var save: Save?

  private var name: String
  private var staging: SaveStaging?
  /// The load of the data, if the source does not save.
  private var load: LoadTask?
  private var saved: [SavedFile] = []
  private var failure: XDnDError?

  init(
    _ drop: DropSession, _ directory: FileDirectory, fallbackName: String, progress: ((Int, Int?) -> Void)?,
    completion: @escaping (Result<[SavedFile], XDnDError>) -> Void
  ) {
    self.drop = drop
    self.directory = directory
    name = fallbackName
    self.progress = progress
    self.completion = completion
    entry = drop.loadLog.begin(self, item: nil)
  }

  deinit { staging?.remove() }

  /// Cancels the save, which ends with ``XDnDError/Code/cancelled``. The source is notified, unless the drop is
  /// finished; no partial file remains.
  package func cancel() {
    isCancelled = true
    control(.cancel)
  }

  /// Begins the save, or ends it with an error.
  func begin() {
    guard !isCancelled else { return end(.failure(XDnDError(DirectSaveReceiver.Failure.cancelled))) }
    guard let drop, let reactor = drop.context?.reactor, let visit = reactor.targets.visit(drop.id),
      let save = reactor.saves.prepare(visit, for: self, offersData: drop.types.contains(.data))
    else { return end(.failure(.nothingToSave)) }
    self.save = save
    control(.begin)
  }

  /// Ends the save, because the ``DragAndDrop`` is deallocated.
  func abandon() { end(.failure(XDnDError(.cancelled, "the program no longer waits for the file"))) }

  private func control(_ input: DirectSaveReceiver.Input) {
    if let save { drop?.context?.reactor.perform { _ in save.receive(input) } }
  }

  func receive(_ notice: Notice.SaveNotice) {
    switch notice {
    case .placeNeeded(let name): control(.placed(place(for: name)))
    case .lookNeeded: look()
    case .takeOverNeeded: control(.takenOver(takeOver()))
    case .dropOver:
      hasFinishedDrop = true
      // Not a move: the source must keep a file that has not arrived.
      drop?.finish(.copy)
    case .dataNeeded: fetch()
    case .ended(let result): end(result)
    }
  }

  private func place(for name: String?) -> String? {
    if let name { self.name = name }
    do {
      let staging = try SaveStaging(in: directory, drop?.context?.configuration.limits ?? PeerLimits())
      self.staging = staging
      return staging.uri(of: self.name)
    } catch {
      failure = error
      return nil
    }
  }

  private func look() {
    do {
      guard let look = try staging?.look() else {
        // No file can arrive there, whatever the source reports.
        failure = directory.failure(ENOENT)
        control(.placeLost)
        return
      }
      report(look.byteCount, nil)
      control(.looked(look))
    } catch {
      failure = error
      if error.code == .tooLarge {
        control(.placeLost)
      } else {
        // The next look may succeed, unless the save ends now.
        control(.unreadable)
        failure = nil
      }
    }
  }

  private func takeOver() -> Bool {
    do {
      saved = try staging?.takeOver(fallbackName: name) ?? []
    } catch {
      failure = error
    }
    return failure == nil
  }

  private func fetch() {
    // Discard the files that the source has begun to save.
    staging?.remove()
    staging = nil
    guard let drop else { return }
    // Without the log: the save itself is in it.
    let data = ContentProvider(.drop(drop.id), offering: drop.types, drop.context)
    let load = LoadTask(.data, of: data) { [weak self] in self?.report($0, $1) }
    self.load = load
    load.write(.data, from: data, into: directory, named: name, limit: nil) { [weak self] result in
      load.end(result) { [weak self] in self?.fetched($0) }
    }
  }

  private func fetched(_ result: Result<SavedFile, XDnDError>) {
    switch result {
    case .success(let file): saved = [file]
    case .failure(let error): failure = error
    }
    control(.fetched(failure == nil))
  }

  private func report(_ received: Int, _ expected: Int?) {
    guard received != receivedByteCount else { return }
    let last = amount
    amount = LoadAmount(received: received, expected: expected)
    entry?.receive(.progressed(amount), after: last)
    progress?(received, expected)
  }

  private func end(_ result: DirectSaveReceiver.Result) {
    switch result {
    case .saved, .fetched: end(.success(saved))
    case .failed(.sourceVanished) where drop?.context?.isClosed ?? true: end(.failure(.displayClosed))
    case .failed(.notStored): end(.failure(failure ?? XDnDError(.notStored)))
    case .failed(let failure): end(.failure(XDnDError(failure)))
    }
  }

  private func end(_ result: Result<[SavedFile], XDnDError>) {
    guard let completion else { return }
    self.completion = nil
    save = nil
    load?.cancel()
    load = nil
    staging?.remove()
    staging = nil
    entry?.receive(.ended(result.error), after: amount)
    completion(result)
    entry?.receive(.concluded, after: amount)
    entry = nil
    drop = nil
  }
}

extension DirectSaveTask: LoggedLoad {
  /// The driver ends the save, which may outlive the drop.
  func dropEnded(_ error: XDnDError?) {}
}

extension XDnDError {
  static let nothingToSave = XDnDError(.notDropped, "nothing has been dropped that is not being saved already")

  init(_ failure: DirectSaveReceiver.Failure) {
    switch failure {
    case .refused: self.init(.transferRefused, "the source does not save its file here")
    case .notSaved: self.init(.transferFailed, "the source could not save its file")
    case .meaninglessAnswer: self.init(.transferFailed, "the source has not said whether it has saved its file")
    case .nothingSaved: self.init(.transferFailed, "the source says that its file is saved, but it is not there")
    case .timedOut: self.init(.timedOut, "the source did not save its file in time")
    case .sourceVanished: self.init(.sourceVanished, "the source is gone")
    case .withdrawn: self = .withdrawn
    case .cancelled: self.init(.cancelled, "the saving of the file was cancelled")
    case .notStored: self.init(.fileNotWritten, "the file could not be stored")
    }
  }
}
