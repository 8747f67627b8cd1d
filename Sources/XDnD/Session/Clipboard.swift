/// One of the two clipboards of X: ``DragAndDrop/clipboard`` or ``DragAndDrop/primarySelection``.
///
/// It offers and loads the same content as a drag. What is put there stays for as long as this program runs and no
/// other one puts something there; ``handOver(within:completion:)`` has it outlive the program.
///
/// All closures are called from ``DragAndDrop/process()`` and its relatives, and may call back into the library.
public final class Clipboard: ContentProvider {
  /// Called when what was put here is replaced or removed by somebody else, or the server is lost. Who fetches it at
  /// that moment gets it whole. A clipboard manager that it is handed over to is nobody else.
  public var onLoss: (() -> Void)?

  /// Called when somebody has got a representation of what was put here, or has failed to.
  public var onSent: ((ContentType, _ isSuccessful: Bool) -> Void)?

  /// Called when a program, perhaps this one, has put something here, with its window, or `nil` when nobody owns it any
  /// more. For as long as it is set, the server tells of each change; it needs the extension XFixes.
  public var onOwnerChange: ((WindowID?) -> Void)? {
    didSet {
      guard (oldValue == nil) != (onOwnerChange == nil) else { return }
      owner?.reactor.system.observeOwner(of: selection, onOwnerChange != nil)
    }
  }

  let selection: AtomName

  init(_ selection: AtomName, of owner: DragAndDrop) {
    self.selection = selection
    super.init(owner: owner)
  }

  // MARK: Copying

  /// What this program has here now; `nil` if what is here is not its own.
  public var item: DragItem? {
    owner.flatMap { owner in owner.reactor.currentOffer(on: selection).flatMap { owner.copies[$0]?.item } }
  }

  /// Puts content here, in place of what is here. Its ``DragItem/operations`` do not matter.
  ///
  /// - Parameters:
  ///   - item: Nothing of it is computed or read before somebody asks for it.
  ///   - time: The time of the event by which the user has asked for it. By default the server's time now, which takes
  ///     one more round trip.
  /// - Throws: ``XDnDError/Code/notAcquired`` or ``XDnDError/Code/displayClosed``.
  public func write(_ item: DragItem, at time: Timestamp? = nil) throws(XDnDError) {
    guard let owner, !owner.isClosed else { throw .displayClosed }
    let id = owner.reactor.nextOfferID()
    owner.copies[id] = Copy(item: item, clipboard: self)
    let isOurs = owner.reactor.put(
      id, types: item.types.map(\.atomName), byteCount: item.byteCount, on: selection, at: time)
    guard !isOurs else { return }
    owner.copies[id] = nil
    throw owner.isClosed ? .displayClosed : XDnDError(.notAcquired, "another program has taken \(selection)")
  }

  /// Puts several items here, as one; joined as those of a drag are.
  public func write(_ items: [DragItem], at time: Timestamp? = nil) throws(XDnDError) {
    try write(DragItem(joining: items), at: time)
  }

  /// Whether somebody is fetching what this program has, or had, here.
  public var isSending: Bool {
    owner?.copies.values.contains { $0.clipboard === self && !$0.transfers.isEmpty } ?? false
  }

  /// Removes what this program has put here. What others have put here stays.
  public func clear() { owner?.reactor.clear(selection) }

  // MARK: Pasting

  /// The window of the program that has put something here, which is not one that the user sees; `nil` if there is
  /// nothing. One round trip.
  public var ownerWindow: WindowID? {
    owner.flatMap { owner in
      let window = owner.reactor.system.owner(of: selection)
      return window == .none ? nil : window
    }
  }

  /// Asks for the types of what is here, best first; none if nothing is here.
  ///
  /// An owner that cannot list its types is taken for one that has text.
  ///
  /// - Parameter completion: Called once; at once if nothing is here.
  @discardableResult
  public func types(completion: @escaping (Result<[ContentType], XDnDError>) -> Void) -> LoadTask {
    let list = AtomList()
    let task = LoadTask(type: ContentType(.targets), provider: self, progress: nil) { [weak owner] result in
      switch result {
      case .success(let type): completion(.success(list.types(in: owner, labelled: type)))
      case .failure(let error) where error.code == .transferRefused || error.code == .transferFailed:
        completion(.success(AtomList.assumed))
      case .failure(let error): completion(.failure(error))
      }
    }
    start(task, limit: AtomList.maximumSize, sink: list.append, orElse: .success(ContentType(.atom)))
    return task
  }

  override func start(_ task: LoadTask, limit: Int?, sink: @escaping ContentSink) {
    start(task, limit: limit, sink: sink, orElse: .failure(.nothingOn(selection)))
  }

  private func start(
    _ task: LoadTask, limit: Int?, sink: @escaping ContentSink, orElse empty: Result<ContentType, XDnDError>
  ) {
    guard let owner, !owner.isClosed else { return task.end(.failure(.displayClosed)) }
    guard
      let transfer = owner.reactor.load(
        task.type.atomName, from: selection, limits: owner.limits(limit), sink: sink)
    else { return task.end(empty) }
    owner.track(task, transfer)
  }

  // MARK: Handing over

  /// Has a clipboard manager fetch what this program has put here, so that it outlives the program: ask before the end.
  ///
  /// The manager asks for each representation, so the driver has to run until the answer is there. Only
  /// ``DragAndDrop/clipboard`` can be handed over, as the ClipboardManager specification of freedesktop.org has it.
  ///
  /// - Parameters:
  ///   - limit: How long the manager may take for all of it.
  ///   - completion: Called once; at once if there is nothing to be handed over, or nobody to take it.
  public func handOver(within limit: Duration = .seconds(10), completion: @escaping (HandOver) -> Void) {
    guard let owner, !owner.isClosed, selection == .clipboard, let item else { return completion(.nothingToHandOver) }
    guard let transfer = owner.reactor.handOver(item.types.map(\.atomName), within: limit) else {
      return completion(.noManager)
    }
    let task = LoadTask(type: ContentType(.saveTargets), provider: self, progress: nil) { result in
      switch result {
      case .success: completion(.taken)
      case .failure(let error): completion(error.code == .timedOut ? .timedOut : .refused)
      }
    }
    owner.track(task, transfer)
  }

  // MARK: Notices

  func receive(_ notice: Notice.SelectionNotice) {
    switch notice {
    case .lost: onLoss?()
    case .ownerChanged(let window): onOwnerChange?(window)
    }
  }

  func receive(_ notice: Notice.OfferNotice, _ id: OfferID) {
    guard let owner else { return }
    switch notice {
    case .contentNeeded(let transfer, let type, let requestor):
      let type = ContentType(type)
      owner.copies[id]?.transfers[transfer] = type
      let request = owner.request(transfer, type, from: requestor)
      owner.copies[id]?.item.representations.first { $0.type.name == type.name }?.provide(request)
    case .transferEnded(let transfer, let result):
      if let type = owner.copies[id]?.transfers.removeValue(forKey: transfer) { onSent?(type, result == .delivered) }
    case .released: owner.copies[id] = nil
    // Direct save needs a window that is dropped on.
    case .transferProgressed, .contentRequested, .deletionRequested, .saveNeeded, .directSaveAnswered: break
    }
  }
}

/// What became of ``Clipboard/handOver(within:completion:)``.
public enum HandOver: String, Hashable, Sendable {
  /// A clipboard manager has all of it: this program may end.
  case taken
  /// No clipboard manager runs.
  case noManager = "no-manager"
  /// The manager did not want it, or is gone.
  case refused
  /// The manager did not answer in time.
  case timedOut = "timed-out"
  /// What is on the clipboard is not this program's, or cannot be handed over.
  case nothingToHandOver = "nothing-to-hand-over"
}

/// Something that was put on a clipboard.
struct Copy {
  let item: DragItem
  let clipboard: Clipboard
  /// The types of the transfers that are under way.
  var transfers: [TransferID: ContentType] = [:]
}

/// The answer to `TARGETS`, as it comes in.
private final class AtomList {
  private var bytes: [UInt8] = []

  /// As many as a list of types of a drag may have.
  static let maximumSize = 65_536 * 4

  /// What an owner most likely has that breaks ICCCM section 2.6.2 and does not list anything.
  static let assumed: [ContentType] = ["UTF8_STRING", "STRING"]

  /// Targets that are questions about the content, or orders: ICCCM sections 2.6.2 and 2.6.3, and the ClipboardManager
  /// specification.
  private static let meta: Set<AtomName> = [
    .targets, .timestamp, .multiple, .delete, .saveTargets, AtomName("INSERT_SELECTION"), AtomName("INSERT_PROPERTY"),
  ]

  func append(_ part: UnsafeRawBufferPointer) -> SinkAnswer {
    bytes.append(contentsOf: part)
    return .more
  }

  /// - Parameter label: The type of the property. Owners older than ICCCM give it the name of the target.
  func types(in owner: DragAndDrop?, labelled label: ContentType) -> [ContentType] {
    let isList = label.atomName == .atom || label.atomName == .targets
    guard let owner, isList, bytes.count.isMultiple(of: 4) else { return Self.assumed }
    let numbers = bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: min(bytes.count, Negotiation.offerLimit * 4), by: 4).map {
        bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)
      }
    }
    var seen = Self.meta
    let types = owner.reactor.system.names(ofAtoms: numbers).compactMap { $0 }.filter { seen.insert($0).inserted }
    return types.map { ContentType($0) }
  }
}
