/// A list of files or other resources, as `text/uri-list` transfers it. The counterpart of file URLs on a pasteboard.
public struct FileList: Hashable, Sendable {
  /// The URIs as on the wire, in order.
  public var uris: [String]

  /// Creates a list of local files.
  ///
  /// - Parameter paths: Absolute paths.
  public init(paths: [String]) {
    self.uris = paths.map { FileURI.encode(path: $0.utf8) }
  }

  /// Creates a list of local files.
  ///
  /// - Parameter paths: Absolute paths in the file system's bytes, which need not be UTF-8.
  public init(rawPaths paths: [[UInt8]]) {
    self.uris = paths.map { FileURI.encode(path: $0) }
  }

  /// Creates a list of files on a named machine, for peers on another one.
  ///
  /// - Parameters:
  ///   - paths: Absolute paths in the file system's bytes.
  ///   - host: The name of the machine that has the files.
  package init(rawPaths paths: [[UInt8]], host: String) {
    self.uris = paths.map { FileURI.encode(path: $0, host: host) }
  }

  /// Creates a list of any resources.
  public init(uris: [String]) {
    self.uris = uris
  }

  /// Decodes a `text/uri-list`.
  ///
  /// Comments and empty lines are skipped. Lines may end with CR, LF or NUL, and may have surrounding spaces.
  package init(decoding bytes: [UInt8]) {
    self.uris = URIList.decode(bytes)
  }

  /// The list as `text/uri-list`. Characters that a URI cannot contain are percent-encoded.
  package var encoded: [UInt8] { URIList.encode(uris) }

  /// Returns the file or other resource that each URI names, in order.
  ///
  /// - Parameter hostName: This machine's name, as returned by `gethostname`. URIs that name another machine are not
  ///   local.
  package func entries(hostName: String? = nil) -> [Entry] {
    uris.map { FileURI.entry(of: $0, hostName: hostName) }
  }

  /// The file or other resource that a URI names.
  package enum Entry: Hashable, Sendable {
    /// A file on this machine: an absolute path in the file system's bytes, which need not be UTF-8.
    case local(path: [UInt8])
    /// A file on another machine. The path is meaningless here.
    case otherHost(host: String, path: [UInt8])
    /// Not a file: `https:`, `sftp:`, `trash:` and other schemes.
    case remote(uri: String)
    /// Not a URI, or a URI of a file that cannot exist: with a relative path, or with an escaped NUL or slash.
    ///
    /// A bare path is malformed too, because it is unknown whether its `%20` is an escaped space.
    case malformed(text: String)
  }

  /// The paths of the files on this machine, in order. Their URIs name `localhost` or no host.
  ///
  /// Bytes that are not UTF-8 are replaced; use ``rawLocalPath(of:hostName:)`` to open files of any name.
  public var localPaths: [String] { uris.compactMap { Self.localPath(of: $0) } }

  /// Returns the path of a URI that names a file on this machine; `nil` for any other URI.
  ///
  /// Bytes that are not UTF-8 are replaced; use ``rawLocalPath(of:hostName:)`` to open the file.
  ///
  /// - Parameters:
  ///   - uri: One of ``uris``.
  ///   - hostName: This machine's name. URIs that name another machine are not local.
  public static func localPath(of uri: String, hostName: String? = nil) -> String? {
    rawLocalPath(of: uri, hostName: hostName).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the path of a URI that names a file on this machine, in the file system's bytes, which need not be UTF-8;
  /// `nil` for any other URI.
  public static func rawLocalPath(of uri: String, hostName: String? = nil) -> [UInt8]? {
    guard case .local(let path) = FileURI.entry(of: uri, hostName: hostName) else { return nil }
    return path
  }
}

extension FileList {
  /// The types that can be decoded, best first. Dolphin offers the second for KDE's own schemes (`desktop:`, `trash:`).
  package static let importableTypes: [ContentType] = [.uriList, "application/x-kde4-urilist"]
  /// The types to offer.
  package static let exportableTypes: [ContentType] = [.uriList]

  /// Whether a type can be decoded: a list of URIs, with any parameters.
  package static func reads(_ type: ContentType) -> Bool {
    let base = TextLabel(type).base
    return base == "text/uri-list" || base == "application/x-kde4-urilist"
  }

  /// Decodes a list of URIs in the type's charset.
  ///
  /// - Throws: ``ContentError`` if `type` is not a list of URIs, or if the bytes are not valid in its charset.
  package init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    guard Self.reads(type) else { throw .unsupported(type, for: "a list of files") }
    self.uris = try URIList.decode(bytes, as: type)
  }

  /// Encodes the list as `type`.
  ///
  /// - Throws: ``ContentError`` if `type` is not a list of URIs.
  package func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    guard Self.reads(type) else { throw .unsupported(type, for: "a list of files") }
    return encoded
  }
}
