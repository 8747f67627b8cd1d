import ArgumentParser
import DragRecording
import Glibc
import ToolSupport

/// A recording that is named on the command line.
enum RecordingFile {
  /// - Parameter path: As bytes; `-` is standard input.
  static func read(_ path: [UInt8]) throws -> Recording {
    let name = RawArgument.string(path)
    let isStandardInput = path == [UInt8(ascii: "-")]
    let descriptor = isStandardInput ? STDIN_FILENO : withPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw ValidationError("\(name) cannot be read: \(String(cString: strerror(errno)))") }
    defer { if !isStandardInput { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ValidationError("\(name) cannot be read: \(String(cString: strerror(errno)))") }
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

/// A file that is written line by line, so that it is whole up to the last line whenever it ends.
final class LineFile: Sendable {
  private let descriptor: CInt

  /// `nil`, with the reason in `errno`, if it cannot be made.
  init?(creating path: [UInt8]) {
    descriptor = withPath(path) { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
    if descriptor < 0 { return nil }
  }

  private init(_ descriptor: CInt) { self.descriptor = descriptor }

  static let standardOutput = LineFile(STDOUT_FILENO)

  deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

  /// Whether all of it was written; why not is in `errno`.
  func write(_ bytes: some Sequence<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
