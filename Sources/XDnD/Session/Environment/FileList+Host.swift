import Glibc

extension FileList {
  /// This machine's host name, as `gethostname` returns it; `nil` if that fails. ``entries(hostName:)`` compares URIs
  /// with it.
  package static var thisHost: String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
