import TestSupport
import Testing

@testable import XDnD

@Suite("Names of files")
struct FileNameTests {
  private func sanitized(_ name: String) -> String? { FileName.sanitized(Array(name.utf8)) }

  @Test(arguments: [
    ("note.txt", "note.txt"), ("../../x", "x"), ("a/b", "b"), ("/etc/passwd", "passwd"), ("dir/", "dir"),
    ("  a  \t b.txt \n", "a b.txt"), ("a\0b", "ab"), (".bashrc", "bashrc"), ("...hidden", "hidden"),
    ("\u{1B}[31mred", "[31mred"),
    ("photo\u{202E}gpj.exe", "photogpj.exe"), ("a\u{2028}b", "a b"), ("\u{FEFF}a", "a"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ("👩\u{200D}👩\u{200D}👧.png", "👩\u{200D}👩\u{200D}👧.png"), ("a\\b", "a\\b"), ("x .txt", "x.txt"), ("-rf", "-rf"),
  ])
  func `a suggestion is made harmless`(suggestion: String, name: String) {
    #expect(sanitized(suggestion) == name)
  }

  @Test(arguments: [
    "", "/", ".", "..", "a/..", "a/.", " ", "\n", "\0", "....", "\u{200B}", "\u{202E}", "\u{200D}", "\u{3164}", "///",
    ". .",
  ])
  func `what has nothing to see is no name`(suggestion: String) {
    #expect(sanitized(suggestion) == nil)
  }

  @Test func `bytes that are not UTF-8 are Latin-1`() {
    #expect(FileName.sanitized([0x63, 0x61, 0x66, 0xE9]) == "café")
    #expect(FileName.sanitized([0x85, 0x9B, 0x61, 0xFF]) == "aÿ")
  }

  @Test func `a name that is too long keeps its extension, and whole letters`() throws {
    let long = try #require(sanitized(String(repeating: "x", count: 10_000) + ".tar.gz"))
    #expect(long.utf8.count == 255 && long.hasSuffix("x.tar.gz"))
    let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦"
    let families = try #require(sanitized(String(repeating: family, count: 50) + ".png"))
    #expect(families == String(repeating: family, count: 251 / family.utf8.count) + ".png")
    let hangul = try #require(sanitized(String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 100)))
    #expect(hangul.utf8.count == 252)
    // One letter that is longer than a name cannot be cut.
    #expect(sanitized("e" + String(repeating: "\u{301}", count: 200) + ".txt") == nil)
  }

  @Test(arguments: [
    ("note.txt", 1, "note.txt"), ("note.txt", 2, "note 2.txt"), ("a.tar.gz", 2, "a 2.tar.gz"),
    ("README", 3, "README 3"),
    ("Version 1.5", 2, "Version 1.5 2"), ("note 2.txt", 2, "note 2 2.txt"), (".profile", 2, ".profile 2"),
    ("a.", 2, "a. 2"), ("a.b c", 2, "a.b c 2"), ("x.TAR.XZ", 12, "x 12.TAR.XZ"), ("note.txt", 0, "note.txt"),
    ("", 2, "2"),
  ])
  func `a number stands before the extension`(name: String, number: Int, expected: String) {
    #expect(FileName.numbered(name, number) == expected)
  }

  @Test func `a number that was cut off comes not back as the same name`() {
    let full = String(repeating: "x", count: 253) + " 2"
    #expect(FileName.numbered(full, 2) == String(repeating: "x", count: 252) + " 2")
    #expect(FileName.numbered(full, .max).utf8.count == 255)
  }

  @Test(arguments: 200...260)
  func `a name that was cut is a safe name, also if it ends in an extension now`(length: Int) throws {
    let long = String(repeating: "x", count: length) + " \u{AD} .hA" + String(repeating: "ä", count: 30)
    let name = try #require(FileName.sanitized(Array(long.utf8)))
    #expect(name.utf8.count <= 255)
    #expect(FileName.sanitized(Array(name.utf8)) == name)
  }

  @Test func `an extension that is added may make an archive's of the one before`() {
    let name = Clipping.name(for: .plainText, suggestedName: "a .tar", fallbackName: "x", database: .builtIn)
    #expect(FileName.sanitized(Array(name.utf8)) == name)
  }

  @Test(.computing, .exhaustive) func `whatever is suggested, the name is one, and numbered ones differ`() {
    var random = SplitMix64(seed: 1000)
    var (names, none, long) = (0, 0, 0)
    for _ in 0..<CodecEffort.fileNames {
      var bytes = random.awkwardBytes(below: 24)
      if random.oneIn(2) { bytes = Array(random.awkwardText(below: 20).utf8) }
      if random.oneIn(20) { bytes = (0..<random.below(40)).flatMap { _ in bytes } }
      if random.oneIn(2) { bytes += random.pick([".txt", ".tar.gz", "/..", "/.", "/", " 2", ".", "."]).utf8 }
      guard let name = FileName.sanitized(bytes) else {
        none += 1
        continue
      }
      names += 1
      if name.utf8.count > 240 { long += 1 }
      var seen: Set<[UInt8]> = []
      for number in [1, 2, 3, 12, 22, 1002] {
        let numbered = FileName.numbered(name, number)
        if !isName(numbered) || !seen.insert(Array(numbered.utf8)).inserted {
          Issue.record("\(bytes): \(number), \(numbered.debugDescription)")
        }
      }
      if FileName.sanitized(Array(name.utf8)) != name {
        Issue.record("\(bytes): \(name.debugDescription) is not final")
      }
    }
    #expect(names > 1000 && none > 1000 && long > 100)
  }

  @Test(.computing) func `letters are not cut apart`() {
    var random = SplitMix64(seed: 1100)
    let letters = [
      "e\u{301}", "👩\u{200D}👩\u{200D}👧", "🇩🇪", "\u{1112}\u{1161}\u{11AB}", "لا", "ก็", "क्ष", "a", "👍🏽", "日",
      "z\u{335}\u{336}\u{337}\u{338}",
    ]
    for _ in 0..<QuickTests.cases(of: CodecEffort.fileNames / 100) {
      let text = (0..<100 + random.below(60)).map { _ in random.pick(letters) }.joined()
      let whole = Array(text)
      for name in [
        FileName.sanitized(Array((text + ".txt").utf8)).map { String($0.dropLast(4)) },
        FileName.numbered(text, 7).hasSuffix(" 7") ? String(FileName.numbered(text, 7).dropLast(2)) : nil,
        ClippingName.words(of: text),
      ] {
        guard let name else {
          Issue.record("\(text)")
          continue
        }
        if Array(name) != Array(whole.prefix(name.count)) { Issue.record("\(text): \(name)") }
      }
    }
  }
}

/// What each name of a file has to be.
func isName(_ name: String) -> Bool {
  !name.isEmpty && name.utf8.count <= 255 && !name.utf8.contains(0) && !name.utf8.contains(0x2F)
    && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F } && name != "." && name != ".."
    && String(validating: Array(name.utf8), as: UTF8.self) != nil
}
