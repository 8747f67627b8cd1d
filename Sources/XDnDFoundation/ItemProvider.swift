public import FoundationEssentials
public import XDnD

/// The content of one item, on the source's or the target's side of a drag. The counterpart of `NSItemProvider`, with the
/// same method names.
///
/// A provider that the program creates becomes a `DragItem`: see ``XDnD/DragItem/init(itemProvider:)``. Content can be
/// registered with it, but not loaded from it. A provider of a drop represents a `DropItem`: content can be loaded from
/// it after the drop, but not registered.
///
/// All closures are called in the isolation domain of the `DragAndDrop`, and not on another queue.
public final class ItemProvider {
  private var dragItem: DragItem
  private let dropItem: DropItem?
  private var givenName: String?
  /// The file of a provider that was created from a file.
  private var file: FilePromise?

  /// Creates a provider without representations. `onDrag` begins no drag with it.
  public convenience init() { self.init(DragItem()) }

  /// Creates a provider with all representations of a value. The counterpart of `NSItemProvider.init(object:)`.
  public convenience init<Value: Transferable>(object: Value) { self.init(DragItem(object)) }

  /// Creates a provider with the contents of a file. They are read when a requestor asks for them.
  ///
  /// The type follows from the name. The file is also promised under its name, so that a file manager saves a copy. To drag
  /// the file itself, use `DragItem.init(files:)`.
  ///
  /// - Parameter file: The file's URL. The result is `nil` if it is not the URL of a file on this machine.
  public convenience init?(contentsOf file: URL) {
    guard let path = FileList.rawLocalPath(of: file.absoluteString) else { return nil }
    self.init()
    let promise = FilePromise(copying: path)
    self.file = promise
    guard promise.type != .directory else { return }
    dragItem.promise(TypeDatabase.builtIn.type(forFileName: path), contentsOfFile: path)
  }

  init(_ item: DragItem, for dropItem: DropItem? = nil) {
    dragItem = item
    self.dropItem = dropItem
  }

  /// The item to drag.
  var item: DragItem {
    var item = dragItem
    if var file {
      file.name = suggestedName ?? file.name
      item.promise(file)
    } else if let givenName {
      item.promiseFile(named: givenName)
    }
    return item
  }

  // MARK: Types

  /// The types of the representations, best first.
  public var registeredContentTypes: [ContentType] { dropItem?.types ?? dragItem.types }

  /// The names of ``registeredContentTypes``, which are MIME types and X targets.
  public var registeredTypeIdentifiers: [String] { registeredContentTypes.map(\.identifier) }

  /// Whether a representation has a type, or one that conforms to it.
  ///
  /// - Parameter identifier: A MIME type, a pattern such as `image/*`, the name of an X target, or one of the identifiers
  ///   that Apple declares, such as `public.image`.
  public func hasItemConformingToTypeIdentifier(_ identifier: String) -> Bool {
    let types = [ContentType(identifier: identifier)]
    return dropItem?.offers(types) ?? (DropOffer(types).bestType(among: registeredContentTypes) != nil)
  }

  /// Whether a value can be loaded from the item. `false` for a provider that the program has created.
  public func canLoadObject<Value: Transferable>(ofClass type: Value.Type) -> Bool { dropItem?.canLoad(type) ?? false }

  /// The name for a file with the content; `nil` if there is none.
  ///
  /// In a drag, setting the name also promises the best representation as a file, and appends the type's extension if
  /// the name has no known one. For a provider of a file, it renames the promised file. In a drop from another program,
  /// it is the name that the source promises, and reading it makes a round trip.
  public var suggestedName: String? {
    get { dropItem.map(\.suggestedFileName) ?? givenName ?? file?.name ?? dragItem.filePromises.first?.name }
    set { givenName = newValue }
  }

  // MARK: Registering

  /// Adds a representation of lower fidelity than the existing ones, as bytes.
  ///
  /// - Parameters:
  ///   - type: The type of the data.
  ///   - visibility: Which programs see the representation.
  ///   - loadHandler: Called for each request. It passes the data or an error to its argument, now or later, in the same
  ///     isolation domain. It returns `nil`, because a request has no progress.
  public func registerDataRepresentation(
    for type: ContentType, visibility: TransferRepresentationVisibility = .all,
    loadHandler: @escaping (@escaping (Data?, (any Error)?) -> Void) -> Never?
  ) {
    dragItem.promise(type, visibility: visibility) { request in
      _ = loadHandler { data, _ in
        guard let data else { return request.refuse() }
        request.fulfill(data)
      }
    }
  }

  /// Adds the contents of a file as a representation of lower fidelity than the existing ones.
  ///
  /// - Parameters:
  ///   - type: The type of the file's contents.
  ///   - visibility: Which programs see the representation.
  ///   - loadHandler: Called for each request. It passes the URL of a file on this machine or an error to its argument,
  ///     now or later, in the same isolation domain. The file must exist until it has been read. The `Bool` has no
  ///     effect: a receiver gets the contents, and never the file. The closure returns `nil`, because a request has no
  ///     progress.
  public func registerFileRepresentation(
    for type: ContentType, visibility: TransferRepresentationVisibility = .all,
    loadHandler: @escaping (@escaping (URL?, Bool, (any Error)?) -> Void) -> Never?
  ) {
    dragItem.promise(type, visibility: visibility) { request in
      _ = loadHandler { file, _, _ in
        guard let path = file.flatMap({ FileList.rawLocalPath(of: $0.absoluteString) }) else { return request.refuse() }
        request.fulfill(contentsOfFile: path)
      }
    }
  }

  // MARK: Loading

  /// Loads one representation as a whole.
  ///
  /// - Parameters:
  ///   - type: The type, or a pattern such as `ContentType.image` for the best one that it matches.
  ///   - completionHandler: Called once, with the data or an error.
  /// - Returns: The load, to cancel it; `nil` if there is no drop to load from. The handler has then received an error.
  @discardableResult
  public func loadDataRepresentation(
    for type: ContentType, completionHandler: @escaping (Data?, (any Error)?) -> Void
  ) -> LoadTask? {
    load(orFail: { completionHandler(nil, $0) }) { item in
      item.load(type) { $0.map(\.data).pass(to: completionHandler) }
    }
  }

  /// Loads one representation as a whole. See ``hasItemConformingToTypeIdentifier(_:)`` for the identifiers.
  @discardableResult
  public func loadDataRepresentation(
    forTypeIdentifier identifier: String, completionHandler: @escaping (Data?, (any Error)?) -> Void
  ) -> LoadTask? {
    loadDataRepresentation(for: ContentType(identifier: identifier), completionHandler: completionHandler)
  }

  /// Loads one representation into a temporary file.
  ///
  /// - Parameters:
  ///   - type: The type, or a pattern such as `ContentType.image` for the best one that it matches.
  ///   - openInPlace: Without effect: the file is a copy, because only contents are transferred.
  ///   - completionHandler: Called once, with the file and `false` (it is a copy), or with an error. The file has the
  ///     ``suggestedName``, and is removed when the handler returns: move it to keep it.
  /// - Returns: The load, to cancel it; `nil` if there is no drop to load from, or if no temporary directory can be
  ///   created. The handler has then received an error.
  @discardableResult
  public func loadFileRepresentation(
    for type: ContentType, openInPlace: Bool = false,
    completionHandler: @escaping (URL?, Bool, (any Error)?) -> Void
  ) -> LoadTask? {
    load(orFail: { completionHandler(nil, false, $0) }) { item in
      let files = FileManager.default
      let folder = files.temporaryDirectory.appending(path: "drop-\(UUID().uuidString)", directoryHint: .isDirectory)
      let directory: FileDirectory
      do {
        try files.createDirectory(
          at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        directory = try FileDirectory(rawPath: Array(folder.path(percentEncoded: false).utf8))
      } catch {
        completionHandler(nil, false, error)
        return nil
      }
      let name = (suggestedName ?? "untitled").withExtension(of: item.offeredType(for: type))
      return item.load(type, into: directory, named: name) { result in
        result.map { URL(filePath: $0.path) }.pass { completionHandler($0, false, $1) }
        try? files.removeItem(at: folder)
      }
    }
  }

  /// Loads one representation into a temporary file, which is removed when the handler returns. See
  /// ``hasItemConformingToTypeIdentifier(_:)`` for the identifiers.
  @discardableResult
  public func loadFileRepresentation(
    forTypeIdentifier identifier: String, completionHandler: @escaping (URL?, (any Error)?) -> Void
  ) -> LoadTask? {
    loadFileRepresentation(for: ContentType(identifier: identifier)) { file, _, error in completionHandler(file, error)
    }
  }

  /// Loads a value from the best representation.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - completionHandler: Called once, with the value or an error.
  /// - Returns: The load, to cancel it; `nil` if there is no drop to load from. The handler has then received an error.
  @discardableResult
  public func loadObject<Value: Transferable>(
    ofClass type: Value.Type, completionHandler: @escaping (Value?, (any Error)?) -> Void
  ) -> LoadTask? {
    load(orFail: { completionHandler(nil, $0) }) { item in item.load(type) { $0.pass(to: completionHandler) } }
  }

  /// Loads a value from the best representation.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - completionHandler: Called once.
  /// - Returns: The load, to cancel it; `nil` if there is no drop to load from. The handler has then received an error.
  @discardableResult
  public func loadTransferable<Value: Transferable>(
    type: Value.Type, completionHandler: @escaping (Result<Value, any Error>) -> Void
  ) -> LoadTask? {
    load(orFail: { completionHandler(.failure($0)) }) { item in
      item.load(type) { result in completionHandler(result.mapError { $0 }) }
    }
  }

  private func load(orFail fail: (any Error) -> Void, _ begin: (DropItem) -> LoadTask?) -> LoadTask? {
    guard let dropItem else {
      fail(NotDropped())
      return nil
    }
    return begin(dropItem)
  }
}

@available(*, unavailable)
extension ItemProvider: Sendable {}

/// The error of a load from a provider that the program has created.
private struct NotDropped: Error, CustomStringConvertible {
  var description: String { "content is loaded from the item providers of a drop" }
}

extension Result {
  fileprivate func pass(to handler: (Success?, (any Error)?) -> Void) {
    switch self {
    case .success(let value): handler(value, nil)
    case .failure(let error): handler(nil, error)
    }
  }
}

extension String {
  /// The file name, with the type's extension if it has no known one: programs tell a file's type by its extension.
  fileprivate func withExtension(of type: ContentType) -> String {
    guard TypeDatabase.builtIn.types(forFileName: Array(utf8)).isEmpty else { return self }
    return TypeDatabase.builtIn.preferredExtension(for: type).map { "\(self).\($0)" } ?? self
  }
}

// MARK: - UIDragItem

extension DragItem {
  /// Creates an item from the content that is registered with a provider. Later registrations have no effect. The
  /// counterpart of `UIDragItem.init(itemProvider:)`.
  public init(itemProvider: ItemProvider) { self = itemProvider.item }

  /// A provider with the item's representations. The counterpart of `UIDragItem.itemProvider`.
  public var itemProvider: ItemProvider { ItemProvider(self) }

  /// `localContext` under UIKit's name.
  public var localObject: Any? {
    get { localContext }
    set { localContext = newValue }
  }

  /// Returns the drag image. The counterpart of `UIDragItem.previewProvider`.
  ///
  /// The closure is called once, when it is set. No drawing is wasted: unlike UIKit, the library asks for items only
  /// when the drag begins.
  public var previewProvider: (() -> DragImage?)? {
    get { preview.map { image in { image } } }
    set { preview = newValue?() }
  }
}

extension DropItem {
  /// The provider to load the item from. The counterpart of `UIDragItem.itemProvider`.
  public var itemProvider: ItemProvider { ItemProvider(DragItem(), for: self) }

  /// `localContext` under UIKit's name.
  public var localObject: Any? { localContext }
}
