import TestSupport
import Testing

@testable import XDnD

/// How many random cases the tests of the codecs run.
enum CodecEffort {
  static let text = 280_000
  static let textBytes = 170_000
  static let paths = 150_000
  static let adversarialURIs = 250_000
  static let lists = 60_000
  static let links = 40_000
  static let colors = 60_000
  static let html = 30_000
  static let copiedFiles = 20_000
  static let fileNames = 40_000
  static let clippings = 60_000
}

@Suite("The effort for the codecs")
struct CodecEffortTests {
  @Test func `it is a million cases and more`() {
    let total =
      CodecEffort.text + CodecEffort.textBytes + CodecEffort.paths + CodecEffort.adversarialURIs + CodecEffort.lists
      + CodecEffort.links + CodecEffort.colors + CodecEffort.html + CodecEffort.copiedFiles + CodecEffort.fileNames
      + CodecEffort.clippings
    #expect(total >= 1_000_000)
  }
}

extension SplitMix64 {
  /// Bytes of which many have a meaning to somebody.
  mutating func awkwardBytes(below limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    let count = below(limit)
    while bytes.count < count {
      let word = next()
      switch word & 7 {
      case 0: bytes += Self.sequences[Int(word >> 8 & 0xFF) % Self.sequences.count]
      case 1: bytes.append(0)
      case 2, 3: bytes.append(UInt8(0x20 + (word >> 8 & 0x3F)))
      default: bytes.append(UInt8(truncatingIfNeeded: word >> 8))
      }
    }
    return bytes
  }

  /// A short text with letters from everywhere.
  mutating func awkwardText(below limit: Int) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<below(limit) {
      let word = next()
      switch word & 3 {
      case 0: text.append(Self.scalars[Int(word >> 8 & 0xFF) % Self.scalars.count])
      case 1, 2: text.append(Unicode.Scalar(UInt8(truncatingIfNeeded: word >> 8)))
      default: text.append(Unicode.Scalar(UInt32(word >> 8 & 0x1F_FFFF)) ?? "\u{10FFFF}")
      }
    }
    return String(text)
  }

  private static let sequences: [[UInt8]] = [
    [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0xFF, 0xFE, 0, 0], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
    [0xED, 0xA0], [0xC0, 0x80], [0xC3, 0xA9], [0xE2, 0x9C], [0x0D, 0x0A], [0x1B, 0x25, 0x47], [0x1B, 0x25, 0x40],
    Array("<a href=".utf8), Array("<!--".utf8), Array("-->".utf8), Array("&#x".utf8), Array("&amp;".utf8),
    Array("<pre>".utf8), Array("</script".utf8), Array("<script>".utf8), Array("file://".utf8), Array("%00".utf8),
    Array("%2F".utf8), Array("http://".utf8), Array("\"'".utf8), Array("rgb(".utf8), Array("#ff".utf8),
    Array("copy\n".utf8), Array("Version:<StartHTML:".utf8), [0, 0, 0], [0x61, 0, 0, 0],
  ]

  private static let scalars: [Unicode.Scalar] = [
    "\0", "\n", "\r", "\t", " ", "\u{1B}", "\u{7F}", "\u{80}", "\u{9B}", "é", "Ã", "©", "ÿ", "þ", "ï", "»", "¿",
    "\u{FEFF}",
    "\u{FFFE}", "\u{FFFF}", "€", "日", "한", "م", "Ж", "\u{301}", "\u{3000}", "😀", "\u{10FFFF}", "<", "&", ">", "\"", "a",
    "\u{2028}", "\u{85}", "\u{D7FF}", "\u{E000}", "Ā",
  ]
}
