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
    let path = RawArgument.bytes(of: argument)
    // Only listed names can contain NUL, where the system's calls would end the path.
    if let end = path.firstIndex(of: 0) {
      return "cannot read '\(RawArgument.string(Array(path[..<end])))': a NUL follows, and only -0 reads such lists"
    }
    do throws(SystemError) {
      try SystemError.check(withCPath(path) { access($0, R_OK) })
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

  /// Whether a path is not a regular file and can therefore be read only once, such as the pipe of a shell's
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
  var type: ContentType { TypeDatabase.system.type(forFileName: path.lastName) }

  /// Returns an item that offers only the file's URI.
  func list(_ remote: RemotePrefix?) -> DragItem {
    DragItem(remote.map { FileList(uris: [$0.uri(of: path)]) } ?? FileList(rawPaths: [path]))
  }

  /// The path as text, or the URI of a remote file; `nil` for a path that is not UTF-8, or has control characters,
  /// which a terminal would interpret.
  func text(_ remote: RemotePrefix?) -> String? {
    if let remote { return remote.uri(of: path) }
    guard let text = String(validating: path, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    return text
  }

  /// Returns a promise of a copy, written at the drop: the target cannot move or change the original.
  func copy(named name: String?) -> FilePromise {
    var promise = FilePromise(copying: path, named: name)
    if size != nil { promise.type = type }
    return promise
  }

  /// An item that offers the content: as a typed value if the whole file is one, else under the file's MIME type; `nil`
  /// for anything but a regular file.
  var content: DragItem? {
    guard let size else { return nil }
    if size <= Self.valueLimit, let value { return value }
    var bytes = DragItem()
    bytes.promise(type, contentsOfFile: path)
    return bytes
  }

  private var value: DragItem? {
    guard let bytes = Self.read(path, upTo: Self.valueLimit),
      let content = ClippingContent(fileName: path.lastName, bytes: bytes, database: .system)
    else { return nil }
    switch content {
    // The charset of other text is unknown, so it is offered as bytes only.
    case .text(let text): return String(validating: bytes, as: UTF8.self) == nil ? nil : DragItem(text)
    case .styledText(let text): return DragItem(text)
    case .color(let color): return DragItem(color)
    case .link(let link):
      // Without the link's URI list, because the item's own list names the file.
      let item = DragItem(link)
      var result = DragItem()
      result.append(representationsOf: item, of: item.types.filter { $0 != .uriList })
      return result
    case .data: return nil
    }
  }

  /// The maximum size of a file that is offered as a typed value, in bytes. Larger text is unlikely to be wanted in a
  /// text field.
  private static let valueLimit = 1 << 20
}

/// The URI prefix under which another machine reaches this machine's files.
struct RemotePrefix: Hashable, Sendable {
  /// The part of the URI before the absolute path.
  let uri: String

  /// - Returns: `nil` if the argument is not the start of a URI.
  init?(_ argument: String) {
    let scheme = argument.prefix { $0 != ":" }
    guard scheme.count < argument.count, scheme.first?.isLetter ?? false,
      argument.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    // Drops a trailing slash, because the path begins with one. `file://` keeps its slashes.
    uri = argument.hasSuffix("/") && !argument.hasSuffix("://") ? String(argument.dropLast()) : argument
  }

  /// Uses the server address that sshd reports, or else the host name.
  ///
  /// - Parameter connection: The value of `SSH_CONNECTION`: client address, client port, server address, server port.
  init(user: String, hostName: String, connection: String?) {
    let words = connection?.split(separator: " ") ?? []
    let isComplete = words.count == 4
    let address = isComplete ? String(words[2]) : hostName
    let host = address.contains(":") ? "[\(address)]" : address
    let port = isComplete && words[3] != "22" ? ":\(words[3])" : ""
    let name = FileList(rawPaths: [Array("/\(user)".utf8)]).uris[0].dropFirst("file:///".count)
    uri = "sftp://\(name.isEmpty ? "" : "\(name)@")\(host)\(port)"
  }

  static var current: RemotePrefix {
    RemotePrefix(
      user: getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "",
      hostName: FileList.thisHost ?? "localhost",
      connection: getenv("SSH_CONNECTION").map { String(cString: $0) })
  }

  func uri(of path: [UInt8]) -> String {
    uri + FileList(rawPaths: [path]).uris[0].dropFirst("file://".count)
  }
}
