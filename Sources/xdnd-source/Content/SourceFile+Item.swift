import ToolSupport
import XDnD

extension SourceFile {
  /// Returns an item that offers the file's URI first and its content after it, for targets that do not accept files.
  /// Text, HTML, links and colors are offered as such, and any file under its own MIME type.
  ///
  /// A clipping (``ClippingMark``) is content that was saved to a file, so its content comes first.
  ///
  /// - Parameters:
  ///   - remote: The URI prefix; `nil` for a local `file:` URI.
  ///   - isContentFirst: Whether the content comes first even without the mark.
  func item(_ remote: RemotePrefix? = nil, contentFirst isContentFirst: Bool = false) -> DragItem {
    let file = list(remote)
    guard let size else { return file }
    var bytes = DragItem()
    bytes.promise(TypeDatabase.system.type(forFileName: leaf), contentsOfFile: path)
    let meaning = size <= Self.clippingLimit ? clipping : nil
    guard isContentFirst || ClippingMark.isPresent(onFileAt: path) else {
      return DragItem(merging: [file, meaning ?? bytes, bytes])
    }
    return DragItem(merging: meaning.map { [$0, file, bytes] } ?? [bytes, file])
  }

  /// Returns an item that offers only the file's URI.
  func list(_ remote: RemotePrefix? = nil) -> DragItem {
    DragItem(remote.map { FileList(uris: [$0.uri(of: path)]) } ?? FileList(rawPaths: [path]))
  }

  /// Returns a promise of a copy, written at the drop: the target cannot move or change the original.
  ///
  /// - Parameter name: The name of the copy; by default the file's own.
  func promisedItem(named name: String?) -> DragItem {
    var item = DragItem()
    var promise = FilePromise(copying: path, named: name)
    if size != nil { promise.type = TypeDatabase.system.type(forFileName: leaf) }
    item.promise(promise)
    return item
  }

  /// The file's content as a typed value; `nil` unless the whole file is one such value.
  private var clipping: DragItem? {
    guard let bytes = Self.read(path, upTo: Self.clippingLimit),
      let content = ClippingContent(fileName: leaf, bytes: bytes, database: .system)
    else { return nil }
    switch content {
    // The charset of other text is unknown, so it is offered as bytes only.
    case .text(let text): return String(validating: bytes, as: UTF8.self) == nil ? nil : DragItem(text)
    case .styledText(let text): return DragItem(text)
    case .color(let color): return DragItem(color)
    case .link(let link):
      // The URI list is already taken by the file itself.
      let item = DragItem(link)
      var result = DragItem()
      result.append(representationsOf: item, of: item.types.filter { $0 != .uriList })
      return result
    case .data: return nil
    }
  }

  /// The maximum size of a file that is offered as a typed value, in bytes. Larger text is unlikely to be wanted in a
  /// text field.
  private static let clippingLimit = 1 << 20
}

extension DragItem {
  /// Creates an item with the representations of all items, in order of preference.
  fileprivate init(merging items: [DragItem]) {
    self.init()
    for item in items { append(representationsOf: item) }
  }
}
