/// Arguments of the command line as bytes.
///
/// File names are bytes, and need not be UTF-8; strings have to be. So each byte that is no part of UTF-8 travels through
/// the argument parser as a private-use scalar of its own, and becomes a byte again where it is used.
public enum RawArgument {
  /// The scalar of byte 0; only those from 0x80 on are used.
  private static let base: UInt32 = 0x10FF00
  private static let escapes: ClosedRange<UInt32> = (base + 0x80)...(base + 0xFF)

  /// The arguments of this process, without the name of the program.
  public static var all: [String] {
    CommandLine.unsafeArgv.withMemoryRebound(to: Optional<UnsafeMutablePointer<CChar>>.self, capacity: 1) { argv in
      (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        argv[index].map { string(UnsafeBufferPointer(start: $0, count: length(of: $0)).map(UInt8.init(bitPattern:))) }
      }
    }
  }

  /// The string that stands for these bytes: itself, where they are UTF-8.
  public static func string(_ bytes: [UInt8]) -> String {
    var result = String.UnicodeScalarView()
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if escapes.contains(scalar.value) {
          // Who really has such a scalar gets it back too, byte by byte.
          result.append(contentsOf: bytes[index..<(index + encoded.count)].compactMap(escape))
        } else {
          result.append(scalar)
        }
        index += encoded.count
      case .error(let length):
        result.append(contentsOf: bytes[index..<(index + length)].compactMap(escape))
        index += length
      case .emptyInput: return String(result)
      }
    }
  }

  /// The bytes that the user gave.
  public static func bytes(of string: some StringProtocol) -> [UInt8] {
    string.unicodeScalars.flatMap { byte(of: $0).map { [$0] } ?? Array(String($0).utf8) }
  }

  /// The byte that a scalar stands for, if it stands for one.
  static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    escapes.contains(scalar.value) ? UInt8(scalar.value - base) : nil
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar? { Unicode.Scalar(base + UInt32(byte)) }

  private static func length(of string: UnsafeMutablePointer<CChar>) -> Int {
    var length = 0
    while string[length] != 0 { length += 1 }
    return length
  }
}
