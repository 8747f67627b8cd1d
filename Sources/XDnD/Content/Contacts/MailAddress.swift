/// A mail address with the name of its owner (RFC 5322, §3.4).
package struct MailAddress: Hashable, Sendable, CustomStringConvertible {
  /// The name; `nil` if only the address is known.
  package var name: String?
  /// The address: `ada@example.org`.
  package var address: String

  package init(name: String? = nil, address: String) {
    self.name = name
    self.address = address
  }

  /// The address for a field of a mail program, in one line: `Ada Lovelace <ada@example.org>`.
  ///
  /// It is always a single address: a name with punctuation is quoted, and characters that would end the address are
  /// left out.
  package var description: String {
    let breaks: [Unicode.Scalar] = ["<", ">", ",", ";", "(", ")", "\"", "\\"]
    let address = String(address.inOneLine.unicodeScalars.filter { !breaks.contains($0) && $0 != " " })
    let name = name?.inOneLine ?? ""
    if name.isEmpty { return address }
    return "\(Self.quoted(name)) <\(address)>"
  }

  private static func quoted(_ name: String) -> String {
    guard name.unicodeScalars.contains(where: { "()<>[]:;@\\,.\"".unicodeScalars.contains($0) }) else { return name }
    return "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
