import XDnDFiles

/// Command line arguments as bytes.
///
/// File names need not be UTF-8, but the argument parser takes strings only. So each byte that is not part of valid
/// UTF-8 becomes a private-use scalar, which is converted back where the argument is used.
package enum RawArgument {
  /// The scalar for byte 0; bytes from 0x80 on are mapped.
  private static let base: UInt32 = 0x10FF00
  private static let escapes: ClosedRange<UInt32> = (base + 0x80)...(base + 0xFF)

  package static var all: [String] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().compactMap {
      $0.map { string([UInt8](cString: $0)) }
    }
  }

  /// Returns the string for bytes: identical for UTF-8, otherwise with escape scalars.
  package static func string(_ bytes: [UInt8]) -> String {
    var result = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    func escape(_ count: Int) {
      result.append(contentsOf: bytes[index..<(index + count)].compactMap { Unicode.Scalar(base + UInt32($0)) })
      index += count
    }
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        // An escape scalar in the input is escaped byte by byte, so that it is preserved.
        if escapes.contains(scalar.value) {
          escape(encoded.count)
        } else {
          result.append(scalar)
          index += encoded.count
        }
      case .error(let length): escape(length)
      case .emptyInput: return String(result)
      }
    }
  }

  /// Returns the original bytes of a string.
  package static func bytes(of string: some StringProtocol) -> [UInt8] {
    string.unicodeScalars.flatMap { byte(of: $0).map { [$0] } ?? Array(String($0).utf8) }
  }

  /// The byte that a scalar stands for; `nil` if it is no escape.
  static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    escapes.contains(scalar.value) ? UInt8(scalar.value - base) : nil
  }
}
