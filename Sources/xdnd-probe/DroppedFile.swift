import Glibc
import ToolSupport
import ToolWindow
import XDnD

/// One entry of a dropped list of files.
struct DroppedFile {
  let uri: String
  /// `nil` if it is not on this machine.
  let rawPath: [UInt8]?
  /// For programs that cannot take bytes.
  var path: String? { rawPath.map { String(decoding: $0, as: UTF8.self) } }
  /// For people.
  let visiblePath: String?
  /// The last part of it.
  var visibleName: String? { visiblePath.map { $0.split(separator: "/").last.map(String.init) ?? $0 } }
  /// The rest.
  var visibleDirectory: String? {
    guard let visiblePath, let name = visibleName, visiblePath.count > name.count + 1 else { return nil }
    return String(visiblePath.dropLast(name.count + 1))
  }
  /// Of a regular file that can be read.
  let content: (size: Int, sha256: String)?

  init(uri: String) {
    self.uri = uri
    rawPath = FileList.rawLocalPath(of: uri, hostName: FileList.thisHost)
    visiblePath = rawPath.map { Humane.visible(RawArgument.string($0)) }
    content = rawPath.flatMap(Self.digest)
  }

  var fields: Report.Value {
    var members: [(String, Report.Value)] = [("uri", .string(uri))]
    if let path { members.append(("path", .string(path))) }
    if let content {
      members += [("bytes", .integer(content.size)), ("sha256", .string(content.sha256))]
    }
    return .object(members)
  }

  var sentence: String {
    guard let visiblePath else { return "  \(Humane.visible(uri)) (not on this machine)" }
    guard let content else { return "  \(visiblePath)" }
    return "  \(visiblePath)\n    \(Humane.bytes(content.size)), SHA-256 \(content.sha256)"
  }

  /// Whether it is one, here and now.
  var isDirectory: Bool {
    var status = stat()
    guard let rawPath, withPath(rawPath, { stat($0, &status) }) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR
  }

  private static func digest(of path: [UInt8]) -> (size: Int, sha256: String)? {
    var status = stat()
    guard withPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = withPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var checksum = SHA256()
    var size = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return (size, checksum.hexDigest) }
      buffer.withUnsafeBytes { checksum.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      size += count
    }
  }
}
