/// One item of a drop. The counterpart of a `UIDragItem` in `UIDropSession.items`.
///
/// Its content depends on where the drag began:
///
/// - *In the same ``DragAndDrop``*: one dragged ``DragItem``, with its own types and its own content. Its loads stay in
///   the process: they are answered by the same closures as a request by another program, and need no X server. The
///   methods of ``DragDelegate`` about deliveries are not called for them.
/// - *In another program*: the whole offer. XDND has one list of types and one answer for each type, so such a drop has
///   exactly one item, which loads as the ``DropSession`` does.
/// - *In either*, if the window accepts the content of dragged files rather than an offered type: the content of one
///   file. See ``DropOffer/readsFiles``.
///
/// Content can be loaded from the moment of the drop until it is finished, as from the session. An item retains its
/// session.
public final class DropItem: ContentProvider {
  /// The item's types, best first. Promised files, unless all are clippings, are a list of files
  /// (``ContentType/uriList``), which can be loaded.
  public var types: [ContentType] { offeredTypes ?? [] }
  /// The position in ``DropSession/items``, from 0.
  public var index: Int { itemIndex ?? 0 }

  private let drop: DropSession
  /// The item of a drag within the process.
  private let content: DragItem?
  /// Whether this is the only item of a drag from another program, with its whole offer.
  private let isWhole: Bool
  /// The file whose content this is.
  private let file: DraggedFile?

  init(allOf drop: DropSession) {
    self.drop = drop
    (content, isWhole, file) = (nil, true, nil)
    super.init(.drop(drop.id), offering: drop.types, log: drop.loadLog, itemIndex: 0, drop.context)
  }

  init(_ content: DragItem, at index: Int, of drop: DropSession, from drag: DragSession) {
    self.drop = drop
    (self.content, isWhole, file) = (content, false, nil)
    let local = LocalContent(session: drop.id, window: drop.window, drag: drag.id) { request in
      drag.contentRequested()
      content.localProvider(of: request.type)?(request)
    }
    super.init(.item(local), offering: content.localTypes, log: drop.loadLog, itemIndex: index, drop.context)
  }

  /// The content of a file in the drop's list.
  init(_ file: DraggedFile, at index: Int, of drop: DropSession) {
    self.drop = drop
    (content, isWhole, self.file) = (nil, false, file)
    let local = LocalContent(file, for: drop.id, in: drop.window)
    super.init(.item(local), offering: [file.type], log: drop.loadLog, itemIndex: index, drop.context)
  }

  override func holder(of type: ContentType) -> ContentProvider {
    guard isWhole else { return self }
    let holder = drop.holder(of: type)
    return holder === drop ? self : holder
  }
}

// MARK: - Progress

extension DropItem {
  /// The index for ``LoadObserver/observedItem``; `nil` if this is the only item, which represents the whole drop.
  var observedIndex: Int? { drop.itemCount == 1 ? nil : index }

  var loadLog: LoadLog { drop.loadLog }
}

// MARK: - Values

extension DropItem {
  /// The best type for the window or region under the drag; `nil` if it accepts none of ``types``.
  public var bestType: ContentType? { isWhole ? drop.bestType : drop.offer.bestType(among: types) }

  /// The value that the item was created from: see ``DragItem/value``. `nil` for a drag from another program, and for a
  /// file's content.
  public var value: (any Transferable)? { content?.value }

  /// The application's own value: see ``DragItem/localContext``. `nil` for a drag from another program, and for a
  /// file's content.
  public var localContext: Any? { content?.localContext }

  /// The name for a file with the content, as the source suggests it; `nil` if it suggests none. The counterpart of
  /// `NSItemProvider.suggestedName`. Makes one round trip if another program promises a file.
  public var suggestedFileName: String? {
    if let file { return FileName.sanitized(file.path) }
    if let content { return content.filePromises.first?.name }
    return drop.offersDirectSave ? drop.promisedFileName() : nil
  }

  /// Whether a value can be created from one of the item's types. The counterpart of
  /// `NSItemProvider.canLoadObject(ofClass:)`.
  public func canLoad<Value: Transferable>(_ type: Value.Type) -> Bool {
    !Value.candidates(among: types, database: typeDatabase).isEmpty
  }

  /// Loads a value from the item's best representation. If it is refused or its data is unusable, the next one is
  /// requested. The counterpart of `NSItemProvider.loadObject(ofClass:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
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
    let task = LoadTask(.data, of: self, progress: progress)
    task.value(of: types, from: self, limit: limit) { task.end($0, completion) }
    return task
  }

  /// Loads a value. See the method with a completion.
  ///
  /// The ``DragAndDrop`` must run meanwhile, for example in ``DragAndDrop/run()``. Cancelling the task cancels the
  /// load.
  public func load<Value: Transferable>(_ type: Value.Type, limit: Int? = nil) async throws(XDnDError) -> Value {
    try await outcome { load(type, limit: limit, completion: $0) }
  }
}
