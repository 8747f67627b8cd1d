/// A file in the key-value format of the Desktop Entry Specification, §3.
package struct SettingsFile: Sendable {
  private var groups: [String: [String: String]] = [:]

  /// Parses a text; lines that are not understood are ignored.
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
