import XDnDJSONText
import TestSupport
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
  @Test func `each value has one form`() {
    #expect(JSONValue.null.json == "null")
    #expect(JSONValue.integer(.min).json == "-9223372036854775808")
    #expect(JSONValue.number(0.1).json == "0.1")
    #expect(JSONValue.number(.infinity).json == "null" && JSONValue.number(.nan).json == "null")
    #expect(JSONValue.object([]).json == "{}" && JSONValue.list([]).json == "[]")
    #expect(JSONValue.object([("b", .list([1, true, .null])), ("a", "x")]).json == #"{"b":[1,true,null],"a":"x"}"#)
    #expect(JSONValue.members(["a": 1, "b": nil, "c": .null]).json == #"{"a":1,"c":null}"#)
    #expect(JSONValue.strings(["a", "b"]).json == #"["a","b"]"#)
  }

  @Test func `what would break a string or a line is escaped, and nothing else`() {
    #expect(JSONValue.string("\"\\/\n\r\t").json == #""\"\\/\n\r\t""#)
    #expect(JSONValue.string("\u{0}\u{1B}\u{7F}\u{2028}\u{2029}").json == #""\u0000\u001b\u007f\u2028\u2029""#)
    #expect(JSONValue.string("é😀한").json == "\"é😀한\"")
    // One character of two scalars stays two.
    #expect(JSONValue.string("e\u{301}\r\n").json.unicodeScalars.count == 8)
  }

  @Test func `any value is read back as it was`() throws {
    var random = SplitMix64(seed: 8259)
    for _ in 0..<QuickTests.cases(of: 3000) {
      let value = Self.value(depth: 4, &random)
      let text = value.json
      #expect(try JSONValue(json: text) == value, "\(text)")
      #expect(!text.contains("\n"))
    }
  }

  private static func value(depth: Int, _ random: inout SplitMix64) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .integer(Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0..<63, using: &random))
    case 3:
      let number = Double(bitPattern: random.next())
      return .number(number.isFinite ? number : 0.5)
    case 4: return .string(string(&random))
    case 5: return .list((0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth - 1, &random) })
    default:
      return .object(
        (0..<Int.random(in: 0..<5, using: &random)).map { _ in (string(&random), value(depth: depth - 1, &random)) })
    }
  }

  private static func string(_ random: inout SplitMix64) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      let limit: UInt32 = [0x20, 0x80, 0x800, 0x3000, 0x110000].randomElement(using: &random) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) { scalars.append(scalar) }
    }
    return String(scalars)
  }
}
