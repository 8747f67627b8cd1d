import ToolSupport
import XDnD

extension SourceFile {
  /// The file by its URI first, and behind it its content, for targets that take no files: as what it means, if it is text,
  /// a page, a link or a colour, and under its own type.
  ///
  /// A clipping, which is marked as one (``ClippingMark``), is content that was put into a file: there it is the other way
  /// round.
  ///
  /// - Parameters:
  ///   - remote: How others name it, if not as this machine does.
  ///   - isContentFirst: Whether the content comes first though the file has no mark.
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

  /// The file by its URI alone.
  func list(_ remote: RemotePrefix? = nil) -> DragItem {
    DragItem(remote.map { FileList(uris: [$0.uri(of: path)]) } ?? FileList(rawPaths: [path]))
  }

  /// A file that is written where it is wanted: nobody can move or change the original.
  ///
  /// - Parameter name: What the copy is called; by default the same.
  func promisedItem(named name: String?) -> DragItem {
    var item = DragItem()
    var promise = FilePromise(copying: path, named: name)
    if size != nil { promise.type = TypeDatabase.system.type(forFileName: leaf) }
    item.promise(promise)
    return item
  }

  /// What is in the file, if that is one value and nothing besides.
  private var clipping: DragItem? {
    guard let bytes = Self.read(path, upTo: Self.clippingLimit),
      let content = ClippingContent(fileName: leaf, bytes: bytes, database: .system)
    else { return nil }
    switch content {
    // Of other text nobody knows the charset; it goes as the bytes that it is.
    case .text(let text): return String(validating: bytes, as: UTF8.self) == nil ? nil : DragItem(text)
    case .styledText(let text): return DragItem(text)
    case .color(let color): return DragItem(color)
    case .link(let link):
      // The list of URIs is that of the file.
      let item = DragItem(link)
      var result = DragItem()
      result.append(representationsOf: item, of: item.types.filter { $0 != .uriList })
      return result
    case .data: return nil
    }
  }

  /// The longest file that is offered as text, in bytes: it is what somebody may want to have in a text field.
  private static let clippingLimit = 1 << 20
}

extension DragItem {
  /// One thing in the representations of all of them, best first.
  fileprivate init(merging items: [DragItem]) {
    self.init()
    for item in items { append(representationsOf: item) }
  }
}
