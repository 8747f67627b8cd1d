/// The settings of a desktop, as its settings daemon publishes them to X clients: the XSETTINGS specification of
/// freedesktop.org, version 0.5.
///
/// Whoever owns the manager selection can put any bytes there, so a list that ends in the middle of a setting, or goes on
/// with one of no known type, keeps what came before.
struct XSettings: Equatable, Sendable {
  enum Value: Equatable, Sendable {
    case integer(Int)
    case string(String)
    /// Sixteen bits a channel, in the order of the wire, which is odd: red, blue, green, alpha.
    case color(UInt16, UInt16, UInt16, UInt16)
  }

  private var values: [String: Value] = [:]

  /// A desktop that says nothing.
  init() {}

  /// Reads the bytes of the property `_XSETTINGS_SETTINGS`.
  init(bytes: some Collection<UInt8>) {
    guard var reader = Reader(Array(bytes)), reader.skip(8), let count = reader.integer(bytes: 4) else { return }
    // A count that lies costs nothing: the bytes end first.
    for _ in 0..<count {
      guard let (name, value) = reader.setting() else { return }
      // Specified to be unique. If one is not, the first holds.
      if values[name] == nil { values[name] = value }
    }
  }

  subscript(name: String) -> Value? { values[name] }

  func integer(_ name: String) -> Int? {
    if case .integer(let value)? = values[name] { value } else { nil }
  }

  func string(_ name: String) -> String? {
    if case .string(let value)? = values[name] { value } else { nil }
  }

  /// Reads numbers in the byte order that the first byte states.
  private struct Reader {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private var position = 0

    init?(_ bytes: [UInt8]) {
      guard let order = bytes.first, order <= 1 else { return nil }
      self.bytes = bytes
      isBigEndian = order == 1
    }

    mutating func skip(_ count: Int) -> Bool { take(count) != nil }

    mutating func integer(bytes count: Int) -> UInt32? {
      guard let field = take(count) else { return nil }
      return isBigEndian
        ? field.reduce(0) { $0 << 8 | UInt32($1) } : field.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func setting() -> (name: String, value: Value)? {
      guard let type = integer(bytes: 1), skip(1), let length = integer(bytes: 2),
        let name = string(length: Int(length)),
        // When it was last changed.
        skip(4), let value = value(ofType: type)
      else { return nil }
      return (name, value)
    }

    private mutating func value(ofType type: UInt32) -> Value? {
      switch type {
      case 0: integer(bytes: 4).map { .integer(Int(Int32(bitPattern: $0))) }
      case 1: integer(bytes: 4).flatMap { string(length: Int($0)) }.map { .string($0) }
      case 2: color()
      default: nil
      }
    }

    private mutating func color() -> Value? {
      var channels: [UInt16] = []
      for _ in 0..<4 {
        guard let channel = integer(bytes: 2) else { return nil }
        channels.append(UInt16(channel))
      }
      return .color(channels[0], channels[1], channels[2], channels[3])
    }

    /// Strings are filled up to a multiple of four bytes. The last one need not be: old daemons forget it there.
    private mutating func string(length: Int) -> String? {
      guard let text = take(length) else { return nil }
      position = min(position + (4 - length % 4) % 4, bytes.count)
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= bytes.count - position else { return nil }
      defer { position += count }
      return bytes[position..<position + count]
    }
  }
}
