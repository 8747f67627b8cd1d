import XDnD

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
