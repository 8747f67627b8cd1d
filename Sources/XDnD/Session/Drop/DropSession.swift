/// A drag over one of this program's windows, and the drop that may follow. The counterpart of `UIDropSession`,
/// `NSDraggingInfo` and SwiftUI's `DropInfo`.
///
/// A session is valid from ``DropDelegate/validateDrop(_:)`` to ``DropDelegate/dropExited(_:_:)`` or
/// ``DropDelegate/dropEnded(_:_:)``. It belongs to the isolation domain of its ``DragAndDrop``.
///
/// If the session is deallocated after the drop without a call of ``finish(_:)`` or ``reject()``, the library answers,
/// because the source is waiting. If no load has begun, see ``operationWithoutLoad``; if none has succeeded, the
/// library rejects the drop. Otherwise it reports ``droppedOperation``, but a copy after ``DragOperation/ask``, and a
/// copy instead of a move if a load has failed: the source deletes moved content. An application that stores the loaded
/// content retains the session until the content is stored, and then answers.
public final class DropSession: ContentProvider {
  /// The source window of the XDND messages. Often it is not a window that the user sees.
  package let sourceWindow: WindowID
  /// The window under the drag.
  public let window: WindowID
  /// The XDND version that both sides use in this session.
  package let version: ProtocolVersion
  /// The position of the pointer, in root coordinates, in device pixels.
  public private(set) var rootLocation = Point(x: 0, y: 0)
  /// The operation that the user asks for; `nil` before the first position, or if the source names none.
  public private(set) var requestedOperation: DragOperation?
  /// The default answer to the source, which follows from the ``DropOffer`` of the window or region. A drag from the
  /// same ``DragAndDrop`` is accepted if the offer accepts a type of at least one item. If it does not accept all of
  /// them, a copy is suggested instead of a move: after a move, the source deletes all items.
  public private(set) var suggestedProposal = DropProposal.forbidden
  /// The drag, if it began in the same ``DragAndDrop``; otherwise `nil`. The counterpart of
  /// `UIDropSession.localDragSession`.
  public let localDrag: DragSession?
  /// The operation that was agreed on at the drop; `nil` before the drop. If the target does not permit the
  /// ``requestedOperation``, the two differ, and the library logs it.
  public private(set) var droppedOperation: DragOperation?
  /// The region under the pointer, or the region of the drop. `nil` if the window has no regions, or if none at the
  /// pointer accepts the content. See ``DragAndDrop/registerDropTarget(_:accepting:delegate:regions:)``.
  public private(set) var region: DropRegion?

  let id: SessionID
  /// `nil` once the visit is over.
  private(set) weak var visit: Visit?
  /// The loads that the application has begun.
  let loadLog = LoadLog()
  /// Whether the window's delegate refused the drag when it entered. See ``DropDelegate/validateDrop(_:)``.
  private(set) var isRefused = false
  private var content: OfferedContent
  /// The offer of the window or the region.
  private(set) var offer: DropOffer
  private(set) var dropTime: Timestamp?
  /// The local files that the source offers, if the window may accept their content.
  private(set) var files = Files.notRead {
    didSet { (verdicts, bestTypes) = ([], [:]) }
  }
  /// The operation to report if the session is deallocated without an answer, and the application has begun no load;
  /// `nil`, the default, rejects such a drop. Set it in ``DropDelegate/performDrop(_:)`` if the drop needs no content,
  /// for example because a row moves within its list.
  public var operationWithoutLoad: DragOperation?
  private var isOpen = true
  /// The verdicts for the last few offers. Each motion of a drag needs one, and a drag may have thousands of types and
  /// items.
  private var verdicts: [Verdict] = []
  private static let keptVerdicts = 8
  /// The types of the merged offer, and the types that only single items have.
  private lazy var allTypes: [ContentType] = {
    var known: Set<ContentType> = []
    return (types + (localDrag?.itemContents ?? []).flatMap(\.localTypes)).filter { known.insert($0).inserted }
  }()
  /// The best type for each type of value that the application has asked about: one of ``allTypes``, or a file's type.
  private var bestTypes: [ObjectIdentifier: ContentType?] = [:]
  private weak var target: DropWindow?

  /// The state of the source's list of local files.
  enum Files: Equatable {
    /// Not needed: the source offers no list of files, or the window accepts no content of files.
    case notRead
    /// The list is loaded at the first position.
    case awaited
    case reading
    /// The list could not be loaded during the drag. A drop is accepted, and the list is loaded after it.
    case unknown
    case known([DraggedFile])

    var known: [DraggedFile] { if case .known(let files) = self { files } else { [] } }
  }

  private struct Verdict {
    let offer: DropOffer
    let negotiation: Negotiation
    /// The indices of the accepted items of a drag within the process.
    let items: [Int]
    /// The files of accepted types; empty unless the target prefers the content of a file to every offered type.
    let files: [DraggedFile]
  }

  /// - Parameter target: Not retained, and neither is `context`.
  init(
    _ visit: Visit, over target: DropWindow, version: ProtocolVersion, content: OfferedContent, localDrag: DragSession?,
    context: SessionContext
  ) {
    self.id = visit.session
    self.visit = visit
    self.window = target.window
    self.sourceWindow = visit.source
    self.version = version
    self.content = content
    self.offer = target.offer.following(localDrag?.operations)
    self.localDrag = localDrag
    self.target = target
    super.init(.drop(visit.session), offering: content.types, log: loadLog, context)
  }

  override func holder(of type: ContentType) -> ContentProvider {
    guard !files.known.isEmpty, !types.contains(type),
      Negotiation(wanted: [type], offered: types, database: typeDatabase).best == nil
    else { return self }
    let wanted = DropOffer([type]).using(typeDatabase)
    let file = files.known.first { wanted.bestType(among: [$0.type]) != nil }
    return file.map { DropItem($0, at: 0, of: self) } ?? self
  }

  deinit {
    loadLog.end(nil)
    guard isOpen, droppedOperation != nil else { return }
    context?.reactor.perform { $0.targets[window]?.receive(.finish(id, operationByDefault)) }
  }
}

// MARK: - The drag

extension DropSession {
  /// The types that the source offers, best first. Several items are merged into one offer: see
  /// ``DragItem/init(joining:)``. In a drag from the same ``DragAndDrop``, ``items`` have types of their own.
  public var types: [ContentType] { content.types }
  /// The operations that the source offers (`XdndActionList`); empty if it publishes no list, or if no operation in it
  /// is known.
  public var operations: [DragOperation] { content.operations }
  /// The source's descriptions of its ``operations``, in the same order (`XdndActionDescription`); empty unless it
  /// gives one for each operation.
  package var operationDescriptions: [String] { content.descriptions }
  /// The dragged items, with their values and ``DragItem/localContext``, if the drag began in the same ``DragAndDrop``;
  /// otherwise `nil`. To load their content, see ``items``.
  public var localItems: [DragItem]? { localDrag?.items }

  /// How the container under the pointer relates to the container that the drag comes from.
  public var relation: DragRelation {
    guard let localDrag, let reactor = context?.reactor else { return .otherApplication }
    return DragRelation(from: localDrag.container, to: reactor.targets.container(at: rootLocation, in: window))
  }

  /// The position of the pointer in device pixels from the upper left corner of ``window``; `nil` if the window is
  /// destroyed.
  ///
  /// As a rule this makes no round trip: the library keeps track of the window's place while the session is valid. It
  /// asks the server only after the window, or a window around it, was reparented.
  ///
  /// After the program moves the window, or a window around it, the position is relative to the old place until the
  /// library has processed the `ConfigureNotify` of the move.
  public var location: Point? { context?.reactor.system.translate(rootLocation, to: window) }

  /// Returns the position of the pointer in any window, such as a child of ``window``. May make a round trip: see
  /// ``location``. The counterpart of `UIDropSession.location(in:)`.
  ///
  /// - Returns: The position in device pixels from the window's upper left corner; in root coordinates if the window
  ///   does not exist.
  public func location(in window: WindowID) -> Point {
    context?.reactor.system.translate(rootLocation, to: window) ?? rootLocation
  }
}

// MARK: - Negotiation

extension DropSession {
  /// The best of ``types`` for this window, under the source's name for it, or the type of a file whose content is
  /// accepted. See also ``DropItem/bestType`` and ``DropOffer/readsFiles``.
  public var bestType: ContentType? { negotiation.best?.offered }

  /// The offered types that suit this window, best first, with the reasons.
  ///
  /// A source may refuse a type that it offers. Load the next candidate in that case.
  package var negotiation: Negotiation { verdict(of: offer).negotiation }
}

// MARK: - The answer

extension DropSession {
  /// Reports to the source that the drop was accepted, and which operation was performed. Only the first call of
  /// ``finish(_:)`` or ``reject()`` after the drop has an effect. A call before the drop is ignored and logged.
  /// Unfinished loads end with ``XDnDError/Code/cancelled``.
  ///
  /// After a move, the library first asks the source to delete its content (`DELETE`, ICCCM §2.6.3), and then reports
  /// that the drop is finished.
  ///
  /// - Parameter operation: The operation that was performed: ``droppedOperation``, or the user's choice after
  ///   ``DragOperation/ask``. A copy may be reported instead of the agreed operation, but not the reverse: a move or a
  ///   link that was not agreed on is reported as ``droppedOperation``. A move is reported as a copy if a listed file's
  ///   content was read (``DropOffer/readsFiles``).
  public func finish(_ operation: DragOperation) {
    close(reported(operation))
  }

  /// Reports to the source that the drop was rejected. Only the first call of ``finish(_:)`` or ``reject()`` after the
  /// drop has an effect. To refuse a drag that hovers, see ``DropDelegate/dropUpdated(_:)``.
  public func reject() { close(nil) }

  private func close(_ operation: DragOperation?) {
    guard isOpen else { return }
    guard droppedOperation != nil else {
      context?.reactor.warn("an answer before the drop is ignored", about: window)
      return
    }
    isOpen = false
    target?.keepUntilEnd(self)
    context?.reactor.perform { $0.targets[window]?.receive(.finish(id, operation)) }
  }

  /// The operation to finish an unanswered drop with; `nil` to reject it.
  private var operationByDefault: DragOperation? {
    if loadLog.progress.loadCount == 0 { return operationWithoutLoad.flatMap(reported) }
    guard loadLog.hasLoaded else { return nil }
    return droppedOperation == .move && loadLog.hasFailed ? .copy : droppedOperation.flatMap(reported)
  }

  /// The operation that the source gets in Finished when the application has performed `operation`; `nil` rejects the
  /// drop.
  private func reported(_ operation: DragOperation) -> DragOperation? {
    let isAgreed = operation == droppedOperation || droppedOperation == .ask
    let isHarmless = operation == .copy || operation == .private
    let reported = operation != .ask && (isAgreed || isHarmless) ? operation : agreedOperation
    // The source must not delete a file whose content was read.
    return reported == .move && (takesFileContent || loadLog.hasReadFile) ? .copy : reported
  }

  /// The agreed operation, or a copy after ``DragOperation/ask``, because a copy takes nothing from the source.
  private var agreedOperation: DragOperation? { droppedOperation == .ask ? .copy : droppedOperation }
}

// MARK: - The drag image

extension DropSession {
  /// Moves the drag image into a frame of the window, where it disappears, instead of fading it where it was dropped.
  /// All images of several items fly into the same frame. The counterpart of UIKit's
  /// `dropInteraction(_:previewForDropping:withDefault:)` with a `UIDragPreviewTarget`, and of AppKit's
  /// `NSDraggingInfo.animatesToDestination`.
  ///
  /// It has an effect under the same conditions as the method for several frames.
  ///
  /// - Parameter frame: In window-local device pixels. It need not be visible.
  public func settle(into frame: Rect) {
    settle(into: Array(repeating: frame, count: localDrag?.preview.images.count ?? 0))
  }

  /// Moves the drag image of each item into a frame of the window, where it disappears, instead of fading it where it
  /// was dropped.
  ///
  /// Call it in ``DropDelegate/performDrop(_:)``, and answer the drop as usual. It has an effect only until the dropped
  /// image has faded, a few tenths of a second after the button was released, and only if the drag began in the same
  /// ``DragAndDrop``: the image of a drag from another program belongs to that program, and XDND has no message about
  /// it. With reduced motion the image always fades where it was dropped. If the drop is rejected meanwhile, the image
  /// slides back.
  ///
  /// - Parameter frames: The frame of each of the ``items``, in order, in window-local device pixels. An image whose
  ///   frame is `nil` or missing fades while the others fly. If the preview has fewer images than there are items, the
  ///   images belong to the first items.
  public func settle(into frames: [Rect?]) {
    guard droppedOperation != nil, let localDrag, let reactor = context?.reactor, let corner else { return }
    reactor.show { $0.image.land(in: frames.map { $0?.onRoot.moved(by: corner) }, of: localDrag.id) }
  }
}

// MARK: - Items

extension DropSession {
  /// The items of the drop, in order. The counterpart of `UIDropSession.items`.
  ///
  /// A drag from the same ``DragAndDrop`` has one for each dragged item. A drag from another program has exactly one,
  /// which represents the whole offer and loads as this session does. If the window accepts the content of files rather
  /// than an offered type, there is one item for each accepted file. The items are created at each access, and each
  /// retains this session.
  public var items: [DropItem] {
    let fileItems = fileItems
    guard fileItems.isEmpty else { return fileItems }
    guard let localDrag else { return [DropItem(allOf: self)] }
    return localDrag.itemContents.enumerated().map { DropItem($1, at: $0, of: self, from: localDrag) }
  }

  /// The items that have a type which this window or region accepts, in order. The counterpart of
  /// `NSDraggingInfo.numberOfValidItemsForDrop`.
  ///
  /// If these are not all items, the badge of the drag image shows their number while the pointer is here
  /// (``DropProposal/itemCount``), and the drop should not be finished as a move, because the source would delete all
  /// items.
  public var acceptedItems: [DropItem] {
    guard localDrag != nil, fileItems.isEmpty else { return bestType == nil ? [] : items }
    let accepted = Set(verdict(of: offer).items)
    return items.filter { accepted.contains($0.index) }
  }

  /// Whether a drop offer accepts the merged offer, the content of its files, or at least one item of a drag within the
  /// process. The items are examined separately, because the merged offer lacks a type that several items have but that
  /// cannot be joined, such as `image/png` for two pictures.
  func isAccepted(by offer: DropOffer) -> Bool {
    let verdict = verdict(of: offer)
    return verdict.negotiation.best != nil || !verdict.items.isEmpty || mayHold(offer)
  }

  private func verdict(of offer: DropOffer) -> Verdict {
    if let verdict = verdicts.first(where: { $0.offer == offer }) { return verdict }
    var known: [[ContentType]: Bool] = [:]
    let accepted = (localDrag?.itemContents ?? []).enumerated().compactMap { index, item in
      let types = item.localTypes
      let isAccepted = known[types] ?? (offer.bestType(among: types) != nil)
      known[types] = isAccepted
      return isAccepted ? index : nil
    }
    let held = files.known.isEmpty || !offer.mayReadFiles(among: types) ? [] : fileTypes
    let negotiation = offer.negotiation(with: types + held)
    let isInFile = negotiation.best.map { !types.contains($0.offered) } ?? false
    let taken = Set(isInFile ? held.filter { offer.bestType(among: [$0]) != nil } : [])
    let verdict = Verdict(
      offer: offer, negotiation: negotiation, items: accepted, files: files.known.filter { taken.contains($0.type) })
    verdicts = verdicts.suffix(Self.keptVerdicts - 1) + [verdict]
    return verdict
  }

  var itemCount: Int {
    let fileCount = verdict(of: offer).items.isEmpty ? acceptedFiles.count : 0
    return fileCount > 0 ? fileCount : localDrag?.itemContents.count ?? 1
  }
}

// MARK: - Files

extension DropSession {
  /// Whether the answer to a position, or ``DropDelegate/performDrop(_:)``, waits for the list of files.
  var awaitsFiles: Bool { files == .awaited || files == .reading }

  func setFiles(_ files: Files) { self.files = files }

  var fileListType: ContentType? { types.first(where: FileList.reads) }

  /// Whether the window or region accepts the content of files rather than an offered type.
  private var takesFileContent: Bool {
    guard let best = negotiation.best else { return mayHold(offer) }
    return !types.contains(best.offered)
  }

  /// Whether files of unknown types may have a type that an offer accepts.
  private func mayHold(_ offer: DropOffer) -> Bool {
    let isUnknown = files == .unknown || files.known.contains(where: \.isUnclear) && dropTime == nil
    return isUnknown && offer.mayReadFiles(among: types)
  }

  /// The files whose content the window or region accepts; empty if it prefers an offered type.
  private var acceptedFiles: [DraggedFile] { verdict(of: offer).files }

  /// The types of the files, each once.
  private var fileTypes: [ContentType] {
    var known: Set<ContentType> = []
    return files.known.map(\.type).filter { known.insert($0).inserted }
  }

  /// One item for each accepted file; empty if items of a drag from this program are accepted as they are.
  private var fileItems: [DropItem] { verdict(of: offer).items.isEmpty ? items(of: acceptedFiles) : [] }

  private func items(of files: [DraggedFile]) -> [DropItem] {
    files.enumerated().map { DropItem($1, at: $0, of: self) }
  }
}

// MARK: - Progress

extension DropSession {
  /// The total progress of the loads that the application has begun from this drop, its ``items`` included, and of
  /// ``saveDirectly(into:fallbackName:progress:completion:)``. The counterpart of `UIDropSession.progress`.
  ///
  /// The library does not show the progress, so there is no counterpart of `UIDropSession.progressIndicatorStyle`.
  public var progress: LoadProgress { loadLog.progress }

  /// Called when ``progress`` has changed: also from inside the methods that begin loads, and before the completion of
  /// a load. Retained as long as the session.
  public var onProgress: ((LoadProgress) -> Void)? {
    get { loadLog.onProgress }
    set { loadLog.onProgress = newValue }
  }
}

// MARK: - Values

extension DropSession {
  /// Whether a value can be created from an offered type, or from a type of at least one of the ``items``. The
  /// counterpart of `UIDropSession.canLoadObjects(ofClass:)`.
  public func canLoad<Value: Transferable>(_ type: Value.Type) -> Bool { bestType(for: type) != nil }

  /// Whether a load of an array would find a value: whether one can be created from at least one of the ``items``.
  public func canLoad<Value: Transferable>(_ type: [Value].Type) -> Bool { canLoad(Value.self) }

  private func bestType<Value: Transferable>(for type: Value.Type) -> ContentType? {
    if let known = bestTypes[ObjectIdentifier(type)] { return known }
    let best = [allTypes, offer.readsFiles ? fileTypes : []].lazy
      .compactMap { Value.candidates(among: $0, database: self.typeDatabase).first?.offered }.first
    bestTypes.updateValue(best, forKey: ObjectIdentifier(type))
    return best
  }

  /// Returns the provider of the best representation of a value: the merged offer or, if that lacks it, the first item
  /// that has it. The merged offer comes first because it may represent all items, such as a list of all their files.
  private func provider<Value: Transferable>(of type: Value.Type) -> (ContentProvider, types: [ContentType])? {
    guard let best = bestType(for: type) else { return nil }
    if types.contains(best) { return (self, types) }
    let files = items(of: files.known)
    return (items + files).first { $0.types.contains(best) }.map { ($0, $0.types) }
  }

  /// Loads a value from the best representation that both sides support. If the source refuses it or delivers unusable
  /// data, the next representation is requested.
  ///
  /// In a drag of several items from the same ``DragAndDrop``, the best representation may be one that the merged offer
  /// lacks. The value then comes from the first item that has it. Load an array to get the values of all items.
  ///
  /// - Parameters:
  ///   - type: The type of the value, such as `String.self`, `FileList.self`, or the application's own ``Transferable``
  ///     type.
  ///   - limit: The largest number of bytes to accept for one representation; `nil` for
  ///     ``PeerLimits/maximumTransferSize``, or ``PeerLimits/maximumFileTransferSize`` if a ``FileRepresentation``
  ///     imports the value.
  ///   - progress: Called as data arrives, with the received and the expected number of bytes. It starts again with
  ///     each representation.
  ///   - completion: Called once. An error is the error of the last representation.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load<Value: Transferable>(
    _ type: Value.Type, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<Value, XDnDError>) -> Void
  ) -> LoadTask {
    let (provider, types) = provider(of: type) ?? (self, types)
    let task = LoadTask(.data, of: provider, progress: progress)
    task.value(of: types, from: provider, limit: limit) { task.end($0, completion) }
    return task
  }

  /// Loads a value from each item that has one, in order. The counterpart of
  /// `UIDropSession.loadObjects(ofClass:completion:)`.
  ///
  /// Items from which no value can be created are left out. For a drag from another program the array has one value,
  /// created from the whole offer, or one for each accepted file: see ``items``. A ``FileList`` is one value; it is not
  /// split.
  ///
  /// - Parameters:
  ///   - type: The array type, such as `[FileList].self` or `[Card].self`.
  ///   - limit: The largest number of bytes to accept for one representation of one item; see the method for one value.
  ///   - progress: Called as data arrives, with the received number of bytes, and the expected number if there is one
  ///     item.
  ///   - completion: Called once. If one of the items fails, the result is its error, and no further items are loaded:
  ///     a drop that lacks an item must not be finished as a move.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func load<Value: Transferable>(
    _ type: [Value].Type, limit: Int? = nil, progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<[Value], XDnDError>) -> Void
  ) -> LoadTask {
    var items = self.items.filter { $0.canLoad(Value.self) }
    if items.isEmpty, offer.readsFiles { items = self.items(of: files.known).filter { $0.canLoad(Value.self) } }
    if items.isEmpty { items = [DropItem(allOf: self)] }
    let task = LoadTask(.data, of: self, itemCount: items.count, progress: progress)
    task.values(of: items, limit: limit) { task.end($0, completion) }
    return task
  }

  /// Loads a value from each item that has one. See the method with a completion.
  ///
  /// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``. Cancelling the task cancels the
  /// transfer.
  public func load<Value: Transferable>(_ type: [Value].Type, limit: Int? = nil) async throws(XDnDError) -> [Value] {
    try await outcome { load(type, limit: limit, completion: $0) }
  }

  /// Loads a value. See the method with a completion.
  ///
  /// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``. Cancelling the task cancels the
  /// transfer.
  public func load<Value: Transferable>(_ type: Value.Type, limit: Int? = nil) async throws(XDnDError) -> Value {
    try await outcome { load(type, limit: limit, completion: $0) }
  }
}

// MARK: - The user's choice

extension DropSession {
  /// The operations to let the user choose from when ``droppedOperation`` is ``DragOperation/ask``: the operations that
  /// both sides support, in the source's order. Add a way to cancel that calls ``reject()``.
  ///
  /// Never empty: a source without a list permits at least a copy.
  public var choices: [DropChoice] {
    DropChoice.all(among: operations, describedBy: operationDescriptions, permitting: offer.operations)
  }

  /// Extends the time limit of the drop to ``Configuration/choiceTimeout``, by default ten minutes after the drop, so
  /// that the user can choose. Keeps the source waiting, as ``waitForWork()`` does. A drop that is not answered within
  /// that time is rejected, with ``DropResult/timedOut``.
  ///
  /// Most sources release the pointer at the drop, so their windows remain usable; tkdnd keeps its grab until Finished.
  /// Load the content first: if the source exits meanwhile, its content is lost.
  public func waitForUser() { context?.reactor.perform { $0.targets[window]?.receive(.askingUser(id)) } }

  /// Keeps the source waiting while the application works with the content, until the drop is answered.
  ///
  /// Sources give up on a target that is silent after the drop: `xdnd-source` after half a minute. The library
  /// therefore requests the source's list of types every 10 s, unless data arrives anyway, and discards the answer. A
  /// source that takes any request as a sign of life then waits until the work is done; others may still give up.
  ///
  /// The time limit of the drop remains ``Configuration/finishTimeout``.
  public func waitForWork() { context?.reactor.perform { $0.targets[window]?.receive(.working(id)) } }

  /// Raises the window of the drop and gives it the keyboard focus, with the timestamp of the drop.
  ///
  /// The window manager decides whether to comply. If it does not support `_NET_ACTIVE_WINDOW` (EWMH), the library
  /// raises and focuses the window itself. Before the drop this does nothing. See
  /// ``Configuration/activatesWindowOnDrop``.
  public func activateWindow() {
    guard let dropTime, let system = context?.reactor.system else { return }
    // Chromium sends timestamp 0 with its drops; a window manager would take that for an outdated request.
    system.activate(window, at: dropTime == .currentTime ? system.serverTime() : dropTime)
    system.flush()
  }
}

// MARK: - Direct save

extension DropSession {
  /// Whether the source offers to save a file at a place that the target names: the Direct Save Protocol (XDS).
  public var offersDirectSave: Bool { types.contains(.directSave) }

  /// Returns the sanitized name of the file that the source offers to save. Makes one round trip.
  ///
  /// - Returns: The name; `nil` if the source gives no usable one. The source may save under another name: archivers
  ///   do.
  public func promisedFileName() -> String? { visit?.promisedName() }

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
  /// Some sources report success, and write the file only after they have received `XdndFinished` (Engrampa). If no
  /// complete file exists at the report, the drop is finished immediately, as a copy, and the save continues.
  /// ``DropDelegate/dropEnded(_:_:)`` is then called before `completion`.
  ///
  /// There is no overall time limit while the file grows. Without a change, the save times out after half a minute, or
  /// after an hour if the source still answers other requests. To let the user cancel it, make a ``DropPlaceholder``
  /// for the session first.
  ///
  /// - Parameters:
  ///   - directory: The directory for the files. Symbolic links, devices and FIFOs that the source creates are not
  ///     moved into it.
  ///   - fallbackName: The name for a file without a usable one.
  ///   - progress: Called with the number of bytes that have arrived and, if it is known, the expected number.
  ///   - completion: Called once, with the saved files. Usually it is one file; archivers save several files, and
  ///     directories. May be called before this method returns, for example if nothing was dropped, or if another save
  ///     of the drop has not ended.
  public func saveDirectly(
    into directory: FileDirectory, fallbackName: String = "untitled", progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<[SavedFile], XDnDError>) -> Void
  ) {
    _ = directSave(into: directory, fallbackName: fallbackName, progress: progress, completion: completion)
  }

  /// Saves like ``saveDirectly(into:fallbackName:progress:completion:)``.
  ///
  /// - Returns: The save, to observe or cancel it.
  package func directSave(
    into directory: FileDirectory, fallbackName: String = "untitled", progress: ((Int, Int?) -> Void)? = nil,
    completion: @escaping (Result<[SavedFile], XDnDError>) -> Void
  ) -> DirectSaveTask {
    let task = DirectSaveTask(
      self, directory, fallbackName: FileName.sanitized(Array(fallbackName.utf8)) ?? "untitled", progress: progress,
      completion: completion)
    task.begin()
    return task
  }
}

// MARK: - The course of the drag

extension DropSession {
  /// Whether a delegate handles the drag. The delegate is asked only if the offer accepts the drag; otherwise `true`.
  func isValid(for delegate: any DropDelegate) -> Bool {
    !isAccepted(by: offer) || delegate.validateDrop(self)
  }

  /// Asks the window's delegate, and keeps its answer for the visit.
  func validate(by delegate: (any DropDelegate)?) { isRefused = delegate.map { !isValid(for: $0) } ?? false }

  func moved(to point: Point) { rootLocation = point }

  func update(for request: TargetMachine.ProposalRequest) {
    rootLocation = request.point
    requestedOperation = request.requested
    content = request.content
    suggestedProposal = request.suggested
    if localDrag != nil || files != .notRead { updateSuggestion() }
  }

  func dropped(_ details: TargetMachine.DropDetails) {
    rootLocation = details.point
    content = details.content
    droppedOperation = details.operation
    dropTime = details.time
    loadLog.open()
  }

  func ended() {
    isOpen = false
    loadLog.end(nil)
  }
}

// MARK: - Regions

extension DropSession {
  func setRegion(_ region: DropRegion?) { self.region = region }

  func setOffer(_ offer: DropOffer) {
    if offer.readsFiles != self.offer.readsFiles { bestTypes = [:] }
    self.offer = offer.following(localDrag?.operations)
  }

  /// Derives ``suggestedProposal`` from the offer of the window or the region.
  func updateSuggestion() {
    suggestedProposal =
      isAccepted(by: offer) ? offer.proposal(accepting: content, requested: requestedOperation) : .forbidden
    let leavesSome = suggestedProposal.operation == .move && takesOnlySome
    // The source must not delete a file whose content was read.
    if leavesSome || suggestedProposal.operation != nil && takesFileContent {
      suggestedProposal = offer.operations.contains(.copy) ? .accept(.copy) : .forbidden
    }
  }

  /// Whether the offer of the window or the region accepts some of the items of a drag within the process, and not all.
  private var takesOnlySome: Bool {
    let taken = verdict(of: offer).items.count
    return taken > 0 && taken < localDrag?.itemContents.count ?? 0
  }
}

// MARK: - Coordinates

extension DropSession {
  /// The upper left corner of the window, in root coordinates; `nil` if the window is destroyed.
  private var corner: Point? { location.map { Point(x: rootLocation.x - $0.x, y: rootLocation.y - $0.y) } }

  /// The proposal with its areas in root coordinates, for the source.
  func onRoot(_ proposal: DropProposal) -> DropProposal {
    guard !proposal.quietRegion.isEmpty || !proposal.markedRegion.isEmpty else { return proposal }
    func onRoot(_ area: Rect) -> Rect {
      guard !area.isEmpty, let corner else { return Rect(x: 0, y: 0, width: 0, height: 0) }
      return area.onRoot.moved(by: corner)
    }
    var proposal = proposal
    proposal.quietRegion = onRoot(proposal.quietRegion)
    proposal.markedRegion = onRoot(proposal.markedRegion)
    return proposal
  }
}

// MARK: - The badge

extension DropSession {
  /// For a drag within the process, shows on the drag image how many items a drop with this proposal would take.
  func showTaken(by proposal: DropProposal) { localDrag?.show(badge(for: proposal), over: id) }

  /// Shows the drag's own badge again.
  func hideTaken() { localDrag?.show(nil, over: id) }

  private func badge(for proposal: DropProposal) -> DragBadge? {
    guard let operation = proposal.operation, content.permits(operation, requested: requestedOperation) else {
      return nil
    }
    if let count = proposal.itemCount { return .count(count) }
    let (items, taken) = (localDrag?.itemContents ?? [], verdict(of: offer).items)
    // The drag's own badge is right if all items are accepted. A badge that the application has switched off stays off.
    guard takesOnlySome, localDrag?.badge != DragBadge.none else { return nil }
    return .count(taken.reduce(0) { $0 + items[$1].count })
  }
}
