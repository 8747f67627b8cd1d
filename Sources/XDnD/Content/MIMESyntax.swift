/// A lenient parser for the names of MIME types (RFC 2045, §5.1).
enum MIMESyntax {
  struct Parameter: Hashable {
    /// In lower case.
    var name: String
    /// Without quotes; `nil` without `=`.
    var value: String?
  }

  /// Returns the normalised form of a type's name, which is the same for all equivalent spellings. Idempotent.
  ///
  /// X targets such as `UTF8_STRING` have no slash and are returned unchanged.
  static func canonicalForm(of name: String) -> String {
    // Most names are normalised and need no copy.
    let bytes = name.utf8
    guard bytes.contains(where: isIrregular) else { return name }
    let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
    guard bytes[..<end].contains(UInt8(ascii: "/")) else { return name }
    let essence = bytes[..<end].filter { !$0.isASCIISpace && $0 != UInt8(ascii: "\"") }.map(\.asciiLowercased)
    let parameters = parameters(in: name).enumerated().sorted {
      $0.element.name == $1.element.name ? $0.offset < $1.offset : $0.element.name < $1.element.name
    }
    return parameters.reduce(into: String(decoding: essence, as: UTF8.self)) { $0 += ";" + written($1.element) }
  }

  /// Returns the parameters in the order in which the name lists them. A missing closing quote is assumed at the end.
  static func parameters(in name: String) -> [Parameter] {
    var found: [Parameter] = []
    var rest = Array(name.utf8)[...]
    let end = UInt8(ascii: ";")
    rest = rest[(rest.firstIndex(of: end) ?? rest.endIndex)...]
    while rest.popFirst() != nil {
      let label = rest.prefix { $0 != end && $0 != UInt8(ascii: "=") }
      rest = rest[label.endIndex...]
      var value: [UInt8]?
      if rest.first == UInt8(ascii: "=") {
        rest = rest.dropFirst().drop(while: \.isASCIISpace)
        value = rest.first == UInt8(ascii: "\"") ? quoted(&rest) : Array(rest.prefix { $0 != end }.trimmingASCIISpaces)
        rest = rest[(rest.firstIndex(of: end) ?? rest.endIndex)...]
      }
      let name = String(decoding: label.trimmingASCIISpaces.map(\.asciiLowercased), as: UTF8.self)
      guard !name.isEmpty else { continue }
      // RFC 2046, §4.1.2: charset names are case-insensitive. Other values may be case-sensitive.
      if name == "charset" { value = value?.map(\.asciiLowercased) }
      found.append(Parameter(name: name, value: value.map { String(decoding: $0, as: UTF8.self) }))
    }
    return found
  }

  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    var value: [UInt8] = []
    rest.removeFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(byte)
      }
    }
    return value
  }

  private static func written(_ parameter: Parameter) -> String {
    guard let value = parameter.value else { return parameter.name }
    let isToken = !value.isEmpty && !value.utf8.contains { $0 < 0x21 || "\"\\;=,()<>@:/[]?".utf8.contains($0) }
    guard !isToken else { return "\(parameter.name)=\(value)" }
    let escaped = value.utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    return "\(parameter.name)=\"\(String(decoding: escaped, as: UTF8.self))\""
  }

  /// Whether a name that contains this byte may differ from its normalised form.
  static func isIrregular(_ byte: UInt8) -> Bool {
    byte.isASCIISpace || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\"") || byte.asciiLowercased != byte
  }
}
