extension DropSession {
  /// Whether the source can save a file where it is told to (XDS).
  public var offersDirectSave: Bool { types.contains(.directSave) }

  /// The name of the file that the source can save, without what cannot be in a name: one round trip.
  ///
  /// - Returns: `nil` if the source says none that can be used. It may save under another one all the same: archivers do.
  public func promisedFileName() -> String? { owner?.reactor.promisedName(of: id) }

  /// Has the source save what it drags into a directory: the direct save protocol, XDS.
  ///
  /// A window takes such drops if its ``DropOffer`` names ``ContentType/directSave``; wildcards do not cover it.
  ///
  /// The source is given a place of its own there, and what is there at last gets its name in the directory when it is
  /// whole and on the disk: so nothing is ever written elsewhere or over anything, whatever name the source promises or
  /// uses. It has the permissions of a new file: a source makes nothing executable. A source that cannot save there, but offers `application/octet-stream`, is asked for that. If nothing comes of
  /// it, the source is told, and nothing is left. Answer the drop with ``finish(_:)`` or ``reject()`` when it has ended.
  ///
  /// Some sources say that they have saved, and write their file when they have heard that the drop is over (Engrampa). So if
  /// it is not there by then, the drop is finished at once, as a copy, and the save goes on without it:
  /// ``DirectSaveTask/hasFinishedDrop``. The delegate hears that the drop has ended before `completion` is called.
  ///
  /// It may take any time, as long as the file grows; after half a minute without a change it is given up on.
  ///
  /// - Parameters:
  ///   - directory: Where to. Symbolic links, devices and pipes are not taken over.
  ///   - fallbackName: The name for a file without one that can be used.
  ///   - progress: Called with the number of bytes that are there, and if it is known with how many it will be.
  ///   - completion: Called once, with what was saved: one file as a rule; several files, and directories, from archivers.
  ///     At once if nothing has been dropped, or a save is under way.
  /// - Returns: The save, to cancel it.
  @discardableResult
  public func saveDirectly(
    into directory: FileDirectory, fallbackName: String = "untitled", progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<[SavedFile], XDnDError>) -> Void
  ) -> DirectSaveTask {
    let task = DirectSaveTask(
      self, directory, fallbackName: FileName.sanitized(Array(fallbackName.utf8)) ?? "untitled", progress: progress,
      completion: completion)
    guard let owner, let save = owner.reactor.save(id, offersData: types.contains(.data)) else {
      task.end(.failure(.nothingToSave))
      return task
    }
    owner.saves[save] = task
    task.control = { [weak reactor = owner.reactor] in reactor?.enqueue(.save(save, $0)) }
    task.control?(.begin)
    return task
  }
}
