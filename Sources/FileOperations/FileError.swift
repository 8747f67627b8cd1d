internal import XDnDFiles
internal import Glibc

/// The reason why a file operation failed, as a message.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's error number; 0 if the library refuses the operation by its own rules.
  public let code: CInt
  /// A sentence without a full stop: `cannot write 'note.txt': No space left on device`.
  public let description: String

  init(_ message: String, code: CInt = 0) {
    self.code = code
    description = message
  }

  /// - Parameters:
  ///   - verb: What failed, as an infinitive: `write`.
  ///   - name: The file's name.
  init(_ verb: String, _ name: RawPath, _ code: CInt) {
    self.init("cannot \(verb) \(name.quoted): \(SystemError(code).message)", code: code)
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
