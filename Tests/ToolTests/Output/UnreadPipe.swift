import Foundation
import Glibc
import TestSupport

/// A named pipe that a test reads as long as it wants to: afterwards it is full, and nobody reads it.
final class UnreadPipe: Sendable {
  /// For programs that write to it.
  let path: String
  private let descriptor: CInt

  init(in directory: TemporaryDirectory) throws {
    path = directory("unread")
    guard mkfifo(path, 0o600) == 0 else { throw HarnessError("cannot make a pipe", code: errno) }
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw HarnessError("cannot open the pipe", code: errno) }
  }

  deinit { close(descriptor) }

  /// The arguments of `/bin/sh` that run a program with its standard output in this pipe.
  func running(_ program: String, _ arguments: [String]) -> [String] {
    ["-c", #"pipe=$1; shift; exec "$0" "$@" >"$pipe""#, program, path] + arguments
  }

  /// Reads until a line has come with this event.
  func readLine(_ event: String) async throws -> JSONLine {
    var text: [UInt8] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      text += try await read(atLeast: 1)
      for line in text.split(separator: UInt8(ascii: "\n")) {
        if let line = JSONLine(String(decoding: line, as: UTF8.self)), line.event == event { return line }
      }
    }
    throw HarnessError("no line \(event) in the pipe")
  }

  /// Reads so many bytes, and what is there besides.
  func read(atLeast count: Int) async throws -> [UInt8] {
    try await onOwnThread { [descriptor] in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while bytes.count < count {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 30_000) > 0 else { throw HarnessError("nothing arrives in the pipe") }
        let part = Glibc.read(descriptor, &buffer, buffer.count)
        if part > 0 { bytes += buffer[..<part] }
      }
      return bytes
    }
  }

  /// Fills it, so that nothing more can be written to it. Returns how many bytes that took.
  @discardableResult
  func fill() -> Int {
    // What a program writes at once fits, or it does not: the last bytes go in one by one.
    var total = 0
    for part in [Array(repeating: UInt8(ascii: "\n"), count: 4096), [UInt8(ascii: "\n")]] {
      while case let count = write(descriptor, part, part.count), count > 0 { total += count }
    }
    return total
  }
}
