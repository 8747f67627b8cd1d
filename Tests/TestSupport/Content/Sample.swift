import Foundation

/// What exactly is dragged, and the forms it takes on its way.
package enum Sample {
  /// Letters of one to four bytes, emoji of several code points, marks that combine, writing from right to left, and
  /// more than one line.
  package static let words =
    "Grüße, мир — 한글 👩‍🚀🏳️‍🌈 e\u{301} \u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{633}\u{644}\u{627}\u{645}\nsecond line"
  package static let html = "<p>Grüße, <b>한글</b> 👩‍🚀</p>"
  /// What HTML begins with on its way out of the library: browsers guess the encoding of HTML that does not say it.
  package static let htmlMark = "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\">"
  package static let uri = "https://example.org/a%20b/%ED%95%9C?q=1&r=2#top"
  package static let title = "A title, 한글 👋"
  package static let color: [UInt16] = [0xFFFF, 0x8080, 0x0101, 0xC0C0]
  package static let colorNotation = "#ff8001c0"
  package static let blobType = "application/x-xdnd-blob"

  /// The names of files: what must be escaped, what is long in UTF-8, and what is no UTF-8 at all.
  ///
  /// In the order of their bytes, which is that of the shell.
  package static let names: [[UInt8]] = [
    Array("a name with spaces, 100%.txt".utf8), Array("latin-".utf8) + [0xE9, 0xFF], Array("한글 №2.txt".utf8),
  ]

  package static let blob = noise(8 * 1_048_576)
  /// Taken once, for it takes a second.
  package static let blobDigest = Digest(blob)

  package static func utf16(_ text: String) -> [UInt8] {
    text.utf16.flatMap { withUnsafeBytes(of: $0, Array.init) }
  }

  /// UTF-8 of each half of a surrogate pair by itself, as Tk 8.6 writes letters beyond the BMP.
  package static func cesu8(_ text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar -> [UInt8] in
      guard scalar.value > 0xFFFF else { return Array(String(scalar).utf8) }
      return String(scalar).utf16.flatMap {
        [0xE0 | UInt8($0 >> 12), 0x80 | UInt8($0 >> 6 & 0x3F), 0x80 | UInt8($0 & 0x3F)]
      }
    }
  }

  package static func escaped(_ path: [UInt8]) -> String {
    path.map { byte in
      let isPlain = byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
      return isPlain || byte == 0x2F ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
    }.joined()
  }

  package static func makeEmptyFile(_ path: [UInt8]) throws {
    let descriptor = open(path.map { CChar(bitPattern: $0) } + [0], O_CREAT, 0o600)
    guard descriptor >= 0 else { throw HarnessError("cannot make a file", code: errno) }
    close(descriptor)
  }

  /// Bytes without a pattern that a lost or doubled chunk could hide in, the same in every run.
  package static func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        buffer[index] = UInt8(truncatingIfNeeded: state)
      }
      initialized = count
    }
  }
}
