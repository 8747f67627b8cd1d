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

  private static let viewMark = "// MARK: The view"

  /// The lines that count: neither blank lines nor imports, and nothing of the view, which has no counterpart here.
  private static func lines(of program: String) -> [Substring] {
    program.split(separator: "\n").prefix { $0 != viewMark }.filter { line in
      !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("import ")
    }
  }

  /// The lines that the port lacks, with `-`, and those of its own, with `+`, in order.
  private var changedLines: [String] {
    let (original, port) = (Self.lines(of: original), Self.lines(of: port))
    var (removed, added): (Set<Int>, Set<Int>) = ([], [])
    for change in port.difference(from: original) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var (changes, index, portIndex): ([String], Int, Int) = ([], 0, 0)
    while index < original.count || portIndex < port.count {
      if removed.contains(index) {
        changes.append("-" + original[index])
        index += 1
      } else if added.contains(portIndex) {
        changes.append("+" + port[portIndex])
        portIndex += 1
      } else {
        (index, portIndex) = (index + 1, portIndex + 1)
      }
    }
    return changes
  }

  /// How many lines the original has, how many of them the port lacks, and how many it has of its own.
  var counts: (original: Int, removed: Int, added: Int) {
    let changes = changedLines
    let removed = changes.count { $0.hasPrefix("-") }
    return (Self.lines(of: original).count, removed, changes.count - removed)
  }

  /// A link to the original, and the port, as a document prints them. Of a literal port, these are the changed lines and the
  /// view.
  func listing(_ form: Form) -> String {
    let link = "[The original](../Tests/PortingPrograms/Originals/\(form.rawValue)/\(name).swift.txt)"
    let changes = changedLines.map { $0 + "\n" }.joined()
    let diff = form == .literal && !changes.isEmpty ? "```diff\n\(changes)```\n\n" : ""
    let view = form == .literal ? port.range(of: Self.viewMark).map { String(port[$0.lowerBound...]) } : nil
    return "\(link)\n\n\(diff)```swift\n\(view ?? port)```\n"
  }

  /// The row of the program in a table.
  var row: String {
    let (original, removed, added) = counts
    return "| `\(name)` | \(original) | \(removed) | \(added) | \((removed + added) * 100 / original) % |"
  }
}
