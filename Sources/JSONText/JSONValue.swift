/// A JSON value whose objects keep the order of their members, which Foundation's do not.
public indirect enum JSONValue: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  /// Nothing.
  case null
  /// Text.
  case string(String)
  /// A number without a fraction, of 64 bits.
  case integer(Int)
  /// Any other number; what is not finite is written as `null`, for JSON has no word for it.
  case number(Double)
  /// True or false.
  case boolean(Bool)
  /// Values in order.
  case list([JSONValue])
  /// Members in order; a name may come twice.
  case object([(String, JSONValue)])

  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// An integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// A list of strings.
  public static func strings(_ values: some Sequence<String>) -> JSONValue { .list(values.map { .string($0) }) }

  /// An object of those members that have a value.
  public static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }
}

extension JSONValue {
  /// The member of this name, the last one if there are several; `nil` also for what is no object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.0 == name }?.1
  }

  /// The string, if it is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The integer, if it is one.
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The boolean, if it is one.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  /// The values, if it is a list.
  public var list: [JSONValue]? { if case .list(let values) = self { values } else { nil } }

  /// The number, if it is one, with or without a fraction.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension JSONValue: Equatable {
  /// Whether both are written alike: the order of members counts, and 1 is not 1.0.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.string(let left), .string(let right)):
      // As text, and not as characters: "é" can be one scalar or two.
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
