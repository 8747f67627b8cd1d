extension JSONValue {
  /// Parses exactly one JSON value as RFC 8259 defines it, in UTF-8 and without a byte order mark. White space may
  /// surround the value.
  ///
  /// - Parameters:
  ///   - text: The whole text.
  ///   - depth: The maximum nesting of lists and objects. Without a limit, nested brackets could overflow the stack.
  /// - Throws: `JSONError` if the text is not JSON.
  public init(json text: some Collection<UInt8>, depth: Int = 128) throws(JSONError) {
    var reader = JSONReader(Array(text), depth: depth)
    self = try reader.document()
  }

  /// Parses exactly one JSON value as RFC 8259 defines it, nested at most 128 deep. Throws `JSONError` if the text is
  /// not JSON.
  public init(json text: String) throws(JSONError) { try self.init(json: text.utf8) }
}

/// A recursive descent parser for JSON.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var depth: Int

  init(_ bytes: [UInt8], depth: Int) {
    self.bytes = bytes
    self.depth = depth
  }

  mutating func document() throws(JSONError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard position == bytes.count else { throw error("there is more after the value") }
    return value
  }

  private func error(_ reason: String, at offset: Int? = nil) -> JSONError {
    JSONError(reason, at: offset ?? position, in: bytes)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): return .object(try elements(until: "}") { reader throws(JSONError) in try reader.member() })
    case UInt8(ascii: "["): return .list(try elements(until: "]") { reader throws(JSONError) in try reader.value() })
    case UInt8(ascii: "\""): return .string(try string())
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try number()
    case nil: throw error("the text ends where a value is expected")
    default:
      for (word, value) in [("true", JSONValue.boolean(true)), ("false", .boolean(false)), ("null", .null)]
      where bytes[position...].starts(with: word.utf8) {
        position += word.utf8.count
        return value
      }
      throw error("a value is expected")
    }
  }

  /// Parses elements separated by commas, from the opening bracket to the closing one.
  private mutating func elements<Element>(
    until end: Unicode.Scalar, _ element: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    guard depth > 0 else { throw error("too many lists and objects within each other") }
    depth -= 1
    position += 1
    var elements: [Element] = []
    skipSpace()
    if !take(end) {
      repeat {
        skipSpace()
        elements.append(try element(&self))
        skipSpace()
      } while take(",")
      guard take(end) else { throw error("a comma or \(end) is expected") }
    }
    depth += 1
    return elements
  }

  private mutating func member() throws(JSONError) -> (String, JSONValue) {
    guard next == UInt8(ascii: "\"") else { throw error("the name of a member is expected, in quotation marks") }
    let name = try string()
    skipSpace()
    guard take(":") else { throw error("a colon is expected") }
    skipSpace()
    return (name, try value())
  }

  // MARK: Numbers

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    let isNegative = take("-")
    guard take("0") || skipDigits() else { throw error("a digit is expected") }
    if let byte = next, Self.isDigit(byte) { throw error("a number does not begin with 0", at: start) }
    var isInteger = true
    if take(".") {
      isInteger = false
      guard skipDigits() else { throw error("a digit is expected after the point") }
    }
    if take("e") || take("E") {
      isInteger = false
      _ = take("+") || take("-")
      guard skipDigits() else { throw error("a digit is expected in the exponent") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // No integer represents -0.
    if isInteger, let integer = Int(text), !(isNegative && integer == 0) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw error("the number is too large", at: start) }
    return .number(number)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private mutating func skipDigits() -> Bool {
    let start = position
    while let byte = next, Self.isDigit(byte) { position += 1 }
    return position > start
  }

  // MARK: Strings

  private mutating func string() throws(JSONError) -> String {
    let start = position
    position += 1
    var result = ""
    while true {
      // Bytes without escapes are copied as a run.
      let plain = position
      while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
      if position > plain {
        guard let text = String(validating: bytes[plain..<position], as: UTF8.self) else {
          throw error("the string is not UTF-8", at: plain)
        }
        // `UnicodeScalarView.append(contentsOf:)` would copy the string each time.
        result += text
      }
      if take("\"") { return result }
      guard take("\\") else {
        throw next == nil
          ? error("the string that begins here does not end", at: start)
          : error("a control character has to be written as \\u and four digits")
      }
      result.unicodeScalars.append(try escape())
    }
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = position - 1
    guard let byte = next else { throw error("the text ends within a string") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw error("there is no such escape", at: start)
    }
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Half of a surrogate pair is not a Unicode scalar value, so a string cannot hold it.
    guard first < 0xDC00, take("\\"), take("u") else { throw error("half of a surrogate pair", at: start) }
    let second = try fourDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("half of a surrogate pair", at: start) }
    return scalar
  }

  private mutating func fourDigits() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, byte < 0x80, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw error("four hexadecimal digits are expected after \\u") }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}

/// A syntax error in JSON text, with its location.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, as a phrase without a full stop.
  public let reason: String
  /// The number of bytes before the error.
  public let offset: Int
  /// The line of the error, from 1.
  public let line: Int

  init(_ reason: String, at offset: Int, in bytes: some Sequence<UInt8>) {
    self.reason = reason
    self.offset = offset
    line = 1 + bytes.prefix(offset).count { $0 == 0x0A }
  }

  /// The error as a message, such as `line 1, byte 17: a comma or ] is expected`. Bytes are counted from 0 and from the
  /// beginning of the text.
  public var description: String { "line \(line), byte \(offset): \(reason)" }
}
