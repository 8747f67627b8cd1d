import Glibc
import ToolSupport

/// Reads names of files from the standard input, without waiting for more than there is.
final class NameReader {
  private var list: NameList
  /// Whether no more will come.
  private(set) var isAtEnd = false

  let descriptor = STDIN_FILENO

  init(separatedBy separator: NameList.Separator) {
    list = NameList(separatedBy: separator)
  }

  /// Takes what is there; waits if there is nothing.
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

  /// All there is, to the end.
  func readToEnd() -> [[UInt8]] {
    var names: [[UInt8]] = []
    while !isAtEnd { names += read() }
    return names
  }

  /// What comes soon: the window of a short list is to open with all of its rows.
  func readFirst(within milliseconds: CInt = 60) -> [[UInt8]] {
    var names: [[UInt8]] = []
    let deadline = ContinuousClock.now + .milliseconds(Int64(milliseconds))
    while !isAtEnd, .now < deadline {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = (deadline - .now).components.attoseconds / 1_000_000_000_000_000
      guard Glibc.poll(&poll, 1, CInt(clamping: left)) > 0 else { break }
      names += read()
    }
    return names
  }
}
