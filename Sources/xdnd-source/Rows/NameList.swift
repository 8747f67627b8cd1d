import ToolSupport
import XDnD

/// An incremental parser of separated file names.
struct NameList {
  /// The terminator of a name.
  enum Separator {
    case newline
    /// As written by `find -print0`.
    case nul

    fileprivate var byte: UInt8 { self == .nul ? 0 : UInt8(ascii: "\n") }
  }

  private let separator: Separator
  private var rest: [UInt8] = []

  init(separatedBy separator: Separator) {
    self.separator = separator
  }

  /// Appends bytes and returns the names that they complete. Empty names are skipped.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    rest += bytes
    guard let end = rest.lastIndex(of: separator.byte) else { return [] }
    defer { rest = Array(rest[(end + 1)...]) }
    return rest[..<end].split(separator: separator.byte).map(Array.init)
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
