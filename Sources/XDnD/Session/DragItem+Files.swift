/// How promised files are offered.
///
/// One file is offered by XDS, the Direct Save Protocol, before everything else, as its specification demands; then come the
/// types that the content has anyway, then `application/octet-stream`, which Thunar asks for by itself and others after an
/// `F`. Several files, and directories, cannot be said in XDS; nor do all programs know it. So last comes `text/uri-list`,
/// with files that are made when they are needed.
///
/// Left out is what targets would take instead, and make something else of:
/// - `_NETSCAPE_URL`: Caja asks for it, shows a dialog and saves nothing, wherever it stands;
/// - `text/uri-list` of something that is no file: Thunar and pcmanfm try to fetch it. Browsers offer links without it, too;
/// - `text/x-moz-url`, unless the link is what is dragged;
/// - for clippings, `application/octet-stream` and files: Chromium and text editors would take those for an upload, or for a
///   document to be opened, and text belongs into the text field. Both are served if asked for after an `F`.
extension DragItem {
  /// Offers the content as a file, too: what a file manager makes of it.
  ///
  /// Nothing is written before the drop. Then the file is written where the target says; or, for targets that know only
  /// files, into a private directory from which they can copy it. If writing takes longer than three seconds, the target is
  /// told that all is well, because it would not wait, and whether that was true is told to
  /// ``DragDelegate/drag(_:saved:byteCount:)`` and ``DragDelegate/drag(_:failedToSave:)``.
  ///
  /// Its content becomes a representation, if there is none of its type.
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
    guard holdsFiles || filePromises.contains(where: { !$0.isClipping }) else { return }
    var lists: [(DataRequest) -> Void] = [{ [weak promises] in promises?.provideList($0) ?? $0.refuse() }]
    if let index = representations.firstIndex(where: { $0.type == .uriList }) {
      lists.insert(representations.remove(at: index).provide, at: 0)
    }
    add(
      Representation(type: .uriList, isPromise: lists.count == 1) { request in
        lists.count == 1 ? lists[0](request) : JoinedRequest(request, parts: lists, separator: []).start()
      })
  }

  private mutating func offerDirectSave(_ file: FilePromise, _ provide: @escaping (DataRequest) -> Void) {
    representations.removeAll {
      $0.type == .netscapeURL || $0.type == .uriList || (!file.isClipping && Self.linkTypes.contains($0.type))
    }
    // The letter that answers is no content: the driver writes it.
    representations.insert(Representation(type: .directSave, isPromise: true) { $0.refuse() }, at: 0)
    add(Representation(type: .data, isListed: !file.isClipping, isPromise: true, provide: provide))
  }

  /// What is served without being listed.
  var unlistedTypes: [ContentType] { representations.filter { !$0.isListed }.map(\.type) }

  /// The types that say of text that it is a file: what programs are not told that would open the file where text belongs.
  ///
  /// See ``FilePromise/givesWayToText`` and ``Quirk``.
  var promisedTypes: Set<AtomName> {
    guard filePromises.allSatisfy({ $0.isClipping || $0.givesWayToText }),
      representations.contains(where: { $0.isListed && PlainText.isForm($0.type) })
    else { return [] }
    return Set(representations.filter(\.isPromise).map(\.type.atomName))
  }

  /// What the driver needs to know for direct save; `nil` if it is not offered.
  var directSave: Reactor.DirectSave? {
    guard representations.first?.type == .directSave, let file = filePromises.first else { return nil }
    return Reactor.DirectSave(
      machine: DirectSaveProvider(patience: DragPromises.patience),
      name: Array((FileName.sanitized(Array(file.name.utf8)) ?? "file").utf8),
      hostName: FileList.thisHost)
  }
}

extension FilePromise {
  /// Answers a request for the bytes; `nil` for a directory, which has none.
  fileprivate var provide: ((DataRequest) -> Void)? {
    switch content {
    case .provided(let provide): provide
    case .copy(let path):
      type == .directory
        ? nil
        : { request in
          // A pipe that is there by now holds nothing that could be copied, and would only have the target wait.
          guard case .file(let reader, _)? = try? FileCopy(path) else { return request.refuse() }
          request.answer(with: reader)
        }
    case .children: nil
    }
  }
}
