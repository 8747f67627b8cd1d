import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnD

/// The facts about a file that are needed before a drag.
struct SourceFile {
  let path: RawPath
  /// The size in bytes; `nil` for anything but a regular file.
  let size: Int?
  /// Whether the path is a symbolic link.
  var isLink: Bool { FileStatus.isLink(at: path) }

  var name: String { path.lastName.isEmpty ? "/" : RawArgument.string(path.lastName) }

  /// - Parameter argument: A path in the form of the command line, see ``RawArgument``.
  init(_ argument: String) {
    path = Self.absolute(RawArgument.bytes(of: argument))
    let status = try? FileStatus(at: path)
    size = status?.kind == .file ? status?.size : nil
  }

  /// Returns why a file cannot be dragged; `nil` if it can.
  static func problem(with argument: String) -> String? {
    do throws(SystemError) {
      try SystemError.check(withCPath(RawArgument.bytes(of: argument)) { access($0, R_OK) })
      return nil
    } catch {
      return "cannot read '\(argument)': \(error.message)"
    }
  }

  /// Returns why the content of a file cannot be dragged; `nil` if it can.
  static func problem(withContentOf argument: String) -> String? {
    if let problem = problem(with: argument) { return problem }
    return kind(of: argument) == .directory ? "cannot read '\(argument)': \(SystemError(EISDIR).message)" : nil
  }

  /// Whether a path is no regular file and can therefore be read only once, such as the pipe of a shell's
  /// `<(command)`.
  static func isStream(_ argument: String) -> Bool { kind(of: argument).map { $0 != .file } ?? false }

  private static func kind(of argument: String) -> FileStatus.Kind? {
    try? FileStatus(at: RawArgument.bytes(of: argument)).kind
  }

  static let streamLimit = 256 << 20

  /// Returns all bytes of a file; `nil` if it cannot be read or exceeds the limit.
  static func read(_ path: RawPath, upTo limit: Int) -> [UInt8]? {
    guard let file = try? Descriptor(openFile(path, O_RDONLY)),
      let bytes = try? readAll(from: file.number, upTo: limit + 1), bytes.count <= limit
    else { return nil }
    return bytes
  }

  /// Returns the absolute path without resolving a symbolic link in the last component: moving the file must move the
  /// link, not its destination.
  private static func absolute(_ path: RawPath) -> RawPath {
    guard path.lastName.isName, path.last != UInt8(ascii: "/") else { return path.resolved ?? path }
    return path.parent.resolved?.appending(path.lastName) ?? path
  }
}

extension SourceFile {
  /// Returns an item that offers the file's URI first and its content after it, for targets that do not accept files.
  /// Text, HTML, links and colors are offered as such, and any file under its own MIME type.
  ///
  /// A clipping (``ClippingMark``) is content that was saved to a file, so its content comes first.
  ///
  /// - Parameter isContentFirst: Whether the content comes first even without the mark.
  func item(_ remote: RemotePrefix?, contentFirst isContentFirst: Bool) -> DragItem {
    let file = list(remote)
    guard let size else { return file }
    var bytes = DragItem()
    bytes.promise(TypeDatabase.system.type(forFileName: path.lastName), contentsOfFile: path)
    let meaning = size <= Self.clippingLimit ? clipping : nil
    guard isContentFirst || ClippingMark.isPresent(onFileAt: path) else {
      return DragItem(merging: [file, meaning ?? bytes, bytes])
    }
    return DragItem(merging: meaning.map { [$0, file, bytes] } ?? [bytes, file])
  }

  /// Returns an item that offers only the file's URI.
  func list(_ remote: RemotePrefix?) -> DragItem {
    DragItem(remote.map { FileList(uris: [$0.uri(of: path)]) } ?? FileList(rawPaths: [path]))
  }

  /// Returns a promise of a copy, written at the drop: the target cannot move or change the original.
  func promisedItem(named name: String?) -> DragItem {
    var item = DragItem()
    var promise = FilePromise(copying: path, named: name)
    if size != nil { promise.type = TypeDatabase.system.type(forFileName: path.lastName) }
    item.promise(promise)
    return item
  }

  /// The file's content as a typed value; `nil` unless the whole file is one such value.
  private var clipping: DragItem? {
    guard let bytes = Self.read(path, upTo: Self.clippingLimit),
      let content = ClippingContent(fileName: path.lastName, bytes: bytes, database: .system)
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
