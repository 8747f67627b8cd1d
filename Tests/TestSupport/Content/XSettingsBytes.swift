import XDnD

extension [(String, XSettings.Value)] {
  /// As a settings daemon writes them into its property.
  package func xsettings(bigEndian: Bool = false) -> [UInt8] {
    func number(_ value: UInt32, bytes: Int) -> [UInt8] {
      let big = (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
      return bigEndian ? big : big.reversed()
    }
    func text(_ text: String) -> [UInt8] { [UInt8](text.utf8) + [UInt8](repeating: 0, count: -text.utf8.count & 3) }
    var bytes: [UInt8] = [bigEndian ? 1 : 0, 0, 0, 0] + number(1, bytes: 4) + number(UInt32(count), bytes: 4)
    for (name, value) in self {
      let (type, contents): (UInt8, [UInt8]) =
        switch value {
        case .integer(let value): (0, number(UInt32(truncatingIfNeeded: value), bytes: 4))
        case .string(let value): (1, number(UInt32(value.utf8.count), bytes: 4) + text(value))
        case .color: (2, [1, 2, 0xFFFE, 0xFFFF].flatMap { number($0, bytes: 2) })
        }
      bytes += [type, 0] + number(UInt32(name.utf8.count), bytes: 2) + text(name) + number(1, bytes: 4) + contents
    }
    return bytes
  }
}
