internal import JSONText
package import ToolWindow

/// Numbers and names as text for the user.
package enum Formatting {
  /// Returns a byte count with its digits in groups: `8 388 608 bytes`, `1 byte`.
  package static func bytes(_ count: Int) -> String {
    var digits = String(count)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    groups.insert(digits, at: 0)
    return groups.joined(separator: " ") + (count == 1 ? " byte" : " bytes")
  }

  /// Returns a byte count with a binary unit: `8.0 MiB`.
  package static func size(_ count: Int) -> String {
    guard count >= 1024 else { return "\(count) B" }
    var value = Double(count) / 1024
    var unit = "KiB"
    for next in ["MiB", "GiB", "TiB"] where value >= 1024 {
      value /= 1024
      unit = next
    }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }

  /// Returns an untrusted name on one line, with terminal controls escaped: `a\nb`, `\u{1B}[31m`, `\xFF`. Names longer
  /// than ``LabelLimit/sentence`` are cut in the middle.
  package static func visible(_ name: some StringProtocol) -> String { visible(name, limit: .sentence) }

  /// The same with another limit; `nil` for the whole name.
  package static func visible(_ name: some StringProtocol, limit: LabelLimit?) -> String {
    guard let limit else { return visible(name, keeping: []) }
    return visible(name.clipped(to: limit), keeping: [])
  }

  /// Returns an untrusted text like ``visible(_:limit:)``, but complete and with its line breaks and tabs.
  package static func visibleLines(_ text: some StringProtocol) -> String { visible(text, keeping: ["\n", "\t"]) }

  private static func visible(_ text: some StringProtocol, keeping kept: Set<Unicode.Scalar>) -> String {
    // The fast path for printable ASCII.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(text) }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let byte = RawArgument.byte(of: scalar) {
        result.append(contentsOf: "\\x\(String(byte, radix: 16, uppercase: true))".unicodeScalars)
        continue
      }
      switch scalar {
      case _ where kept.contains(scalar): result.append(scalar)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case _ where scalar.isControl:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
