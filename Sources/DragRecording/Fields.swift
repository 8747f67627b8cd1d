import JSONText
import XDnD

/// The reason why a line is no part of a recording, as a phrase for a message.
struct FieldError: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// Typed access to the members of a JSON object.
struct Fields {
  private let value: JSONValue

  init(_ value: JSONValue) throws(FieldError) {
    guard case .object = value else { throw FieldError("expected an object") }
    self.value = value
  }

  /// The member's value; `nil` if it is missing or `null`.
  subscript(name: String) -> JSONValue? {
    if case .null? = value[name] { nil } else { value[name] }
  }

  private func required<Value>(_ name: String, _ kind: String, _ read: (JSONValue) -> Value?) throws(FieldError)
    -> Value
  {
    guard let member = self[name] else { throw FieldError("\"\(name)\" is missing") }
    guard let result = read(member) else { throw FieldError("\"\(name)\" must be \(kind)") }
    return result
  }

  private func optional<Value>(_ name: String, _ kind: String, _ read: (JSONValue) -> Value?) throws(FieldError)
    -> Value?
  {
    self[name] == nil ? nil : try required(name, kind, read)
  }

  func integer(_ name: String) throws(FieldError) -> Int { try required(name, "a whole number", \.integer) }

  func optionalInteger(_ name: String) throws(FieldError) -> Int? { try optional(name, "a whole number", \.integer) }

  func optionalString(_ name: String) throws(FieldError) -> String? { try optional(name, "a string", \.string) }

  func optionalBoolean(_ name: String) throws(FieldError) -> Bool? {
    try optional(name, "true or false", \.boolean)
  }

  func name(_ name: String) throws(FieldError) -> AtomName { try required(name, "a name", Self.name) }

  func optionalName(_ name: String) throws(FieldError) -> AtomName? { try optional(name, "a name", Self.name) }

  func window(_ name: String) throws(FieldError) -> WindowID {
    WindowID(rawValue: try required(name, Self.number, Self.word))
  }

  func optionalWindow(_ name: String) throws(FieldError) -> WindowID? {
    try optional(name, Self.number, Self.word).map(WindowID.init(rawValue:))
  }

  func timestamp(_ name: String) throws(FieldError) -> Timestamp {
    Timestamp(rawValue: try required(name, "a number of 32 bits") { $0.integer.flatMap(UInt32.init(exactly:)) })
  }

  func words(_ name: String) throws(FieldError) -> [UInt32]? {
    try optional(name, "a list of numbers like \"0x2a00001\"") { value in
      guard let list = value.list else { return nil }
      let words = list.compactMap(Self.word)
      return words.count == list.count ? words : nil
    }
  }

  /// A list of names; `null` elements become `nil`. Empty if the member is missing.
  func names(_ name: String) throws(FieldError) -> [AtomName?] {
    try optional(name, "a list of names") { value -> [AtomName?]? in
      guard let list = value.list else { return nil }
      let names = list.map(Self.name)
      return zip(list, names).allSatisfy { $1 != nil || $0 == .null } ? names : nil
    } ?? []
  }

  /// One of the raw values of an enumeration.
  func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String) throws(FieldError) -> Word {
    try required(name, Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")) {
      $0.string.flatMap(Word.init)
    }
  }

  private static let number = "a number like \"0x2a00001\""

  private static func name(_ value: JSONValue) -> AtomName? { value.string.map(AtomName.init(rawValue:)) }

  private static func word(_ value: JSONValue) -> UInt32? { value.string.flatMap(Hexadecimal.number) }
}
