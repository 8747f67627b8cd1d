public import FoundationEssentials
public import XDnD

/// A URL of a file is exported as a `FileList`, any other as a `Link`. Both are imported; of several files, only the
/// first.
extension URL: Transferable {
  /// `text/uri-list` for a file; for any other URL, the types that browsers, file managers and editors read.
  public static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(exporting: { (url: URL) in FileList(urls: [url]) }).exportingCondition(\.isFileURL)
    ProxyRepresentation(exporting: { (url: URL) in Link(url: url) }).exportingCondition { !$0.isFileURL }
    ProxyRepresentation(importing: { (link: Link) in try url(of: link) })
  }

  private static func url(of link: Link) throws -> URL {
    guard let url = URL(listed: link.url) else { throw InvalidURL(text: link.url) }
    return url
  }

  /// Creates a URL from a peer's URI. Some peers (tkdnd 2.6) leave characters of file names unescaped, such as `?` and
  /// `#`. In the URI of a file, these characters begin no query or fragment.
  init?(listed uri: String, hostName: String? = nil) {
    let path = FileList.rawLocalPath(of: uri, hostName: hostName)
    self.init(string: path.map { FileList(rawPaths: [$0]).uris[0] } ?? uri)
  }

  /// The URI to export. Characters that peers fail on are escaped. The URI of a directory does not end with a slash,
  /// because targets take the text after the last slash for the name.
  var listed: String {
    guard isFileURL, var path = FileList.rawLocalPath(of: absoluteString) else { return absoluteString }
    while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
    return FileList(rawPaths: [path]).uris[0]
  }
}

/// A peer's link that is not a URL.
private struct InvalidURL: Error, CustomStringConvertible {
  var text: String

  var description: String { "\(text.debugDescription) is not a URL" }
}

extension Link {
  /// Creates a link.
  ///
  /// - Parameters:
  ///   - url: The URL. A relative one is resolved against its base.
  ///   - title: The title.
  public init(url: URL, title: String? = nil) {
    self.init(url: url.listed, title: title)
  }
}

extension FileList {
  /// Creates a list of files or other resources.
  ///
  /// - Parameter urls: The URLs. A relative one is resolved against its base.
  public init(urls: [URL]) {
    self.init(uris: urls.map(\.listed))
  }

  /// Returns the URLs of the list, in order. Entries that are not URLs are left out.
  ///
  /// - Parameter hostName: This machine's name, as returned by `gethostname`. The URL of a file on this machine has no
  ///   host; the URL of a file on another machine keeps its host.
  public func urls(hostName: String? = nil) -> [URL] {
    zip(uris, entries(hostName: hostName)).compactMap { uri, entry in
      if case .malformed = entry { return nil }
      return URL(listed: uri, hostName: hostName)
    }
  }
}

extension DragItem {
  /// Creates an item for files, as `text/uri-list`.
  ///
  /// - Parameter urls: The files. URLs of other resources are listed too.
  @_disfavoredOverload
  public init(files urls: [URL]) {
    self.init(FileList(urls: urls))
  }

  /// Adds the contents of a file. The file is opened when a requestor asks for the type, and read part by part.
  ///
  /// - Parameters:
  ///   - type: The type of the contents.
  ///   - file: The file's URL. Requests are refused if it is not the URL of a file on this machine.
  public mutating func promise(_ type: ContentType, contentsOf file: URL) {
    guard let path = FileList.rawLocalPath(of: file.absoluteString) else { return promise(type) { $0.refuse() } }
    promise(type, contentsOfFile: path)
  }
}

extension SentTransferredFile {
  /// Creates a value for a file on this machine.
  public init(_ file: URL) { self.init(file.path(percentEncoded: false)) }
}

extension ReceivedTransferredFile {
  /// The file. It is removed when the closure that receives it returns.
  public var file: URL { URL(filePath: path) }
}
