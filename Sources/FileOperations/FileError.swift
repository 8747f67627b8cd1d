internal import Glibc

/// Why something was not done to a file, in words.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error number of the system; 0 for what is refused by rule.
  public let code: CInt
  /// A sentence without a full stop: `cannot write 'note.txt': No space left on device`.
  public let description: String

  init(_ words: String, code: CInt = 0) {
    self.code = code
    description = words
  }

  /// - Parameters:
  ///   - deed: What failed, such as `write`.
  ///   - name: What it was done to.
  init(_ deed: String, _ name: RawPath, _ code: CInt) {
    self.init("cannot \(deed) \(name.quoted): \(String(cString: strerror(code)))", code: code)
  }

  static let cancelled = FileError("cancelled", code: ECANCELED)
}

extension Sequence<UInt8> {
  /// A name in quotation marks, on one line: what controls a terminal or turns text around is replaced.
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
