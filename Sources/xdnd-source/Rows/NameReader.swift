import Glibc
import XDnDToolSupport
import XDnD

/// Reads file names from standard input as they arrive.
final class NameReader {
  private var list: NameList
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

  /// Reads the names that have arrived, until there are `count` of them.
  func read(upTo count: Int) -> [[UInt8]] {
    var names = read()
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while !isAtEnd, names.count < count, poll(&input, 1, 0) > 0 { names += read() }
    return names
  }

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

/// An incremental parser of separated file names.
struct NameList {
  /// The terminator of a name.
  enum Separator: UInt8 {
    case newline = 0x0A
    /// As written by `find -print0`.
    case nul = 0
  }

  private let separator: Separator
  private var rest: [UInt8] = []

  init(separatedBy separator: Separator) { self.separator = separator }

  /// Appends bytes and returns the names that they complete. Empty names are skipped.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    rest += bytes
    guard let end = rest.lastIndex(of: separator.rawValue) else { return [] }
    defer { rest = Array(rest[(end + 1)...]) }
    return rest[..<end].split(separator: separator.rawValue).map(Array.init)
  }

  /// Returns the last name, which may lack its terminator.
  mutating func finish() -> [[UInt8]] {
    defer { rest = [] }
    return rest.isEmpty ? [] : [rest]
  }

  /// Converts a listed name to a command line argument, see ``RawArgument``. Lists may contain `file:` URIs, whose
  /// lines end with CRLF (RFC 2483).
  static func argument(of name: [UInt8]) -> String {
    guard name.starts(with: "file://".utf8) else { return RawArgument.string(name) }
    let uri = String(decoding: name.last == 0x0D ? name.dropLast() : name[...], as: UTF8.self)
    return RawArgument.string(FileList.rawLocalPath(of: uri, hostName: FileList.thisHost) ?? name)
  }
}
