internal import XDnDFiles
internal import Glibc

/// A file in the key-value format of the Desktop Entry Specification, §3.
package struct SettingsFile: Sendable {
  private var groups: [String: [String: String]] = [:]

  /// Parses a text; invalid lines are ignored.
  package init(_ text: String) {
    var group: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      if line.first == "[", line.last == "]" {
        group = String(line.dropFirst().dropLast())
      } else if let group, line.first != "#", let equals = line.firstIndex(of: "=") {
        groups[group, default: [:]][String(line[..<equals].trimmed)] = String(
          line[line.index(after: equals)...].trimmed)
      }
    }
  }

  /// Reads a file; `nil` if it cannot be read.
  package init?(path: String) {
    guard let text = DataFiles.text(path) else { return nil }
    self.init(text)
  }

  /// The value of a key; `nil` if it is missing.
  package subscript(group: String, key: String) -> String? { groups[group]?[key] }

  /// Returns the comma-separated elements of a value, without empty ones.
  func list(_ group: String, _ key: String) -> [String] {
    (self[group, key] ?? "").split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
  }
}

extension StringProtocol {
  fileprivate var trimmed: SubSequence {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return start.prefix(0) }
    return start[...last]
  }
}

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

  /// Returns the text of a file, up to 1 MiB of it.
  static func text(_ path: String) -> String? {
    guard let descriptor = try? openFile(Array(path.utf8), O_RDONLY | O_NONBLOCK) else { return nil }
    defer { close(descriptor) }
    return (try? readAll(from: descriptor, upTo: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }
}
