import XDnDLoadedLibraries
import Foundation
import Testing

@testable import XDnDToolWindow

/// Text that is laid out, whoever it is from.
@Suite struct LabelTests {
  private static let stack = "a" + String(repeating: "\u{301}", count: 60_000)

  @Test(arguments: [
    (TextRenderer.Font.title, "Sans"), (.body, "Sans"), (.small, "Sans"), (.monospaced, "Monospace"),
  ])
  func `the family of a font is that which was asked for`(_ font: TextRenderer.Font, _ family: String) throws {
    let text = try #require(TextRenderer())
    let description = text.select("x", font: font).description
    #expect(pango_font_description_get_family(description).map { String(cString: $0) } == family)
  }

  @Test func `no function is declared that keeps a pointer into a string of ours`() throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    for header in ["functions.h", "pixbuf.h"] {
      let text = try String(
        contentsOf: package.appendingPathComponent("Sources/CLoadedLibraries/Drawing/\(header)"), encoding: .utf8)
      let names = text.matches(of: /FUNCTION\([^,]*, (\w+)/).map { String($0.1) }
      #expect(!names.isEmpty)
      let keeping = names.filter { $0.contains(/_(static|nocopy|take|steal)(_|$)/) }
      #expect(keeping == [])
    }
  }

  @Test(
    arguments: [
      "holiday 2019 at the sea.png", "copy; asks to choose, would copy", "ملف جديد جدا للاختبار", "한글 파일 이름이 깁니다",
      "abcdefghijklmnopqrst",
    ], [70.0, 77, 90])
  func `a text that is too long fills its room, and no gap stands beside the ellipsis`(
    _ string: String, _ room: Double
  ) throws {
    let text = try #require(TextRenderer())
    try #require(text.width(of: string, font: .body) > room)
    for ellipsis in [TextRenderer.Ellipsis.middle, .end] {
      let short = text.shortened(string, font: .body, width: room, ellipsis)
      #expect(text.width(of: short, font: .body) <= room)
      let parts = short.split(separator: "…", omittingEmptySubsequences: false)
      try #require(parts.count == 2)
      #expect(string.hasPrefix(parts[0]) && string.hasSuffix(parts[1]))
      #expect(parts[0].last?.isWhitespace != true && parts[1].first?.isWhitespace != true)
      #expect(parts[1].isEmpty == (ellipsis == .end))
      // A letter and a space more would be too wide.
      #expect(text.width(of: short, font: .body) > room - 3 * TextRenderer.Font.body.rawValue)
    }
    #expect(text.shortened(string, font: .body, width: 1, .middle) == "…")
  }

  @Test(arguments: [
    "copy; asks to choose, would copy", "over the window, at 110, 60",
    "cannot write photo.png: disk full: 3.2 GB short",
    "ملف جديد جدا للاختبار",
  ])
  func `a text in lines keeps its words, and no line is wider than the room`(_ string: String) throws {
    let text = try #require(TextRenderer())
    let widest = try #require(string.split(separator: " ").map { text.width(of: "\($0)…", font: .small) }.max())
    for room in [widest, 2 * widest] {
      let lines = text.lines(of: string, font: .small, width: room, limit: 20)
      #expect(lines.joined(separator: " ") == string)
      #expect(lines.allSatisfy { text.width(of: $0, font: .small) <= room })
      for limit in 1..<lines.count {
        let few = text.lines(of: string, font: .small, width: room, limit: limit)
        #expect(few.count == limit)
        #expect(few.dropLast() == lines.prefix(limit - 1))
        let last = try #require(few.last)
        #expect(last.hasSuffix("…") && text.width(of: last, font: .small) <= room)
        // What is left out begins with a word.
        let head = (few.dropLast() + ["\(last.dropLast())"]).filter { !$0.isEmpty }.joined(separator: " ")
        #expect(string.hasPrefix(head) && string.dropFirst(head.count).first == " ")
      }
    }
  }

  @Test(arguments: [
    "dropped from xdnd-source onto it", "the rest takes 20 s or so", "moved to /usr/share at once",
    "saved in /tmp/see4-save now",
  ])
  func `a line of details never ends within a name, after a slash, or before a unit`(_ string: String) throws {
    let text = try #require(TextRenderer())
    let words = string.replacing("20 s", with: "20_s").split(separator: " ").map(String.init)
    for count in 1...words.count {
      let room = text.width(of: words.prefix(count).joined(separator: " "), font: .small) + 1
      guard words.allSatisfy({ text.width(of: $0, font: .small) <= room }) else { continue }
      let lines = text.lines(of: string, font: .small, width: room, limit: 20)
      #expect(lines.joined(separator: " ") == string)
      #expect(!lines.contains { $0.hasSuffix("-") || $0.hasSuffix("/") || $0.hasPrefix("s ") }, "\(lines)")
    }
  }

  @Test func `a word that is wider than the room goes on in the next line`() throws {
    let text = try #require(TextRenderer())
    let word = String(repeating: "abcdefghij", count: 20)
    let room = text.width(of: word, font: .body) / 3.5
    #expect(text.lines(of: word, font: .body, width: room, limit: 10).joined() == word)
    let few = text.lines(of: word, font: .body, width: room, limit: 2)
    #expect(few.count == 2 && few[1].hasSuffix("…") && text.width(of: few[1], font: .body) <= room)
    #expect(text.lines(of: "", font: .body, width: room, limit: 3) == [""])
    #expect(text.lines(of: word, font: .body, width: 0, limit: 3).count == 3)
  }

  @Test func `details are cut at their end, unless they name a path`() {
    #expect(TextRenderer.Ellipsis(ofDetails: "copy; asks to choose") == .end)
    #expect(TextRenderer.Ellipsis(ofDetails: "12 kB, text/plain") == .end)
    #expect(TextRenderer.Ellipsis(ofDetails: "/home/a/b") == .middle)
    #expect(TextRenderer.Ellipsis(ofDetails: "12 kB, /home/a/b") == .middle)
  }

  @Test func `a letter with very many marks is measured at once`() throws {
    let text = try #require(TextRenderer())
    let time = ContinuousClock().measure {
      _ = text.width(of: Self.stack, font: .body)
      _ = text.lines(of: Self.stack + Self.stack, font: .body, width: 300, limit: 3)
    }
    #expect(time < .seconds(2))
  }

  @Test(arguments: [LabelLimit.line, .title, .sentence, LabelLimit(scalarCount: 60)])
  func `a long text keeps both ends, and is no longer than its limit`(_ limit: LabelLimit) {
    let long = "begin" + String(repeating: "x", count: 10_000) + "end"
    let clipped = long.clipped(to: limit)
    #expect(clipped.unicodeScalars.count == limit.scalarCount)
    #expect(clipped.hasPrefix("begin") && clipped.hasSuffix("end") && clipped.contains("…"))
    let fitting = String(repeating: "x", count: limit.scalarCount)
    #expect(fitting.clipped(to: limit) == fitting)
    #expect(Self.stack.clipped(to: limit).unicodeScalars.count <= LabelLimit.markCount * 2 + 2)
  }

  @Test func `a text of several lines keeps its beginning`() {
    let long = String(repeating: "line\n", count: 5_000)
    let clipped = long.clipped(to: .text)
    #expect(clipped.unicodeScalars.count == LabelLimit.text.scalarCount)
    #expect(long.hasPrefix(clipped.dropLast()))
  }

  @Test(arguments: ["", "a", "e\u{301}", "กำ้", "👩‍👩‍👧‍👦", "שָׁלוֹם", "Việt Nam"])
  func `text of any language stays as it is`(_ text: String) {
    #expect(text.clipped(to: .line).unicodeScalars.elementsEqual(text.unicodeScalars))
  }
}
