import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnD

/// Reads file names from standard input as they arrive.
final class NameReader {
  private var list: NameList
  private(set) var isAtEnd = false

  let descriptor: CInt

  /// - Parameter descriptor: The caller keeps it open.
  init(separatedBy separator: NameList.Separator, from descriptor: CInt = STDIN_FILENO) {
    list = NameList(separatedBy: separator)
    self.descriptor = descriptor
  }

  /// Reads the available names, and blocks if there are none. In non-blocking mode (`O_NONBLOCK`), it returns none;
  /// another program that shares the pipe or terminal may have set this mode.
  ///
  /// - Throws: The reason why reading failed. Names read before are complete; a name whose end was not read is
  ///   discarded.
  func read() throws(SystemError) -> [[UInt8]] {
    guard !isAtEnd else { return [] }
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      repeat { count = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      code = count < 0 ? errno : 0
      count = max(0, count)
    }
    if code == EAGAIN { return [] }
    guard bytes.isEmpty else { return list.append(bytes) }
    isAtEnd = true
    if code != 0 { throw SystemError(code) }
    return list.finish()
  }

  /// Reads the names that have arrived, until there are `count` of them.
  func read(upTo count: Int) throws(SystemError) -> [[UInt8]] {
    var names = try read()
    while !isAtEnd, names.count < count, isReadable(within: 0) { names += try read() }
    return names
  }

  /// Reads names to the end, the time limit or a signal to end the tool. Afterwards, ``isAtEnd`` is `false` if some are
  /// missing.
  func read(until limit: ContinuousClock.Instant?) throws(SystemError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    while !isAtEnd, !TerminationSignals.haveArrived, limit.map({ $0 > .now }) ?? true {
      if isReadable(within: limit?.pollTimeout ?? -1) { names += try read() }
    }
    return names
  }

  /// - Parameter timeout: As for `poll`.
  private func isReadable(within timeout: CInt) -> Bool {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, timeout) > 0
  }

  /// Returns the error message if the rest of the names cannot be read.
  static func sentence(for error: SystemError) -> String {
    "cannot read file names from standard input: \(error.message)"
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
  mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
    guard let end = bytes.lastIndex(of: separator.rawValue) else {
      rest += bytes
      return []
    }
    let names = rest + bytes[..<end]
    rest = Array(bytes[(end + 1)...])
    return names.split(separator: separator.rawValue).map(Array.init)
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
