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

  /// - Parameter reason: Why the line is no part of a recording, as a phrase.
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
