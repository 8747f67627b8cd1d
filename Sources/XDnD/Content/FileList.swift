/// Files, as they travel in `text/uri-list`.
public struct FileList: Hashable, Sendable {
  /// The URIs as they are on the wire, in order.
  public var uris: [String]

  /// Files on this machine.
  ///
  /// - Parameter paths: Absolute.
  public init(paths: [String]) {
    self.uris = paths.map { FileURI.encode(path: $0.utf8) }
  }

  /// Files on this machine.
  ///
  /// - Parameter paths: Absolute, as the bytes that the file system has; they need not be UTF-8.
  public init(rawPaths paths: [[UInt8]]) {
    self.uris = paths.map { FileURI.encode(path: $0) }
  }

  /// Files on a machine with a name, for peers that are on another one.
  ///
  /// - Parameters:
  ///   - paths: Absolute, as the bytes that the file system has.
  ///   - host: The name of the machine that they are on.
  public init(rawPaths paths: [[UInt8]], host: String) {
    self.uris = paths.map { FileURI.encode(path: $0, host: host) }
  }

  /// Resources of any kind.
  public init(uris: [String]) {
    self.uris = uris
  }

  /// Reads a `text/uri-list`.
  ///
  /// Comments and empty lines are left out. Lines may end with CR, LF or NUL, and have spaces around them.
  public init(decoding bytes: [UInt8]) {
    self.uris = URIList.decode(bytes)
  }

  /// The bytes of the `text/uri-list`. What cannot stand in a URI is percent-encoded.
  public var encoded: [UInt8] { URIList.encode(uris) }

  /// What each of the URIs names, in order.
  ///
  /// - Parameter hostName: This machine's name, as `gethostname` gives it; URIs that name another one are not local.
  public func entries(hostName: String? = nil) -> [Entry] {
    uris.map { FileURI.entry(of: $0, hostName: hostName) }
  }

  /// What one line of a list names.
  public enum Entry: Hashable, Sendable {
    /// A file on this machine: absolute, as the bytes that the file system has; they need not be UTF-8.
    case local(path: [UInt8])
    /// A file on another machine. The path means nothing here.
    case otherHost(host: String, path: [UInt8])
    /// Something that is not a file: `https:`, `sftp:`, `trash:` …
    case remote(uri: String)
    /// A line that is no URI, or one of a file that cannot exist: with a relative path, or an escaped NUL or slash.
    ///
    /// A bare path is here too: nobody says whether its `%20` is a space.
    case malformed(text: String)
  }

  /// The path of one of the URIs, if it names a file on this machine.
  ///
  /// - Parameters:
  ///   - uri: One of ``uris``.
  ///   - hostName: This machine's name; URIs that name another one are not local.
  public static func localPath(of uri: String, hostName: String? = nil) -> String? {
    rawLocalPath(of: uri, hostName: hostName).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same as the bytes that the file system has; they need not be UTF-8.
  public static func rawLocalPath(of uri: String, hostName: String? = nil) -> [UInt8]? {
    FileURI.localPath(of: uri, hostName: hostName)
  }
}

extension FileList {
  /// The types that can be read, best first. Dolphin has the second one, for its own URIs (`desktop:`, `trash:`).
  public static let importableTypes: [ContentType] = [.uriList, "application/x-kde4-urilist"]
  /// The types to offer.
  public static let exportableTypes: [ContentType] = [.uriList]

  /// Whether a type can be read, whatever its parameters.
  public static func reads(_ type: ContentType) -> Bool { isForm(type) }

  /// Reads a list of URIs, in the charset that the type names.
  public init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard Self.isForm(type) else { throw .unsupported(type, for: "a list of files") }
    self.uris = try URIList.decode(bytes, as: type)
  }

  /// The bytes under one of the names of a list of URIs.
  public func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    guard Self.isForm(type) else { throw .unsupported(type, for: "a list of files") }
    return encoded
  }

  private static func isForm(_ type: ContentType) -> Bool {
    let base = TextLabel(type).base
    return base == "text/uri-list" || base == "application/x-kde4-urilist"
  }
}
