/// One of the two X11 clipboards: ``DragAndDrop/clipboard`` or ``DragAndDrop/primarySelection``. The counterpart of
/// `UIPasteboard` and `NSPasteboard`.
///
/// It offers and loads the same content as a drag. X11 stores no content: this program serves it, until another program
/// replaces it or this program exits. ``handOver(within:completion:)`` makes it outlive the program.
///
/// A clipboard belongs to the isolation domain of its ``DragAndDrop``. All closures are called from inside
/// ``DragAndDrop/process()`` and other calls into the library, and may call back into it.
public final class Clipboard: ContentProvider {
  /// Called when another program replaces or clears the content of this program, or when the connection is lost. A
  /// transfer that has begun still completes, unless the connection is lost. Not called when a clipboard manager takes
  /// the content in ``handOver(within:completion:)``.
  public var onLoss: (() -> Void)?

  /// Called when a requestor has received a representation of this program's content, or the transfer has failed.
  package var onSent: ((ContentType, _ isSuccessful: Bool) -> Void)?

  /// Called when the owner of the selection changes, with the owner's window; `nil` if there is no owner. The owner may
  /// be this program. While the closure is set, the server reports each change; this requires the XFixes extension.
  public var onOwnerChange: ((WindowID?) -> Void)? {
    didSet {
      guard (oldValue == nil) != (onOwnerChange == nil) else { return }
      context?.reactor.system.observeOwner(of: selection, onOwnerChange != nil)
      context?.reactor.system.flush()
    }
  }

  let selection: AtomName

  /// The copies that this program has written, including replaced ones that a requestor is still fetching.
  private var copies: [ClipboardCopy] {
    context?.reactor.offers.halves.compactMap { $0 as? ClipboardCopy }.filter { $0.clipboard === self } ?? []
  }

  /// - Parameter context: Not retained.
  init(_ selection: AtomName, _ context: SessionContext) {
    self.selection = selection
    super.init(.clipboard(selection), offering: nil, context)
  }

  // MARK: Copying

  /// The content that this program has written; `nil` if it does not own the clipboard.
  package var item: DragItem? {
    (context?.reactor.offers.current(on: selection)?.half as? ClipboardCopy)?.item
  }

  /// Writes content to the clipboard, and replaces the old content. The counterpart of `NSPasteboard.writeObjects(_:)`.
  ///
  /// - Parameters:
  ///   - item: The content. It is computed or read only when a requestor asks for it. Its ``DragItem/operations`` are
  ///     ignored.
  ///   - time: The timestamp of the user's event, such as the key press; `nil` for the server's current time, which takes
  ///     one more round trip.
  /// - Throws: ``XDnDError/Code/notAcquired`` if another program has acquired the clipboard with a later timestamp,
  ///   ``XDnDError/Code/displayClosed`` if the connection is lost.
  public func write(_ item: DragItem, at time: Timestamp? = nil) throws(XDnDError) {
    guard let context, !context.isClosed else { throw .displayClosed }
    let id = context.reactor.offers.nextID()
    let copy = ClipboardCopy(item, of: self)
    let isOurs = context.reactor.perform {
      $0.offers.put(id, of: copy, types: item.types.atomNames, byteCount: item.byteCount, on: selection, at: time)
    }
    guard !isOurs else { return }
    throw context.isClosed ? .displayClosed : XDnDError(.notAcquired, "another program has taken \(selection)")
  }

  /// Writes several items, merged into one as in a drag. Unlike in a drag, items without text do not exclude the text
  /// of the others. See ``DragItem/init(joining:)``.
  ///
  /// - Throws: Also ``XDnDError/Code/transferRefused`` if no type can represent the items.
  public func write(_ items: [DragItem], at time: Timestamp? = nil) throws(XDnDError) {
    let item = DragItem(joining: items, isWhole: false)
    guard !item.types.isEmpty else {
      throw XDnDError(.transferRefused, "no type can stand for these \(items.count) items")
    }
    try write(item, at: time)
  }

  /// Whether a requestor is receiving content that this program has written here, including replaced content.
  package var isSending: Bool { context?.reactor.offers.isSending(on: selection) ?? false }

  /// The number of copies that a requestor may still fetch.
  var copyCount: Int { copies.count }

  /// Removes this program's content. The content of other programs stays.
  public func clear() { context?.reactor.perform { $0.offers.clear(selection) } }

  // MARK: Pasting

  /// The window of the selection owner, often invisible; `nil` if there is no owner. Makes one round trip.
  package var ownerWindow: WindowID? {
    guard let window = context?.reactor.system.owner(of: selection) else { return nil }
    return window == .none ? nil : window
  }

  /// Requests the types of the clipboard's content, best first (`TARGETS`); an empty array if the clipboard is empty.
  ///
  /// If an owner cannot list its types, text is assumed: `UTF8_STRING` and `STRING`.
  ///
  /// - Parameter completion: Called once; before this method returns if the clipboard is empty.
  /// - Returns: The request, to cancel it.
  @discardableResult
  public func types(completion: @escaping (Result<[ContentType], XDnDError>) -> Void) -> LoadTask {
    let task = LoadTask(ContentType(.targets), of: self)
    types(of: task) { task.end($0, completion) }
    return task
  }

  private func types(of task: LoadTask, then: @escaping (Result<[ContentType], XDnDError>) -> Void) {
    task.bytes(of: ContentType(.targets), from: self, limit: Self.maximumListSize) { [self] result in
      switch result {
      case .success(let list): then(.success(types(in: list)))
      case .failure(.nothingOn(selection)): then(.success([]))
      case .failure(let error) where error.allowsAnotherType: then(.success(Self.assumedTypes))
      case .failure(let error): then(.failure(error))
      }
    }
  }

  /// Requests the types of the clipboard's content, best first; an empty array if the clipboard is empty.
  ///
  /// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``.
  ///
  /// - Throws: ``XDnDError`` if the list does not arrive.
  public func types() async throws(XDnDError) -> [ContentType] {
    try await outcome { types(completion: $0) }
  }

  // MARK: Values

  /// Loads a value from the best representation that both sides support. If the owner does not deliver it, or the data
  /// cannot be decoded, the next representation is requested. The owner is first asked for its types (`TARGETS`). If none
  /// of them suits, and one is a list of local files, the first suitable file is loaded: file managers copy a picture as
  /// a list of files.
  ///
  /// - Parameters:
  ///   - type: The type of the value, such as `String.self`, `FileList.self`, or the application's own ``Transferable``
  ///     type.
  ///   - limit: The largest number of bytes to accept for one representation; `nil` for
  ///     ``PeerLimits/maximumTransferSize``, and for ``PeerLimits/maximumFileTransferSize`` where a
  ///     ``FileRepresentation`` imports the value.
  ///   - progress: Called as data arrives, with the received and the expected number of bytes. It starts again with
  ///     each representation.
  ///   - completion: Called once. An error is the error of the last representation.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load<Value: Transferable>(
    _ type: Value.Type, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<Value, XDnDError>) -> Void
  ) -> LoadTask {
    let task = LoadTask(.data, of: self)
    types(of: task) { [self] offered in
      // Set only now: loading the list of types is not reported as progress.
      task.progress = progress
      switch offered {
      case .success(let types): value(of: types, by: task, limit: limit) { task.end($0, completion) }
      case .failure(let error): task.end(.failure(error), completion)
      }
    }
    return task
  }

  /// Loads a value from an offered type or, if none suits, from the first suitable local file, as a drop does.
  private func value<Value: Transferable>(
    of types: [ContentType], by task: LoadTask, limit: Int?, then: @escaping (Result<Value, XDnDError>) -> Void
  ) {
    guard Value.candidates(among: types, database: typeDatabase).isEmpty,
      let list = types.first(where: FileList.reads)
    else { return task.value(of: types, from: self, limit: limit, then: then) }
    task.bytes(of: list, from: self, limit: FileList.sizeLimit) { [self] content in
      guard let content = try? content.get(),
        let files = try? FileList(decoding: content.bytes, as: content.requestedType),
        let file = DraggedFile.all(in: files, typeDatabase).lazy.compactMap({ $0.examined() })
          .first(where: { !Value.candidates(among: [$0.type], database: self.typeDatabase).isEmpty }),
        let context
      else { return task.value(of: types, from: self, limit: limit, then: then) }
      let held = LocalContent(file, for: nil, in: context.reactor.system.dragWindow)
      let provider = ContentProvider(.item(held), offering: [file.type], context)
      task.value(of: [file.type], from: provider, limit: limit, then: then)
    }
  }

  /// Loads a value. See ``load(_:limit:progress:completion:)``.
  ///
  /// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``. Cancelling the task cancels the
  /// transfer.
  public func load<Value: Transferable>(_ type: Value.Type, limit: Int? = nil) async throws(XDnDError) -> Value {
    try await outcome { load(type, limit: limit, completion: $0) }
  }

  // MARK: Handing over

  /// Asks the clipboard manager to take over this program's content, so that it outlives the program. Call it before
  /// the program exits.
  ///
  /// The manager requests each representation, so the ``DragAndDrop`` must run until `completion` is called. Only
  /// ``DragAndDrop/clipboard`` can be handed over, as the freedesktop.org ClipboardManager specification defines it.
  ///
  /// - Parameters:
  ///   - limit: The time limit for the whole transfer.
  ///   - completion: Called once; before this method returns if there is nothing to hand over or no clipboard manager.
  public func handOver(within limit: Duration = .seconds(10), completion: @escaping (HandOver) -> Void) {
    guard let context, !context.isClosed, selection == .clipboard, let item else {
      return completion(.nothingToHandOver)
    }
    let task = LoadTask(ContentType(.saveTargets), of: self)
    let noManager = XDnDError(.transferRefused, "no manager runs")
    task.step(ContentType(.saveTargets), from: self, orElse: noManager) { result in
      switch result {
      case .success: completion(.taken)
      case .failure(noManager): completion(.noManager)
      case .failure(let error): completion(error.code == .timedOut ? .timedOut : .refused)
      }
    } begin: {
      $0.reactor.loads.handOver(item.types.atomNames, for: task, within: limit)
    }
  }

  /// Asks the clipboard manager to take over this program's content. See ``handOver(within:completion:)``.
  public func handOver(within limit: Duration = .seconds(10)) async -> HandOver {
    await withCheckedContinuation { continuation in
      handOver(within: limit) { continuation.resume(returning: $0) }
    }
  }

  // MARK: Notices

  func receive(_ notice: Notice.SelectionNotice) {
    switch notice {
    case .lost: onLoss?()
    case .ownerChanged(let window): onOwnerChange?(window)
    }
  }

}

/// The content of one call of ``Clipboard/write(_:at:)``.
private final class ClipboardCopy: OfferHalf {
  let item: DragItem
  private(set) weak var clipboard: Clipboard?

  init(_ item: DragItem, of clipboard: Clipboard) {
    self.item = item
    self.clipboard = clipboard
  }

  func receive(_ notice: Notice.OfferNotice) {
    switch notice {
    case .contentNeeded(let transfer, let type, let requestor):
      if let context = clipboard?.context { item.provide(ContentType(type), to: transfer, of: requestor, context) }
    case .transferEnded(let transfer, let result):
      clipboard?.onSent?(ContentType(transfer.type), result == .delivered)
    // XDS applies to drops only.
    case .released, .transferBegan, .transferProgressed, .contentRequested, .deletionRequested, .saveNeeded: break
    }
  }
}

/// The result of ``Clipboard/handOver(within:completion:)``.
public enum HandOver: String, Hashable, Sendable {
  /// A clipboard manager has taken the content. This program may exit.
  case taken
  /// No clipboard manager is running.
  case noManager = "no-manager"
  /// The manager has refused, or has exited.
  case refused
  /// The manager did not answer within the time limit.
  case timedOut = "timed-out"
  /// The clipboard's content is not this program's, or the selection cannot be handed over.
  case nothingToHandOver = "nothing-to-hand-over"
}

// MARK: - The answer to `TARGETS`

extension Clipboard {
  /// The maximum length of the answer, in bytes. Of its types, only the first ``PeerLimits/maximumTypeCount`` are used.
  private static let maximumListSize = 65_536 * 4

  /// Assumed for an owner that lists no types, contrary to ICCCM §2.6.2.
  private static let assumedTypes: [ContentType] = ["UTF8_STRING", "STRING"]

  /// Targets that are queries or side effects, not content: ICCCM §2.6.2 and §2.6.3, and the ClipboardManager
  /// specification.
  private static let metaTargets: Set<AtomName> = [
    .targets, .timestamp, .multiple, .delete, .saveTargets, AtomName("INSERT_SELECTION"), AtomName("INSERT_PROPERTY"),
  ]

  private func types(in list: LoadedContent) -> [ContentType] {
    // Owners older than the ICCCM use the name of the target as the type of the property.
    let isList = list.type.atomName == .atom || list.type.atomName == .targets
    guard let reactor = context?.reactor, isList, list.bytes.count.isMultiple(of: 4) else { return Self.assumedTypes }
    let limit = reactor.timing.typeCount
    if list.bytes.count > limit * 4 {
      reactor.ignored(.beyondLimit(.maximumTypeCount, peer: reactor.system.owner(of: selection)))
    }
    let numbers = list.bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: min(bytes.count, limit * 4), by: 4).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
      }
    }
    var seen = Self.metaTargets
    let types = reactor.system.names(ofAtoms: numbers).compactMap { $0 }.filter { seen.insert($0).inserted }
    return types.map { ContentType($0) }
  }
}
