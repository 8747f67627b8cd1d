/// The types that a file's first bytes identify.
enum FileSignature {
  /// The number of bytes to examine.
  static let length = 512

  /// Whether every file of a type begins with a signature. A file without it has another type.
  static func identifies(_ type: ContentType) -> Bool { signatures.contains { $0.type == type.essence } }

  /// Returns the type that a file's first bytes identify; `text/plain` for UTF-8; `nil` for other bytes.
  static func type(of head: [UInt8]) -> ContentType? {
    signatures.first { signature in
      signature.parts.allSatisfy { offset, bytes in head.dropFirst(offset).starts(with: bytes) }
    }?.type ?? (isText(head) ? WireName.text : nil)
  }

  private static let signatures: [(type: ContentType, parts: [(offset: Int, bytes: [UInt8])])] = [
    (.png, [(0, [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A])]),
    ("image/jpeg", [(0, [0xFF, 0xD8, 0xFF])]),
    ("image/gif", [(0, Array("GIF8".utf8))]),
    ("image/webp", [(0, Array("RIFF".utf8)), (8, Array("WEBP".utf8))]),
    ("image/tiff", [(0, [0x49, 0x49, 0x2A, 0x00])]),
    ("image/tiff", [(0, [0x4D, 0x4D, 0x00, 0x2A])]),
    // The reserved bytes at offset 6 are 0 in a bitmap, and hardly ever in text that begins with these letters.
    ("image/bmp", [(0, Array("BM".utf8)), (6, [0, 0, 0, 0])]),
    ("application/pdf", [(0, Array("%PDF-".utf8))]),
  ]

  /// UTF-8 without C0 controls except white space and ESC. The last character of a longer file may be cut off.
  private static func isText(_ head: [UInt8]) -> Bool {
    guard !head.isEmpty, !head.contains(where: { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }) else {
      return false
    }
    return (0...(head.count < length ? 0 : 3)).contains { TextEncoding.utf8.string(from: head.dropLast($0)) != nil }
  }
}
