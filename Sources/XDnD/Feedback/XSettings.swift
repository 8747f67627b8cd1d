/// The settings that a settings daemon publishes to X clients (XSETTINGS, freedesktop.org, version 0.5).
///
/// Any client can own the manager selection and publish any bytes. Parsing stops at a truncated setting or one of an
/// unknown type, and keeps the settings before it.
package struct XSettings: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    case integer(Int)
    case string(String)
    /// Not read: no setting for drags is a colour.
    case color
  }

  private(set) var values: [String: Value] = [:]

  init() {}

  /// Parses the contents of the property `_XSETTINGS_SETTINGS`.
  init(bytes: some Collection<UInt8>) {
    guard var reader = Reader(Array(bytes)), reader.skip(8), let count = reader.integer(bytes: 4) else { return }
    // A wrong count is harmless: parsing stops at the end of the bytes.
    for _ in 0..<count {
      guard let (name, value) = reader.setting() else { return }
      // The specification requires unique names; of duplicates, the first is kept.
      if values[name] == nil { values[name] = value }
    }
  }

  /// The value of a setting, if it is an integer in `range`.
  func integer(_ name: String, in range: ClosedRange<Int> = .min ... .max) -> Int? {
    if case .integer(let value)? = values[name], range.contains(value) { value } else { nil }
  }

  func string(_ name: String) -> String? {
    if case .string(let value)? = values[name] { value } else { nil }
  }

  private struct Reader {
    private var rest: ArraySlice<UInt8>
    private let isBigEndian: Bool

    init?(_ bytes: [UInt8]) {
      guard let order = bytes.first, order <= 1 else { return nil }
      rest = bytes[...]
      isBigEndian = order == 1
    }

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    mutating func integer(bytes count: Int) -> UInt32? {
      guard let field = take(count) else { return nil }
      return (isBigEndian ? Array(field) : field.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func setting() -> (name: String, value: Value)? {
      guard let type = integer(bytes: 1), skip(1), let length = integer(bytes: 2),
        let name = string(length: Int(length)),
        // The serial number of the setting's last change.
        skip(4), let value = value(ofType: type)
      else { return nil }
      return (name, value)
    }

    private mutating func value(ofType type: UInt32) -> Value? {
      switch type {
      case 0: integer(bytes: 4).map { .integer(Int(Int32(bitPattern: $0))) }
      case 1: integer(bytes: 4).flatMap { string(length: Int($0)) }.map { .string($0) }
      case 2: skip(8) ? .color : nil
      default: nil
      }
    }

    /// Strings are padded to a multiple of four bytes. The padding of the last one may be missing: old daemons omit it.
    private mutating func string(length: Int) -> String? {
      guard let text = take(length) else { return nil }
      rest = rest.dropFirst((4 - length % 4) % 4)
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}
