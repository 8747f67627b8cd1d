/// A mail address with the name of its owner (RFC 5322, §3.4).
public struct MailAddress: Hashable, Sendable, CustomStringConvertible {
  /// The name; `nil` if only the address is known.
  public var name: String?
  /// The address: `ada@example.org`.
  public var address: String

  /// Creates an address.
  ///
  /// - Parameters:
  ///   - name: The name of the owner.
  ///   - address: The address itself.
  public init(name: String? = nil, address: String) {
    self.name = name
    self.address = address
  }

  /// The address for a field of a mail program, in one line: `Ada Lovelace <ada@example.org>`.
  ///
  /// It is one address, whatever the parts contain: a name with punctuation is quoted, and characters that would end the
  /// address are left out.
  public var description: String {
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

  /// Addresses beyond this number are not read.
  private static let most = 1000

  /// Reads a list of addresses, as the header of a message has it: with quoted names, encoded words (RFC 2047), comments
  /// and groups.
  static func all(in list: String) -> [MailAddress] {
    var found: [MailAddress] = []
    let nothing = String.UnicodeScalarView()
    var (words, comment) = (nothing, nothing)
    var angle: String.UnicodeScalarView?
    var (isQuoted, isEscaped, isInAngle, depth) = (false, false, false, 0)
    func end() {
      let address = String((angle ?? words).filter { !$0.properties.isWhitespace }).inOneLine
      // An old form has the name in a comment: ada@example.org (Ada Lovelace)
      let name = EncodedWords.decoded(String(angle == nil ? comment : words)).inOneLine
      if address.unicodeScalars.contains("@") {
        found.append(MailAddress(name: name.isEmpty ? nil : name, address: address))
      }
      (words, comment, angle, isInAngle) = (nothing, nothing, nil, false)
    }
    func append(_ scalar: Unicode.Scalar) {
      if depth > 0 {
        comment.append(scalar)
      } else if isInAngle {
        angle?.append(scalar)
      } else {
        words.append(scalar)
      }
    }
    for scalar in list.unicodeScalars where found.count < most {
      if isEscaped {
        isEscaped = false
        append(scalar)
        continue
      }
      switch scalar {
      case "\\" where isQuoted || depth > 0: isEscaped = true
      case "\"" where depth == 0: isQuoted.toggle()
      case _ where isQuoted: append(scalar)
      case "(": depth += 1
      case ")" where depth > 0: depth -= 1
      case _ where depth > 0: append(scalar)
      case "<": (angle, isInAngle) = (nothing, true)
      case ">": isInAngle = false
      case _ where isInAngle: append(scalar)
      case ",", ";": end()
      // The name of a group.
      case ":": words = nothing
      default: append(scalar)
      }
    }
    if found.count < most { end() }
    return found
  }
}
