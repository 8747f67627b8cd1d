/// One thing to drag or copy, in one or more representations. The counterpart of `UIDragItem` with its
/// `NSItemProvider`, of `NSPasteboardItem`, and of `NSDraggingItem`.
///
/// The types are published when the drag begins. Content is computed or read only when a requestor asks for it.
public struct DragItem {
  /// The permitted operations, best first. By default only ``DragOperation/copy``, because file managers move a file
  /// whenever they may.
  ///
  /// ``OperationPolicy`` decides which of them is the default at a given place.
  public var operations: [DragOperation] = [.copy]

  /// Descriptions of the operations, for the menu that a target shows for ``DragOperation/ask``.
  public var operationDescriptions: [DragOperation: String] = [:]

  /// A value of the application's own, for drops on windows of the same ``DragAndDrop``. It never leaves the process.
  /// The counterpart of `UIDragItem.localObject`. See ``DropItem/localContext``.
  public var localContext: Any?

  /// The drag image. If it is `nil`, the library draws one. See ``DragAndDrop/image(ofWindow:area:hotspot:)``.
  public var preview: DragImage?

  /// The item's place on the screen when the drag begins. The drag image starts there, and returns there if the drag
  /// fails.
  public var origin: DragOrigin?

  /// The value that the item was created from; `nil` if it was created from promises. Drops on windows of the same
  /// ``DragAndDrop`` can use it directly.
  public private(set) var value: (any Transferable)?

  /// Whether only windows of the same ``DragAndDrop`` can be targets of a drag with this item. The windows of other
  /// programs receive no message of the drag, and their requests for its content are refused.
  public var isRestrictedToApplication = false

  /// The files that are written for a target that wants files. See ``promise(_:)-(FilePromise)``.
  package internal(set) var filePromises: [FilePromise] = []

  var isJoined = false

  var representations: [Representation] = []

  struct Representation {
    var type: ContentType
    /// Whether the type is published. A requestor may also ask for an unlisted type.
    var isListed = true
    /// Whether the type is published only to file managers without direct save. See ``Quirk``.
    var isForFileManagers = false
    /// Whether the representation stands only for promised files.
    var isPromise = false
    /// How many bytes it holds in memory until the drag is released.
    var byteCount = 0
    /// A representation for this process alone is not served to X clients. See
    /// ``TransferRepresentation/visibility(_:)``.
    var visibility = TransferRepresentationVisibility.all
    var provide: (DataRequest) -> Void
  }

  var byteCount: Int {
    representations.reduce(0) { $0 &+ $1.byteCount }
  }

  /// Creates an item without representations. Add them with ``promise(_:visibility:provide:)``.
  public init() {}

  /// Creates an item from a value, in all representations of its type.
  public init<Value: Transferable>(_ value: Value) {
    self.value = value
    promise(value)
  }

  /// Creates an item for files on this machine, as `text/uri-list`.
  ///
  /// - Parameter paths: Absolute paths.
  public init(files paths: [String]) {
    self.init(FileList(paths: paths))
  }

  /// The published types, in order of fidelity, best first.
  public var types: [ContentType] {
    representations.filter { $0.isListed && $0.visibility == .all }.map(\.type)
  }

  /// Adds a representation of lower fidelity than the existing ones. Does nothing if the type is already there with
  /// this visibility.
  ///
  /// The counterpart of `NSItemProvider.registerDataRepresentation(…)` and `NSPasteboardItemDataProvider`.
  ///
  /// - Parameters:
  ///   - type: The type of the representation.
  ///   - visibility: Which programs get it. One with ``TransferRepresentationVisibility/ownProcess`` is for drops on
  ///     windows of the same ``DragAndDrop``.
  ///   - provide: Called for each request, in the isolation domain of the ``DragAndDrop``. It answers the request now
  ///     or later. A request that is deallocated without an answer is refused.
  public mutating func promise(
    _ type: ContentType, visibility: TransferRepresentationVisibility = .all,
    provide: @escaping (DataRequest) -> Void
  ) {
    add(Representation(type: type, visibility: visibility, provide: provide))
  }

  /// Adds all representations of a value that are not there yet.
  ///
  /// The best representation with a ``TransferRepresentation/suggestedFileName(_:)-(String)`` is also promised as a
  /// file of that name, unless the item promises a file already. Text and HTML become a clipping: see
  /// ``FilePromise/isClipping``.
  public mutating func promise<Value: Transferable>(_ value: Value) {
    let forms = Value.transferForms.exports(value)
    for form in forms {
      add(Representation(type: form.type, visibility: form.visibility, provide: form.provide))
    }
    let published = forms.filter { $0.visibility == .all }
    guard let named = published.first(where: { $0.fileName != nil }), let name = named.fileName else { return }
    promiseFile(named: name, type: named.type, provide: named.provide)
  }

  /// Also promises the best published representation as a file. Does nothing if there is none, or if the item promises
  /// a file already. Text and HTML become a clipping: see ``FilePromise/isClipping``.
  ///
  /// - Parameter name: The suggested name. If it has no known extension, the type's extension is appended.
  public mutating func promiseFile(named name: String) {
    guard let best = representations.first(where: { $0.isListed && $0.visibility == .all }) else { return }
    let type = best.type
    let types = TypeDatabase.builtIn
    let suffix = types.types(forFileName: Array(name.utf8)).isEmpty ? types.preferredExtension(for: type) : nil
    promiseFile(named: suffix.map { "\(name).\($0)" } ?? name, type: type, provide: best.provide)
  }

  private mutating func promiseFile(named name: String, type: ContentType, provide: @escaping (DataRequest) -> Void) {
    guard filePromises.isEmpty else { return }
    var file = FilePromise(named: name, type: type, provide: provide)
    file.isClipping = type == .html || PlainText.isForm(type)
    filePromises.append(file)
  }

  /// Adds the representations of another item that this item lacks, with lower fidelity than its own.
  ///
  /// - Parameters:
  ///   - other: The other item. Its operations and its value are not copied.
  ///   - types: The types to add; `nil` for all.
  package mutating func append(representationsOf other: DragItem, of types: [ContentType]? = nil) {
    for representation in other.representations where types?.contains(representation.type) ?? true {
      add(representation)
    }
  }

  /// Adds bytes that are in memory. They are kept until ``DragDelegate/dragReleased(_:)``.
  public mutating func promise(_ type: ContentType, bytes: [UInt8]) {
    add(Representation(type: type, byteCount: bytes.count) { $0.fulfill(bytes) })
  }

  /// Adds the contents of a file. The file is opened when a requestor asks for the type, and read part by part.
  ///
  /// - Parameters:
  ///   - type: The type of the contents.
  ///   - path: The file's path. A relative path is resolved when the file is opened.
  public mutating func promise(_ type: ContentType, contentsOfFile path: String) {
    promise(type) { $0.fulfill(contentsOfFile: path) }
  }

  /// Adds the contents of a file whose path need not be UTF-8.
  public mutating func promise(_ type: ContentType, contentsOfFile rawPath: [UInt8]) {
    promise(type) { $0.fulfill(contentsOfFile: rawPath) }
  }

  /// Asks the provider of a type for the content of an outgoing transfer. The transfer is refused if the item lacks the
  /// type.
  func provide(_ type: ContentType, to transfer: TransferID, of requestor: WindowID, _ context: SessionContext) {
    let request = DataRequest(type: type, requestor: requestor, doorbell: context.doorbell) { [weak context] reader in
      context?.reactor.perform { $0.offers.provide(transfer, reader) }
    }
    representations.first { $0.type.name == type.name && $0.visibility == .all }?.provide(request)
  }

  /// Whether it has a representation that other programs do not get.
  var hasOwnProcessTypes: Bool { representations.contains { $0.visibility != .all } }

  /// The types for a drop within the process, best first: the published types, and the types for this process alone.
  var localTypes: [ContentType] {
    var names: Set<AtomName> = []
    return representations.filter { $0.isListed && names.insert($0.type.atomName).inserted }.map(\.type)
  }

  /// Returns the closure that answers a request within the process; `nil` if the item lacks the type.
  func localProvider(of type: ContentType) -> ((DataRequest) -> Void)? {
    representations.first { $0.type.name == type.name }?.provide
  }

  mutating func add(_ representation: Representation) {
    let isThere = representations.contains {
      $0.type.name == representation.type.name && $0.visibility == representation.visibility
    }
    guard !isThere else { return }
    representations.append(representation)
  }
}
