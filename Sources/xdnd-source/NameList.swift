import ToolSupport
import XDnD

/// Names of files as they come in, piece by piece.
struct NameList {
  /// What ends a name.
  enum Separator {
    /// The end of a line.
    case newline
    /// As `find -print0` writes.
    case nul

    fileprivate var byte: UInt8 { self == .nul ? 0 : UInt8(ascii: "\n") }
  }

  private let separator: Separator
  private var rest: [UInt8] = []

  init(separatedBy separator: Separator) {
    self.separator = separator
  }

  /// Takes in bytes, and gives the names that end in them. Empty ones are left out.
  mutating func append(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
    rest += bytes
    guard let end = rest.lastIndex(of: separator.byte) else { return [] }
    defer { rest = Array(rest[(end + 1)...]) }
    return rest[..<end].split(separator: separator.byte).map(Array.init)
  }

  /// The last name may have no end of its own.
  mutating func finish() -> [[UInt8]] {
    defer { rest = [] }
    return rest.isEmpty ? [] : [rest]
  }

  /// The argument of the command line that means the same; lists may have URIs in them, and those lines end with CRLF.
  static func argument(of name: [UInt8]) -> String {
    guard name.starts(with: "file://".utf8) else { return RawArgument.string(name) }
    let uri = String(decoding: name.last == 0x0D ? name.dropLast() : name[...], as: UTF8.self)
    return RawArgument.string(FileList.rawLocalPath(of: uri, hostName: FileList.thisHost) ?? name)
  }
}
