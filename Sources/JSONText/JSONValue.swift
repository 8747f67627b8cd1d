/// A JSON value. Objects keep the order of their members, which Foundation's `JSONSerialization` loses.
public indirect enum JSONValue: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  /// The literal `null`.
  case null
  /// A string.
  case string(String)
  /// A number without a fraction or an exponent that fits into `Int`, except -0.
  case integer(Int)
  /// Any other number. Infinity and NaN are written as `null`, because JSON cannot express them.
  case number(Double)
  /// The literal `true` or `false`.
  case boolean(Bool)
  /// An array.
  case list([JSONValue])
  /// An object, with its members in order. Names may repeat.
  case object([(String, JSONValue)])

  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Creates a list of strings.
  public static func strings(_ values: some Sequence<String>) -> JSONValue { .list(values.map { .string($0) }) }

  /// Creates an object and leaves out members whose value is `nil`.
  public static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }
}

extension JSONValue {
  /// The value of the last member with this name; `nil` if there is none or the value is not an object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.0 == name }?.1
  }

  /// The string; `nil` for other values.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The integer; `nil` for other values.
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The boolean; `nil` for other values.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The list's values; `nil` for other values.
  public var list: [JSONValue]? { if case .list(let values) = self { values } else { nil } }

  /// The integer or other number; `nil` for other values.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension JSONValue: Equatable {
  /// Whether both are equal. The order of members matters, and `.integer(1)` differs from `.number(1)`.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.string(let left), .string(let right)):
      // Scalars are compared, not characters: "é" can be one scalar or two.
      left.unicodeScalars.elementsEqual(right.unicodeScalars)
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)):
      left.elementsEqual(right) { $0.0.unicodeScalars.elementsEqual($1.0.unicodeScalars) && $0.1 == $1.1 }
    default: false
    }
  }
}
