/// Offers promised files.
///
/// A single file is offered by XDS, the Direct Save Protocol, whose type must come first by its specification. Then
/// come the content's own types, and then `application/octet-stream`, which Thunar always requests, and which other
/// targets request after the source has answered `F`. XDS cannot express several files or directories, and not every
/// program supports it. So `text/uri-list` is offered too, as the last type; its files are created when they are
/// needed.
///
/// Types that targets would prefer but handle wrongly are left out:
/// - `_NETSCAPE_URL`: Caja requests it wherever it is in the list, shows a dialog, and saves nothing.
/// - `text/uri-list` of anything but files: Thunar and pcmanfm try to fetch it. Browsers offer links without it, too.
/// - `text/x-moz-url`, unless the link itself is dragged.
/// - For clippings, `application/octet-stream` and files: Chromium would upload them and text editors would open them
///   as a document, although the text belongs in the text field. The bytes are served on request after an `F`, and the
///   list of files is offered only to file managers without direct save (``Quirk/directSaveUnknown``).
extension DragItem {
  /// Offers the content as a file, too. The counterpart of `NSFilePromiseProvider`.
  ///
  /// The file is written only after the user has released the button: to the place that the target names (direct save)
  /// or, for targets that accept only existing files, into a private directory from which they can copy it. A target
  /// that requests the list of files earlier finds placeholders without content there.
  ///
  /// If writing takes longer than three seconds, the library tells the target that the file is saved, because the
  /// target would not wait longer. ``DragDelegate/drag(_:saved:byteCount:)`` or ``DragDelegate/drag(_:failedToSave:)``
  /// reports the actual result.
  ///
  /// The file's content also becomes a representation, if the item has none of its type and the file is not a clipping.
  public mutating func promise(_ file: FilePromise) {
    filePromises.append(file)
    if let provide = file.provide, !file.isClipping { add(Representation(type: file.type, provide: provide)) }
  }

  private static let linkTypes: [ContentType] = [.mozURL, "text/x-moz-url-data", "text/x-moz-url-desc"]

  /// Completes the offer when a drag begins.
  mutating func offerFiles(of promises: DragPromises?) {
    guard let promises else { return }
    if !isJoined, filePromises.count == 1, let provide = filePromises[0].provide {
      offerDirectSave(filePromises[0], provide)
    }
    let holdsFiles = isJoined && representations.contains { $0.type == .uriList }
    guard holdsFiles || !filePromises.isEmpty else { return }
    offerList(toAll: holdsFiles || filePromises.contains { !$0.isClipping }) { [weak promises] in
      promises?.provideList($0) ?? $0.refuse()
    }
  }

  /// Returns the item as a drop within the process loads it: with a list of its promised files, unless all are
  /// clippings.
  ///
  /// - Parameters:
  ///   - promises: The promises of all items.
  ///   - range: The item's promises among them.
  func offeringFiles(_ range: Range<Int>, of promises: DragPromises?) -> DragItem {
    guard let promises, filePromises.contains(where: { !$0.isClipping }) else { return self }
    var item = self
    item.offerList(toAll: true) { [weak promises] in promises?.provideList($0, of: range) ?? $0.refuse() }
    return item
  }

  /// Adds a list of promised files. If the item has a list of files, it is extended.
  private mutating func offerList(toAll: Bool, _ provide: @escaping (DataRequest) -> Void) {
    var lists = [provide]
    if let index = representations.firstIndex(where: { $0.type == .uriList }) {
      lists.insert(representations.remove(at: index).provide, at: 0)
    }
    add(
      Representation(
        type: .uriList, isListed: toAll, isForFileManagers: !toAll, isPromise: lists.count == 1
      ) { request in
        lists.count == 1 ? lists[0](request) : request.fulfill(joining: lists, separator: [])
      })
  }

  private mutating func offerDirectSave(_ file: FilePromise, _ provide: @escaping (DataRequest) -> Void) {
    representations.removeAll {
      $0.type == .netscapeURL || $0.type == .uriList || (!file.isClipping && Self.linkTypes.contains($0.type))
    }
    // The answer to a request for the direct save type is a status letter, which the driver writes.
    representations.insert(Representation(type: .directSave, isPromise: true) { $0.refuse() }, at: 0)
    add(Representation(type: .data, isListed: !file.isClipping, isPromise: true, provide: provide))
  }

  var unlistedTypes: [ContentType] {
    representations.filter { !$0.isListed && !$0.isForFileManagers }.map(\.type)
  }

  /// The types that are offered only to file managers without direct save, after all others.
  var fileManagerTypes: [AtomName] { representations.filter(\.isForFileManagers).map(\.type.atomName) }

  /// The types that present text as a file. They are withheld from programs that would open the file instead of
  /// inserting the text.
  ///
  /// See ``FilePromise/givesWayToText`` and ``Quirk``.
  var promisedTypes: Set<AtomName> {
    guard filePromises.allSatisfy({ $0.isClipping || $0.givesWayToText }),
      representations.contains(where: { $0.isListed && PlainText.isForm($0.type) })
    else { return [] }
    return Set(representations.filter(\.isPromise).map(\.type.atomName))
  }

  var driverContent: Drags.Content {
    Drags.Content(
      unlisted: unlistedTypes.map(\.atomName), descriptions: operationDescriptions, file: directSave,
      uncounted: filePromises.isEmpty ? [.xdndDirectSave] : [.xdndDirectSave, ContentType.uriList.atomName],
      byteCount: byteCount, isRestricted: isRestrictedToApplication)
  }

  private var directSave: DirectSaveOffer.File? {
    guard representations.first?.type == .directSave, let file = filePromises.first else { return nil }
    return DirectSaveOffer.File(
      patience: DragPromises.patience,
      name: Array((FileName.sanitized(Array(file.name.utf8)) ?? "file").utf8),
      hostName: FileList.thisHost)
  }
}

extension FilePromise {
  /// Answers a request for the file's bytes; `nil` for a directory, which has none.
  fileprivate var provide: ((DataRequest) -> Void)? {
    switch content {
    case .provided(let provide): provide
    case .copy(let path):
      type == .directory
        ? nil
        : { request in
          // A FIFO that has taken the file's place cannot be copied, and reading it would block the target.
          guard case .file(let reader, _)? = try? FileCopy(path) else { return request.refuse() }
          request.answer(with: reader)
        }
    case .children: nil
    }
  }
}
