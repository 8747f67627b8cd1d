import Foundation
import Testing

/// Writes a line for each cell that came out right to the file that `XDND_INTEROP_REPORT` names.
enum InteropReport {
  /// Says that a cell has worked, unless one of its expectations has failed.
  static func record(_ pair: String, _ content: Content, _ operation: String, rounds: Int) {
    guard let path = ProcessInfo.processInfo.environment["XDND_INTEROP_REPORT"] else { return }
    let line = "| \(pair) | \(content.rawValue) | \(operation) | \(rounds) of \(rounds) |\n"
    // Lines shorter than a pipe's buffer are appended whole, also by tests that run side by side.
    guard let file = fopen(path, "a") else { return }
    fputs(line, file)
    fclose(file)
  }
}
