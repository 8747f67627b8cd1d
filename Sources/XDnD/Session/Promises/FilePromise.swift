import Glibc

/// A file, or a directory of files, that is written when somebody wants it.
///
/// ```swift
/// FilePromise(named: "report.pdf", type: "application/pdf") { $0.fulfill { try await report.render() } }
/// FilePromise(directory: "Photos", photos.map { FilePromise(copying: $0.rawPath) })
/// ```
public struct FilePromise {
  /// The name that is suggested for it. Whoever writes it leaves out what cannot be in a name, and numbers it where
  /// there is one like it.
  public var name: String
  /// What it is: ``ContentType/data`` if nobody knows, ``ContentType/directory`` for a directory.
  public var type: ContentType
  /// Whether the file is only another form of what is dragged, such as a `.txt` of text.
  ///
  /// Then file managers are offered it, and nobody else: those who take text shall not be tempted to open a document.
  public var isClipping = false
  /// Whether programs that would open the file as a document, and are known for it, are offered the text alone, if there is
  /// some: for files whose name nobody has chosen. It is so for all clippings.
  public var givesWayToText = false
  /// How many bytes it will have; `nil` if nobody knows yet, and for directories.
  ///
  /// Firefox needs it: it takes a promised file for a link if it finds none while the drag hovers, and remembers its
  /// size from then.
  public var byteCount: Int?

  let content: Content

  enum Content {
    case provided((DataRequest) -> Void)
    case children([FilePromise])
    case copy([UInt8])
  }

  /// A file whose content is asked for when it is written.
  ///
  /// - Parameters:
  ///   - name: With an extension; programs go by it.
  ///   - type: What the file is, and what the request will ask for.
  ///   - provide: Called once for each place that the file is written to, from ``DragAndDrop/process()``. See
  ///     ``DataRequest`` for the ways to answer; one that gives nothing for ``Configuration/promiseTimeout`` has failed.
  public init(named name: String, type: ContentType, provide: @escaping (DataRequest) -> Void) {
    self.name = name
    self.type = type
    content = .provided(provide)
  }

  /// A file whose content is at hand.
  public init(named name: String, type: ContentType, bytes: [UInt8]) {
    self.init(named: name, type: type) { $0.fulfill(bytes) }
    byteCount = bytes.count
  }

  /// A directory with these files and directories in it.
  ///
  /// They are asked for one after the other. If one of them fails, there is no directory.
  public init(directory name: String, _ children: [FilePromise]) {
    self.name = name
    type = .directory
    content = .children(children)
  }

  /// A copy of a file, or of a directory with everything in it, as it is when it is written.
  ///
  /// Permissions and times of modification are kept; owners, and the bits that run a program as its owner, are not.
  /// Symbolic links within a directory are copied as links. The path itself may be one: then what it leads to is
  /// copied, for a relative link would lead nowhere from another place. Pipes, sockets and devices hold nothing that
  /// could be copied: within a directory they are left out, and to promise one is a failure. So is a file that cannot
  /// be read.
  ///
  /// - Parameters:
  ///   - rawPath: As the file system has it; it need not be UTF-8.
  ///   - name: Its own by default.
  public init(copying rawPath: [UInt8], named name: String? = nil) {
    self.name = name ?? String(decoding: FilePath(rawPath).name, as: UTF8.self)
    var status = stat()
    let isThere = withCPath(rawPath) { stat($0, &status) } == 0
    let kind = status.st_mode & S_IFMT
    type = isThere && kind == S_IFDIR ? .directory : .data
    if isThere, kind == S_IFREG { byteCount = Int(status.st_size) }
    content = .copy(rawPath)
  }
}

extension ContentType {
  /// A directory, as the shared MIME database names it.
  public static let directory: ContentType = "inode/directory"
}
