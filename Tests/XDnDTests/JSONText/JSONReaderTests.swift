import XDnDJSONText
import TestSupport
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
  private static let good: [(String, JSONValue)] = [
    ("null", .null), ("true", true), ("false", false),
    ("0", 0), ("-1", -1), ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("-0", .number(-0.0)), ("1.5", .number(1.5)),
    ("1e3", .number(1000)), ("1E+3", .number(1000)), ("25e-1", .number(2.5)), ("0.0", .number(0)), ("0e0", .number(0)),
    (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\uD83D\uDE00""#, "😀"), (#""😀한글العربية""#, "😀한글العربية"),
    (#""\u0000""#, "\u{0}"), ("\"\u{7F}\"", "\u{7F}"), (#""\uFEFF""#, "\u{FEFF}"),
    ("[]", .list([])), ("[ ]", .list([])), ("[1,[2]]", .list([1, .list([2])])),
    (" \t\r\n[ 1 , \"x\" ] \n", .list([1, "x"])),
    ("{}", .object([])), (#"{"b":1,"a":{"c":[]}}"#, .object([("b", 1), ("a", .object([("c", .list([]))]))])),
    (#"{"a":1,"a":2}"#, .object([("a", 1), ("a", 2)])),
  ]

  @Test(arguments: good.indices)
  func `what the RFC allows is read`(index: Int) throws {
    let (text, value) = Self.good[index]
    #expect(try JSONValue(json: text) == value, "\(text)")
  }

  private static let bad: [(text: String, offset: Int, reason: String)] = [
    ("", 0, "the text ends where a value is expected"), ("  ", 2, "the text ends where a value is expected"),
    ("[1", 2, "a comma or ] is expected"), ("[1,", 3, "the text ends where a value is expected"),
    ("[1,]", 3, "a value is expected"), ("[,1]", 1, "a value is expected"), ("[1 2]", 3, "a comma or ] is expected"),
    ("{", 1, "the name of a member is expected, in quotation marks"),
    ("{a:1}", 1, "the name of a member is expected, in quotation marks"),
    ("{\"a\" 1}", 5, "a colon is expected"), ("{\"a\":}", 5, "a value is expected"),
    ("{\"a\":1,}", 7, "the name of a member is expected, in quotation marks"),
    ("{\"a\":1", 6, "a comma or } is expected"), ("1 2", 2, "there is more after the value"),
    ("nul", 0, "a value is expected"), ("NaN", 0, "a value is expected"), ("True", 0, "a value is expected"),
    ("truer", 4, "there is more after the value"), ("'a'", 0, "a value is expected"),
    ("01", 0, "a number does not begin with 0"), ("-01", 0, "a number does not begin with 0"),
    ("+1", 0, "a value is expected"), (".5", 0, "a value is expected"), ("-", 1, "a digit is expected"),
    ("1.", 2, "a digit is expected after the point"), ("1.e1", 2, "a digit is expected after the point"),
    ("1e", 2, "a digit is expected in the exponent"), ("1e+", 3, "a digit is expected in the exponent"),
    ("0x10", 1, "there is more after the value"), ("1e999", 0, "the number is too large"),
    ("\"a", 0, "the string that begins here does not end"), ("\"\\", 2, "the text ends within a string"),
    ("\"\\x\"", 1, "there is no such escape"), ("\"\\'\"", 1, "there is no such escape"),
    ("\"a\nb\"", 2, "a control character has to be written as \\u and four digits"),
    ("\"\\u12\"", 5, "four hexadecimal digits are expected after \\u"),
    ("\"\\u12g4\"", 5, "four hexadecimal digits are expected after \\u"),
    ("\"\\uD83D\"", 1, "half of a surrogate pair"), ("\"\\uDE00\\uD83D\"", 1, "half of a surrogate pair"),
    ("\"\\uD83Dx\"", 1, "half of a surrogate pair"), ("\"\\uD83D\\n\"", 1, "half of a surrogate pair"),
    ("\"\\uD83D\\u0041\"", 1, "half of a surrogate pair"),
    ("\u{FEFF}1", 0, "a value is expected"), ("\u{A0}1", 0, "a value is expected"),
    ("// a\n1", 0, "a value is expected"),
  ]

  @Test(arguments: bad.indices)
  func `what the RFC does not allow is refused, and where it is said`(index: Int) {
    let (text, offset, reason) = Self.bad[index]
    let error = #expect(throws: JSONError.self) { try JSONValue(json: text) }
    #expect(error?.offset == offset, "\(text)")
    #expect(error?.reason == reason, "\(text)")
  }

  @Test func `bytes that are no UTF-8 are refused`() {
    for bytes: [UInt8] in [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80]] {
      let error = #expect(throws: JSONError.self) { try JSONValue(json: [0x22, 0x61] + bytes + [0x22]) }
      #expect(error?.reason == "the string is not UTF-8", "\(bytes)")
      #expect(throws: JSONError.self) { try JSONValue(json: bytes) }
    }
  }

  @Test func `an error names its line and its byte`() {
    let error = #expect(throws: JSONError.self) { try JSONValue(json: "{\n  \"a\": 1,\n  oh\n}") }
    #expect(error?.description == "line 3, byte 14: the name of a member is expected, in quotation marks")
  }

  @Test func `a text of brackets does not overflow the stack`() throws {
    let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    _ = try JSONValue(json: deep)
    let error = #expect(throws: JSONError.self) { try JSONValue(json: "[" + deep + "]") }
    #expect(error?.offset == 128)
    #expect(throws: JSONError.self) { try JSONValue(json: String(repeating: "{\"a\":", count: 1_000_000)) }
    // Beside each other there may be any number.
    #expect(
      try JSONValue(json: ("[" + String(repeating: "[],", count: 1000) + "[]]").utf8, depth: 2).list?.count == 1001)
  }

  @Test func `members are found by name, the last of two, and everything else is nil`() throws {
    let value = try JSONValue(json: #"{"a":1,"b":"x","c":[true],"d":1.5,"a":2}"#)
    #expect(value["a"]?.integer == 2)
    #expect(value["b"]?.string == "x")
    #expect(value["c"]?.list?.first?.boolean == true)
    #expect(value["d"]?.number == 1.5)
    #expect(value["a"]?.number == 2)
    #expect(value["e"] == nil && value["a"]?["a"] == nil && value["a"]?.string == nil && value["b"]?.number == nil)
    #expect(value["d"]?.integer == nil && value["b"]?.list == nil && value["b"]?.boolean == nil)
  }

  @Test func `no bytes make it trap, and what it takes is written so that it reads the same`() {
    var random = SplitMix64(seed: 20_261)
    let seeds = Self.good.map { Array($0.0.utf8) } + Self.bad.map { Array($0.text.utf8) }
    let alphabet = Array("{}[]\",:\\u0019deD8-+.ntrfalse \n\u{7F}é😀".utf8) + [0xFF, 0, 0xC0]
    for _ in 0..<QuickTests.cases(of: 20_000) {
      guard var text = seeds.randomElement(using: &random) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
        case 1 where place < text.count: text.remove(at: place)
        default: text.insert(contentsOf: seeds.randomElement(using: &random) ?? [], at: place)
        }
      }
      switch Result(catching: { () throws(JSONError) in try JSONValue(json: text) }) {
      case .success(let value): #expect((try? JSONValue(json: value.json)) == value)
      case .failure(let error): #expect((0...text.count).contains(error.offset))
      }
    }
  }

  @Test(.computing) func `a long string with escapes takes no more time for each byte than a short one`() {
    func read(lines count: Int) { _ = try? JSONValue(json: "\"" + String(repeating: "a\\n", count: count) + "\"") }
    let count = 1 << 16
    #expect(WorkGrowth.ratio({ read(lines: count) }, { read(lines: WorkGrowth.factor * count) }) < WorkGrowth.limit)
  }
}
