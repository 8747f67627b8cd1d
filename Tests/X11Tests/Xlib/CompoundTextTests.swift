import TestSupport
import Testing

@testable import XDnD

/// The tests run in the C locale: nothing here calls `setlocale`.
@Suite("Compound text of Xlib", .requiresXvfb, .timeLimit(.minutes(1)))
struct CompoundTextTests {
  @Test func `text in all scripts is read as this library writes it`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      for text in [
        "", "plain", "café ÿ", "Ελληνικά", "Привет", "한글", "日本語 😀", "中文简体", "مرحبا", "עברית", "żółć", "ไทย",
        "😀", "€✓", "a\nb\tc\n", "a\r\nb", "e\u{301}", "🏳️‍🌈", "mixed é Ж 日 한 😀 end",
      ] {
        let bytes = try #require(TextCodec.encode(text, as: "COMPOUND_TEXT"))
        let decoded = try #require(us.text(fromCompoundText: bytes))
        #expect(decoded.unicodeScalars.elementsEqual(text.unicodeScalars), "\(text)")
      }
    }
  }

  @Test func `what other owners write is read`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      let rows: [([UInt8], String)] = [
        ([0x63, 0x61, 0x66, 0xE9], "café"),  // Latin-1 is where compound text begins.
        ([0x1B, 0x2D, 0x41, 0xE9], "é"),  // ISO-8859-1 designated, as Motif does.
        ([0x1B, 0x2D, 0x42, 0xB3], "ł"),  // ISO-8859-2
        ([0x1B, 0x2D, 0x4C, 0xBF, 0xE0], "Пр"),  // ISO-8859-5, GTK 2 and 3 in Russian locales
        ([0x1B, 0x2D, 0x46, 0xE1, 0xE2], "αβ"),  // ISO-8859-7
        ([0x1B, 0x2D, 0x47, 0xE5], "م"),  // ISO-8859-6
        ([0x1B, 0x2D, 0x62, 0xA4], "€"),  // ISO-8859-15
        ([0x1B, 0x24, 0x28, 0x42, 0x46, 0x7C, 0x4B, 0x5C], "日本"),  // JIS X 0208 in GL, Emacs and Java
        ([0x1B, 0x24, 0x29, 0x42, 0xC6, 0xFC], "日"),  // JIS X 0208 in GR
        ([0x1B, 0x24, 0x28, 0x43, 0x47, 0x51], "한"),  // KS C 5601
        ([0x1B, 0x25, 0x47, 0xF0, 0x9F, 0x98, 0x80, 0x1B, 0x25, 0x40], "😀"),  // UTF-8, Xlib itself
        ([0x61, 0x00, 0x62], "a\0b"),  // A list of two.
      ]
      for (bytes, text) in rows { #expect(us.text(fromCompoundText: bytes) == text, "\(bytes)") }
    }
  }

  @Test func `any bytes are survived`() async throws {
    try await XServer.with { server in
      let us = try XlibConnection(server)
      #expect(us.text(fromCompoundText: [0x1B, 0x25, 0x47, 0xFF]) == nil)
      var random = SplitMix64(seed: 5)
      for _ in 0..<20_000 {
        let bytes = (0..<random.below(12)).map { _ in
          random.oneIn(3)
            ? random.pick([0x1B, 0x24, 0x25, 0x28, 0x29, 0x2D, 0x2F, 0x47, 0x9B]) : UInt8(random.below(256))
        }
        _ = us.text(fromCompoundText: bytes)
      }
      #expect(us.text(fromCompoundText: Array("still here".utf8)) == "still here")
    }
  }
}
