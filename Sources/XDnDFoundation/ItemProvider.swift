public import FoundationEssentials
public import XDnD

// `NSItemProvider` is a `DragItem` where a drag begins, and a `DropItem` where it ends. Here are its methods under its own
// names, so that code which is written for it needs few changes.

extension DragItem {
  /// Adds a representation of lower fidelity than the existing ones, as bytes. The counterpart of
  /// `NSItemProvider.registerDataRepresentation(for:visibility:loadHandler:)`.
  ///
  /// - Parameters:
  ///   - type: The type of the data.
  ///   - visibility: Which programs see the representation.
  ///   - loadHandler: Called for each request, in the isolation domain of the `DragAndDrop`. It passes the data or an
  ///     error to its argument, now or later, in the same domain. Returns `nil`: a request has no progress.
  public mutating func registerDataRepresentation(
    for type: ContentType, visibility: TransferRepresentationVisibility = .all,
    loadHandler: @escaping (@escaping (Data?, (any Error)?) -> Void) -> Never?
  ) {
    promise(type, visibility: visibility) { request in
      _ = loadHandler { data, _ in
        guard let data else { return request.refuse() }
        request.fulfill(data)
      }
    }
  }

  /// Adds the contents of a file as a representation of lower fidelity than the existing ones. The counterpart of
  /// `NSItemProvider.registerFileRepresentation(for:visibility:openInPlace:loadHandler:)`.
  ///
  /// - Parameters:
  ///   - type: The type of the file's contents.
  ///   - visibility: Which programs see the representation.
  ///   - loadHandler: Called for each request, in the isolation domain of the `DragAndDrop`. It passes the URL of a file
  ///     of this machine or an error to its argument, now or later, in the same domain. The file must exist until it has
  ///     been read. The `Bool` has no effect: a receiver gets the contents, and never the file. Returns `nil`: a request
  ///     has no progress.
  public mutating func registerFileRepresentation(
    for type: ContentType, visibility: TransferRepresentationVisibility = .all,
    loadHandler: @escaping (@escaping (URL?, Bool, (any Error)?) -> Void) -> Never?
  ) {
    promise(type, visibility: visibility) { request in
      _ = loadHandler { file, _, _ in
        guard let path = file.flatMap({ FileList.rawLocalPath(of: $0.absoluteString) }) else { return request.refuse() }
        request.fulfill(contentsOfFile: path)
      }
    }
  }
}

extension ContentProvider {
  /// Loads one representation as a whole. The counterpart of
  /// `NSItemProvider.loadDataRepresentation(for:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - type: The type, or a pattern such as `ContentType.image` for the best one that it matches.
  ///   - completionHandler: Called once, in the isolation domain of the `DragAndDrop`, with the data or an error.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func loadDataRepresentation(
    for type: ContentType, completionHandler: @escaping (Data?, (any Error)?) -> Void
  ) -> LoadTask {
    load(type) { result in
      switch result {
      case .success(let content): completionHandler(content.data, nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }
}

extension DropItem {
  /// Whether a value can be created from one of the item's types. The counterpart of
  /// `NSItemProvider.canLoadObject(ofClass:)`.
  public func canLoadObject<Value: Transferable>(ofClass type: Value.Type) -> Bool { canLoad(type) }

  /// Loads a value from the item's best representation. The counterpart of
  /// `NSItemProvider.loadObject(ofClass:completionHandler:)`.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - completionHandler: Called once, in the isolation domain of the `DragAndDrop`, with the value or an error.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func loadObject<Value: Transferable>(
    ofClass type: Value.Type, completionHandler: @escaping (Value?, (any Error)?) -> Void
  ) -> LoadTask {
    load(type) { result in
      switch result {
      case .success(let value): completionHandler(value, nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }
}
