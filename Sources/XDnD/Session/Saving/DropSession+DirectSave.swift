extension DropSession {
  /// Whether the source offers to save a file at a place that the target names: the Direct Save Protocol (XDS).
  public var offersDirectSave: Bool { types.contains(.directSave) }

  /// Returns the sanitized name of the file that the source offers to save. Makes one round trip.
  ///
  /// - Returns: `nil` if the source names no usable one. The source may save under another name: archivers do.
  public func promisedFileName() -> String? { owner?.reactor.drops.promisedName(of: id) }

  /// Asks the source to save its content into a directory, by the Direct Save Protocol (XDS). The counterpart of
  /// `NSFilePromiseReceiver.receivePromisedFiles(atDestination:options:operationQueue:reader:)`.
  ///
  /// A window accepts such drops only if its ``DropOffer`` names ``ContentType/directSave``; wildcards do not cover it.
  ///
  /// The source writes into a staging directory inside `directory`. Files are moved to their names when they are
  /// complete and on the disk. Nothing is written elsewhere or overwritten, whatever name the source promises or uses.
  /// The files have the permissions of new files, so a source cannot create an executable. If the source cannot save
  /// there but offers `application/octet-stream`, that is loaded instead. If both fail, the source is notified and no
  /// partial file remains. Answer the drop with ``finish(_:)`` or ``reject()`` when the save has ended.
  ///
  /// Some sources report success, and write the file only after they have received `XdndFinished` (Engrampa). If the
  /// file is not there after the report, the drop is finished immediately, as a copy, and the save continues: see
  /// ``DirectSaveTask/hasFinishedDrop``. The delegate is then told of the end of the drop before `completion` is
  /// called.
  ///
  /// There is no overall time limit while the file grows. The save times out after half a minute without a change.
  ///
  /// - Parameters:
  ///   - directory: The directory for the files. Symbolic links, devices and FIFOs that the source creates are not
  ///     moved into it.
  ///   - fallbackName: The name for a file without a usable one.
  ///   - progress: Called with the number of bytes that have arrived and, if it is known, the expected number.
  ///   - completion: Called once, with the saved files. Usually it is one file; archivers save several files, and
  ///     directories. Called before this method returns if nothing was dropped, or if a save is under way.
  /// - Returns: The save, to cancel it.
  @discardableResult
  public func saveDirectly(
    into directory: FileDirectory, fallbackName: String = "untitled", progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<[SavedFile], XDnDError>) -> Void
  ) -> DirectSaveTask {
    let task = DirectSaveTask(
      self, directory, fallbackName: FileName.sanitized(Array(fallbackName.utf8)) ?? "untitled", progress: progress,
      completion: completion)
    guard let owner, let save = owner.reactor.saves.prepare(id, offersData: types.contains(.data)) else {
      task.end(.failure(.nothingToSave))
      return task
    }
    owner.saves[save] = task
    task.control = { [weak reactor = owner.reactor] in reactor?.enqueue(.save(save, $0)) }
    task.control?(.begin)
    return task
  }
}
