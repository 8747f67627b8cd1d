import Foundation

/// Writes what came out to the files that `XDND_INTEROP_REPORT` and `XDND_INTEROP_TYPES` name.
enum InteropReport {
  /// How often each cell runs.
  static let rounds = environment["XDND_ROUNDS"].flatMap(Int.init) ?? 1
  /// Whether all contents are moved and linked too; one is enough to see that operations work.
  static let isWhole = environment["XDND_INTEROP_REPORT"] != nil

  private static let environment = ProcessInfo.processInfo.environment

  /// Says how often a cell has worked.
  static func record(_ pair: String, _ cell: Cell, worked: Int) {
    append("| \(pair) | \(cell.content.rawValue) | \(cell.operation) | \(worked) of \(rounds) |", "XDND_INTEROP_REPORT")
  }

  /// What a toolkit does with types.
  enum Deed: String {
    case offers, asks = "asks for"
  }

  /// Says which types a toolkit offers or asks for.
  static func record(types: [String], _ toolkit: Toolkit, _ deed: Deed, _ content: Content) {
    var seen: Set<String> = []
    let types = types.filter { seen.insert($0).inserted }.map { "`\($0)`" }.joined(separator: " ")
    append("| \(toolkit.rawValue) | \(deed.rawValue) | \(content.rawValue) | \(types) |", "XDND_INTEROP_TYPES")
  }

  static func append(_ line: String, _ variable: String) {
    // Lines shorter than a pipe's buffer are appended whole, also by tests that run side by side.
    guard let path = environment[variable], let file = fopen(path, "a") else { return }
    fputs(line + "\n", file)
    fclose(file)
  }
}

/// One cell of the matrix for a pair.
struct Cell: CustomStringConvertible, Sendable {
  var content: Content
  var operation: String

  var description: String { "\(operation) \(content.rawValue)" }

  /// Copies of everything, and moves and links.
  static func all(_ contents: [Content]) -> [Cell] {
    contents.flatMap { content in
      (InteropReport.isWhole || content == .text ? ["copy", "move", "link"] : ["copy"]).map {
        Cell(content: content, operation: $0)
      }
    }
  }
}
