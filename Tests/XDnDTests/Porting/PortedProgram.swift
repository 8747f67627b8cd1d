import Foundation
import TestSupport

/// A program for Apple's frameworks, and its port: files of `Tests/PortingPrograms`.
struct PortedProgram: Sendable {
  enum Form: String, Sendable, CaseIterable {
    /// With the fewest changes.
    case literal = "Literal"
    /// As the library would have it.
    case native = "Native"
  }

  var name: String
  var original: String
  var port: String

  static func all(_ form: Form) throws -> [PortedProgram] {
    let folder = BuiltProducts.package.appendingPathComponent("Tests/PortingPrograms")
    let ports = folder.appendingPathComponent(form.rawValue)
    let originals = folder.appendingPathComponent("Originals/\(form.rawValue)")
    return try FileManager.default.contentsOfDirectory(atPath: ports.path).sorted().map { file in
      PortedProgram(
        name: file.replacingOccurrences(of: ".swift", with: ""),
        original: try String(contentsOf: originals.appendingPathComponent("\(file).txt"), encoding: .utf8),
        port: try String(contentsOf: ports.appendingPathComponent(file), encoding: .utf8))
    }
  }

  /// The lines that count: neither blank lines nor imports, and nothing of the view, which has no counterpart here.
  private static func lines(of program: String) -> [Substring] {
    program.split(separator: "\n").prefix { $0 != "// MARK: The view" }.filter { line in
      !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("import ")
    }
  }

  /// The length of a longest common subsequence.
  private static func commonLineCount(_ original: [Substring], _ port: [Substring]) -> Int {
    var row = [Int](repeating: 0, count: port.count + 1)
    for line in original {
      var diagonal = 0
      for (index, other) in port.enumerated() {
        let above = row[index + 1]
        row[index + 1] = line == other ? diagonal + 1 : max(above, row[index])
        diagonal = above
      }
    }
    return row[port.count]
  }

  /// How many lines the original has, how many of them the port lacks, and how many it has of its own.
  var counts: (original: Int, removed: Int, added: Int) {
    let (original, port) = (Self.lines(of: original), Self.lines(of: port))
    let common = Self.commonLineCount(original, port)
    return (original.count, original.count - common, port.count - common)
  }

  /// The row of the program in a table.
  var row: String {
    let (original, removed, added) = counts
    return "| `\(name)` | \(original) | \(removed) | \(added) | \((removed + added) * 100 / original) % |"
  }
}
