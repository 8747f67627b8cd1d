internal import XDnDFiles
internal import Glibc

/// The reason why a file operation failed, as a message.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An `errno` value, also for a refusal by the library; 0 if none fits.
  public let code: CInt
  /// How many more bytes the copy of an item needs on a full file system. `nil` for other errors, if the number is
  /// unknown, and if enough bytes are free: then a quota or the inodes are used up.
  public private(set) var missing: Int?
  /// What failed, without the system's reason: `cannot write 'note.txt'`.
  private let failure: String
  /// The system's reason; `nil` if ``failure`` gives one itself.
  private let reason: String?

  init(_ message: String, code: CInt = 0) {
    self.code = code
    failure = message
    reason = nil
  }

  /// - Parameters:
  ///   - verb: What failed, as an infinitive: `write`.
  ///   - name: The file's name.
  init(_ verb: String, _ name: RawPath, _ code: CInt) {
    self.code = code
    failure = "cannot \(verb) \(name.quoted)"
    reason = SystemError(code).message
  }

  /// A sentence without a full stop: `cannot write 'film.mkv': disk full: 3.2 GiB short`.
  public var description: String {
    let words = missing.map { "disk full: \(ByteSize.words(for: $0)) short" } ?? reason
    return failure + (words.map { ": " + $0 } ?? "")
  }

  /// Adds ``missing`` to the error of a full file system. Other errors stay as they are.
  ///
  /// - Parameters:
  ///   - needed: The size of the item, in bytes.
  ///   - free: The free space after the unfinished copy was removed, in bytes; `nil` if it is unknown.
  func counting(needed: Int?, free: @autoclosure () -> Int?) -> FileError {
    guard code == ENOSPC || code == EDQUOT, let needed, let free = free(), free < needed else { return self }
    var error = self
    error.missing = needed - free
    return error
  }

  static let cancelled = FileError("cancelled", code: ECANCELED)
  static let tooManyFiles = FileError("no more files can be opened", code: EMFILE)
}

/// Makes a system call. An error becomes a message: see ``FileError/init(_:_:_:)``.
func reporting<Result>(
  _ verb: String, _ name: RawPath, _ call: @autoclosure () throws(SystemError) -> Result
) throws(FileError) -> Result {
  do { return try call() } catch { throw FileError(verb, name, error.code) }
}

extension Sequence<UInt8> {
  /// The name in quotation marks, on one line: terminal controls and bidirectional formatting characters are replaced.
  var quoted: String {
    var scalars = String.UnicodeScalarView()
    for scalar in String(decoding: Array(self), as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}":
        scalars.append("\u{FFFD}")
      default: scalars.append(scalar)
      }
    }
    return "'\(String(scalars))'"
  }
}
