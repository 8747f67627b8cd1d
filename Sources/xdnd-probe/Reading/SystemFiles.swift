import Files
import Glibc
import ToolSupport

/// Reads a file to its end, or up to a limit.
func readAll(from descriptor: CInt, upTo limit: Int = .max) throws(SystemError) -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while bytes.count < limit {
    let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw .last }
    guard count > 0 else { break }
    bytes += buffer[..<count]
  }
  return bytes
}

extension PrivateDirectory {
  /// `$TMPDIR`, by default `/tmp`: absolute or beginning with `./`.
  static var temporaryRoot: RawPath {
    let path = RawPath.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 }
    return argumentPath(path ?? Array("/tmp".utf8))
  }

  static func temporary() -> PrivateDirectory? { try? make(inShared: temporaryRoot) }
}
