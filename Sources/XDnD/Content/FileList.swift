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

  /// Resources of any kind.
  public init(uris: [String]) {
    self.uris = uris
  }

  /// Reads a `text/uri-list`.
  public init(decoding bytes: [UInt8]) {
    self.uris = URIList.decode(bytes)
  }

  /// The bytes of the `text/uri-list`.
  public var encoded: [UInt8] { URIList.encode(uris) }

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
