import XDnDFiles

/// A file, or a directory of files, that is written when a drop target wants it. The counterpart of
/// `NSFilePromiseProvider`.
///
/// ```swift
/// FilePromise(named: "report.pdf", type: "application/pdf") { $0.fulfill { try await report.render() } }
/// FilePromise(directory: "Photos", photos.map { FilePromise(copying: $0.rawPath) })
/// ```
public struct FilePromise {
  /// The suggested file name. Characters that a file name cannot contain are removed when the file is written, and a
  /// number is appended if the name is taken.
  public var name: String
  /// The type of the content: ``ContentType/data`` if it is unknown, ``ContentType/directory`` for a directory.
  public var type: ContentType
  /// Whether the file is only another form of the dragged content, such as a `.txt` file of dragged text.
  ///
  /// It is then offered only by direct save, and as a list of files to file managers without direct save. Otherwise a
  /// program that accepts text might open it as a document.
  public var isClipping = false
  /// Whether programs that are known to open such a file as a document are offered only the text, if there is text.
  /// Suitable for files whose name the user has not chosen. Always in effect for clippings.
  package var givesWayToText = false
  /// The length in bytes; `nil` if it is unknown, and for directories.
  ///
  /// Set it if possible. Firefox reads the length while the drag hovers, and takes a promised file without a length for
  /// a link.
  public var byteCount: Int?

  /// Whether a list of files names the original of a copy, rather than a temporary copy that has to be removed later.
  package var listsOriginal = false

  let content: Content

  enum Content {
    case provided((DataRequest) -> Void)
    case children([FilePromise])
    case copy([UInt8])
  }

  /// Creates a promise whose content is requested when the file is written.
  ///
  /// - Parameters:
  ///   - name: The suggested name. Include an extension, because programs rely on it.
  ///   - type: The type of the content, which is also the type of the request.
  ///   - byteCount: See ``byteCount``.
  ///   - provide: Called for each place that the file is written to, and for each request for the content itself, in
  ///     the isolation domain of the ``DragAndDrop``. ``DataRequest`` lists the ways to answer. A provider that
  ///     delivers nothing for ``Configuration/promiseTimeout`` has failed.
  public init(
    named name: String, type: ContentType, byteCount: Int? = nil, provide: @escaping (DataRequest) -> Void
  ) {
    self.name = name
    self.type = type
    self.byteCount = byteCount
    content = .provided(provide)
  }

  /// Creates a promise whose content is in memory.
  public init(named name: String, type: ContentType, bytes: [UInt8]) {
    self.init(named: name, type: type, byteCount: bytes.count) { $0.fulfill(bytes) }
  }

  /// Creates a promise of a directory that contains other promises.
  ///
  /// They are written one after another. If one of them fails, no directory is created.
  public init(directory name: String, _ children: [FilePromise]) {
    self.name = name
    type = .directory
    content = .children(children)
  }

  /// Creates a promise of a copy of a file, or of a directory with its contents. The copy is made when the promise is
  /// written.
  ///
  /// Permissions and modification times are kept. Owners are not, nor are the setuid and setgid bits. Symbolic links
  /// inside a directory are copied as links. If the path itself is a symbolic link, its target is copied, because a
  /// relative link would be broken elsewhere. FIFOs, sockets and devices inside a directory are left out. The promise
  /// fails if the path itself is one of these, or if a file cannot be read or is changed while it is copied.
  ///
  /// - Parameters:
  ///   - rawPath: The path of the original, which need not be UTF-8.
  ///   - name: The suggested name; `nil` for the original's.
  public init(copying rawPath: [UInt8], named name: String? = nil) {
    self.name = name ?? String(decoding: rawPath.lastName, as: UTF8.self)
    let status = try? FileStatus(at: rawPath)
    type = status?.kind == .directory ? .directory : .data
    if let status, status.kind == .file { byteCount = status.size }
    content = .copy(rawPath)
  }
}

extension FilePromise {
  /// The path of the existing file that a list of files names; `nil` for a file that is yet to be written.
  var listedOriginal: [UInt8]? {
    if listsOriginal, case .copy(let path) = content { path } else { nil }
  }
}

extension ContentType {
  /// A directory, under its name in the shared MIME-info database.
  public static let directory: ContentType = "inode/directory"
}
