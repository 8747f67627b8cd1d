import XDnDJSONText
import XDnD

/// Typed access to the members of a JSON object in a line of a recording.
struct Fields {
  private let value: JSONValue
  private let line: Int

  init(_ value: JSONValue, line: Int) throws(RecordingError) {
    self.value = value
    self.line = line
    guard case .object = value else { throw error("expected an object") }
  }

  /// - Parameter reason: Why the line is not part of a recording, as a phrase.
  func error(_ reason: String) -> RecordingError { RecordingError(line: line, reason: reason) }

  /// The member's value; `nil` if it is missing or `null`.
  subscript(name: String) -> JSONValue? {
    if case .null? = value[name] { nil } else { value[name] }
  }

  private func required<Value>(_ name: String, _ kind: String, _ read: (JSONValue) -> Value?) throws(RecordingError)
    -> Value
  {
    guard let member = self[name] else { throw error("\"\(name)\" is missing") }
    guard let result = read(member) else { throw error("\"\(name)\" must be \(kind)") }
    return result
  }

  private func optional<Value>(_ name: String, _ kind: String, _ read: (JSONValue) -> Value?) throws(RecordingError)
    -> Value?
  {
    self[name] == nil ? nil : try required(name, kind, read)
  }

  /// The members of an object; `nil` if it is missing.
  func object(_ name: String) throws(RecordingError) -> Fields? {
    guard let member = self[name] else { return nil }
    return try Fields(member, line: line)
  }

  func integer(_ name: String) throws(RecordingError) -> Int { try required(name, "a whole number", \.integer) }

  func integer(_ name: String, in range: ClosedRange<Int>) throws(RecordingError) -> Int {
    let value = try integer(name)
    guard range.contains(value) else { throw error("\"\(name)\" is \(value)") }
    return value
  }

  func optionalInteger(_ name: String) throws(RecordingError) -> Int? {
    try optional(name, "a whole number", \.integer)
  }

  func optionalString(_ name: String) throws(RecordingError) -> String? { try optional(name, "a string", \.string) }

  func optionalBoolean(_ name: String) throws(RecordingError) -> Bool? {
    try optional(name, "true or false", \.boolean)
  }

  func name(_ name: String) throws(RecordingError) -> AtomName { try required(name, "a name", Self.name) }

  func optionalName(_ name: String) throws(RecordingError) -> AtomName? { try optional(name, "a name", Self.name) }

  func window(_ name: String) throws(RecordingError) -> WindowID {
    WindowID(rawValue: try required(name, Self.number, Self.word))
  }

  func optionalWindow(_ name: String) throws(RecordingError) -> WindowID? {
    try optional(name, Self.number, Self.word).map(WindowID.init(rawValue:))
  }

  func timestamp(_ name: String) throws(RecordingError) -> Timestamp {
    Timestamp(rawValue: try required(name, "a number of 32 bits") { $0.integer.flatMap(UInt32.init(exactly:)) })
  }

  func words(_ name: String) throws(RecordingError) -> [UInt32]? {
    try optional(name, "a list of numbers like \"0x2a00001\"") { value in
      guard let list = value.list else { return nil }
      let words = list.compactMap(Self.word)
      return words.count == list.count ? words : nil
    }
  }

  /// A list of names; `null` elements become `nil`. Empty if the member is missing.
  func names(_ name: String) throws(RecordingError) -> [AtomName?] {
    try optional(name, "a list of names") { value -> [AtomName?]? in
      guard let list = value.list else { return nil }
      let names = list.map(Self.name)
      return zip(list, names).allSatisfy { $1 != nil || $0 == .null } ? names : nil
    } ?? []
  }

  /// One of the raw values of an enumeration.
  func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) throws(RecordingError) -> Word {
    try required(name, Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")) {
      $0.string.flatMap(Word.init)
    }
  }

  private static let number = "a number like \"0x2a00001\""

  private static func name(_ value: JSONValue) -> AtomName? { value.string.map(AtomName.init(rawValue:)) }

  private static func word(_ value: JSONValue) -> UInt32? { value.string.flatMap(Hexadecimal.number) }
}

/// 32-bit numbers as text like `0x2a00001`.
package enum Hexadecimal {
  package static func text(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }

  static func number(_ text: String) -> UInt32? {
    guard text.hasPrefix("0x"), let first = text.utf8.dropFirst(2).first, first != UInt8(ascii: "+") else { return nil }
    return UInt32(text.dropFirst(2), radix: 16)
  }
}

extension AtomName? {
  /// The name, or `None`, as X calls the absence of an atom.
  package var orNone: String { self?.rawValue ?? "None" }
}

/// Base64 as in RFC 4648, section 4: with padding and without line ends.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values = {
    var values = [UInt8?](repeating: nil, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in part { bits = bits << 8 | UInt32(byte) }
      bits <<= 8 * UInt32(3 - part.count)
      for place in 0..<4 {
        text.append(place <= part.count ? digits[Int(bits >> (18 - 6 * UInt32(place)) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes base64; `nil` for text that ``text(_:)`` would not write.
  static func bytes(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    for (index, digit) in text.dropLast(padding).enumerated() {
      guard let value = values[Int(digit)] else { return nil }
      bits = bits << 6 | UInt32(value)
      if index % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * UInt32(index % 4)))) }
    }
    // The unused bits must be zero: otherwise, two texts would decode to the same bytes.
    let rest = UInt32(2 * padding)
    guard padding < 3, bits & ((1 << rest) - 1) == 0 else { return nil }
    return bytes
  }
}
