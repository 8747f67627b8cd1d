import Testing
import TestSupport

@testable import XDnD

@Suite("Names of atoms")
struct AtomNameTests {
  @Test(arguments: ["text/plain", "größer", "", "a\0b", "\u{FFFD}", "\u{FFFD}E9", "x\u{FFFD}"])
  func `a name in UTF-8 is the same bytes again`(text: String) {
    let bytes = Array(text.utf8)
    #expect(AtomName(bytes: bytes).bytes == bytes)
  }

  @Test func `names that are not UTF-8 stay different, and are the same bytes again`() {
    var random = SplitMix64(seed: 28)
    var names: [AtomName: [UInt8]] = [:]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
        [0x41, 0x45, 0x39, 0xE9, 0xEF, 0xBF, 0xBD, 0xC3, 0xA9].randomElement(using: &random) ?? 0 as UInt8
      }
      let name = AtomName(bytes: bytes)
      #expect(name.bytes == bytes)
      #expect(names.updateValue(bytes, forKey: name) ?? bytes == bytes)
    }
  }

  @Test(.computing) func `the longest name that is not UTF-8 takes no more time for each byte than a short one`() {
    func name(of count: Int) { _ = AtomName(bytes: [UInt8](repeating: 0xFF, count: count)) }
    let count = AtomName.maximumByteCount / WorkGrowth.factor
    #expect(WorkGrowth.ratio({ name(of: count) }, { name(of: WorkGrowth.factor * count) }) < WorkGrowth.limit)
  }

  @Test func `of a name that is not UTF-8, only the bytes that are not are escaped, and the escape itself`() {
    #expect(AtomName(bytes: [0x61, 0xE9, 0xC3, 0xA9]).rawValue == "a\u{FFFD}E9é")
    #expect(AtomName(bytes: Array("a\u{FFFD}".utf8)).rawValue == "a\u{FFFD}EF\u{FFFD}BF\u{FFFD}BD")
  }

  @Test func `no atom has a name that is too long, or one with a NUL`() {
    #expect(AtomName(String(repeating: "x", count: 65_535)).isValid)
    #expect(!AtomName(String(repeating: "x", count: 65_536)).isValid)
    #expect(!AtomName("XdndPosition\0x").isValid)
  }
}
