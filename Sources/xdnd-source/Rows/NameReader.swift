import Glibc
import ToolSupport
import XDnD

/// Reads file names from standard input as they arrive.
final class NameReader {
  private var list: NameList
  /// Whether the input has ended.
  private(set) var isAtEnd = false

  let descriptor = STDIN_FILENO

  init(separatedBy separator: NameList.Separator) {
    list = NameList(separatedBy: separator)
  }

  /// Reads the available names; blocks if there are none.
  func read() -> [[UInt8]] {
    guard !isAtEnd else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      repeat { count = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      count = max(0, count)
    }
    guard bytes.isEmpty else { return list.append(bytes) }
    isAtEnd = true
    return list.finish()
  }

  /// Reads all names up to the end of the input.
  func readToEnd() -> [[UInt8]] {
    var names: [[UInt8]] = []
    while !isAtEnd { names += read() }
    return names
  }

  /// Reads the names that arrive within a short time, so that the window of a short list opens with all rows.
  func readFirst(within milliseconds: CInt = 60) -> [[UInt8]] {
    var names: [[UInt8]] = []
    let deadline = ContinuousClock.now + .milliseconds(Int64(milliseconds))
    while !isAtEnd, .now < deadline {
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, deadline.pollTimeout) > 0 else { break }
      names += read()
    }
    return names
  }
}
