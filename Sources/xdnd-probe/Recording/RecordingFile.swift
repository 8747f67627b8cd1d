import Files
import ArgumentParser
import DragRecording
import Glibc
import ToolSupport

/// Reads a recording named on the command line.
enum RecordingFile {
  /// - Parameter path: The path as bytes; `-` is standard input.
  static func read(_ path: [UInt8]) throws -> Recording {
    let name = RawArgument.string(path)
    func failure() -> ValidationError {
      ValidationError("cannot read '\(name)': \(String(cString: strerror(errno)))")
    }
    let isStandardInput = path == [UInt8(ascii: "-")]
    let descriptor = isStandardInput ? STDIN_FILENO : withCPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure() }
    defer { if !isStandardInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure() }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    do {
      return try Recording(text: bytes)
    } catch {
      throw ValidationError("\(name), \(error)")
    }
  }
}

/// A file that is written line by line, so that it is complete up to the last line at any time.
final class LineFile: Sendable {
  private let descriptor: CInt

  /// - Parameter descriptor: Owned and closed by this object, unless it is a standard stream.
  init(descriptor: CInt) { self.descriptor = descriptor }

  deinit { if descriptor > STDERR_FILENO { close(descriptor) } }

  /// Whether the file was opened.
  var isOpen: Bool { descriptor >= 0 }

  /// Returns whether all text was written; otherwise `errno` has the reason.
  func write(_ text: String) -> Bool {
    if descriptor == STDOUT_FILENO {
      let output = OutputBuffer.standardOutput
      return output.write(Array((output.isTerminal ? Humane.visibleLines(text) : text).utf8), isContent: true)
    }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
