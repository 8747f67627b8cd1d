import Testing

@testable import xdnd_probe

@Suite("What a command has written, for display")
struct OutputTailTests {
  private func text(_ parts: [UInt8]...) -> String {
    var tail = OutputTail()
    for part in parts { tail.append(part) }
    return tail.text
  }

  @Test func `lines stay lines, and control characters are shown as what they are`() {
    #expect(text(Array("one\ntwo\t3\n".utf8)) == "one\ntwo\t3\n")
    #expect(text(Array("\u{1B}[31mred\r\u{7}".utf8)) == #"\u{1B}[31mred\r\u{7}"#)
    #expect(text([0x61, 0xFF, 0x62]) == #"a\xFFb"#)
  }

  @Test func `a character that arrives in two parts is one`() {
    #expect(text([0xC3], [0xA9]) == "é")
  }

  @Test func `of a long output the last whole lines are kept`() {
    let lines = (0..<20_000).map { "line \($0)\n" }
    let shown = text(Array(lines.joined().utf8))
    #expect(shown.utf8.count <= OutputTail.limit)
    #expect(shown.hasSuffix("line 19999\n"))
    #expect(lines.contains(String(shown.prefix { $0 != "\n" }) + "\n"))
  }

  @Test func `a line without an end is cut between characters`() {
    let shown = text(Array(String(repeating: "é", count: OutputTail.limit).utf8), [0x62])
    #expect(Set(shown) == ["é", "b"])
    #expect(shown.utf8.count == OutputTail.limit - 1)
  }

  @Test func `the time that a command has taken is told roughly`() {
    #expect(CommandRunner.words(for: .milliseconds(240)) == "0.2 s")
    #expect(CommandRunner.words(for: .milliseconds(9990)) == "9.9 s")
    #expect(CommandRunner.words(for: .milliseconds(12_900)) == "12 s")
    #expect(CommandRunner.words(for: .seconds(125)) == "2 min 5 s")
  }
}
