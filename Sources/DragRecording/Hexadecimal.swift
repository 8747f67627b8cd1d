/// 32-bit numbers as text like `0x2a00001`, and as bytes.
package enum Hexadecimal {
  package static func text(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }

  static func number(_ text: String) -> UInt32? {
    guard text.hasPrefix("0x"), let first = text.utf8.dropFirst(2).first, first != UInt8(ascii: "+") else { return nil }
    return UInt32(text.dropFirst(2), radix: 16)
  }

  /// The numbers in the bytes of a property of format 32, in the machine's byte order.
  package static func words(_ bytes: [UInt8]) -> [UInt32] {
    stride(from: 0, to: bytes.count - 3, by: 4).map { start in
      bytes[start..<(start + 4)].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    }
  }

  static func bytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
  }
}
