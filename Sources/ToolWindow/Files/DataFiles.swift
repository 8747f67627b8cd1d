internal import Glibc

/// Files in the directories of the XDG Base Directory Specification.
enum DataFiles {
  /// The data directories, the user's own first.
  static var directories: [String] {
    let home = home(variable: "XDG_DATA_HOME", below: ".local/share").map { [$0] } ?? []
    let system = variable("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
    return home + system.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
  }

  /// The user's cache directory.
  static var cache: String? { home(variable: "XDG_CACHE_HOME", below: ".cache") }

  /// The user's configuration directory.
  static var configuration: String? { home(variable: "XDG_CONFIG_HOME", below: ".config") }

  /// The user's home directory; `nil` if `HOME` is unset or relative.
  static var home: String? { variable("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }

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

  private static func home(variable name: String, below path: String) -> String? {
    // The specification ignores relative paths.
    if let directory = variable(name), directory.hasPrefix("/") { return directory }
    return home.map { "\($0)/\(path)" }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
