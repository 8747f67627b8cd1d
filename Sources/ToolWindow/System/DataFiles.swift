internal import XDnDFiles
internal import Glibc

/// Files in the directories of the XDG Base Directory Specification.
enum DataFiles {
  /// The data directories, the user's own first.
  static var directories: [String] {
    let home = userDirectory("XDG_DATA_HOME", orAtHome: ".local/share")
    let system = getenv("XDG_DATA_DIRS").map { String(cString: $0) } ?? ""
    let all = (system.isEmpty ? "/usr/local/share:/usr/share" : system).split(separator: ":").map(String.init)
    return [home].compactMap { $0 } + all.filter { $0.hasPrefix("/") }
  }

  /// Returns a base directory of the user: the variable's value, or a default below `HOME`; `nil` if neither is set.
  static func userDirectory(_ variable: String, orAtHome path: String) -> String? {
    RawPath.userDirectory(variable, orAtHome: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the text of a file, up to about 1 MiB of it.
  static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 20 {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
