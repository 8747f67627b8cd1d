/// Finds vCards in one pass over the bytes.
struct VCardReader {
  /// The maximum number of contacts, and of lines of each. They bound the memory for hostile content.
  private static let mostContacts = 1000
  private static let mostLines = 200

  private var rest: ArraySlice<UInt8>
  /// Whether unfolding keeps the space at the start of a continuation line, as in vCard 2.1.
  private var keepsSpace = false

  /// Returns the lines of each contact, without the lines of components within it.
  ///
  /// - Parameter names: The names of the lines to return, in upper case.
  /// - Throws: ``ContentError`` if the charset of `type` is unknown, or if the bytes are invalid in a charset other
  ///   than UTF-8.
  static func lines(
    _ names: Set<String>, in bytes: [UInt8], as type: ContentType
  ) throws(ContentError) -> [[ContentLine]] {
    var reader = VCardReader(rest: try octets(bytes, as: type)[...])
    var found: [[ContentLine]] = []
    var contact: [ContentLine]?
    /// The number of components within the contact.
    var depth = 0
    while found.count < mostContacts, let line = reader.next() {
      switch line.name {
      case "BEGIN":
        if contact != nil {
          depth += 1
        } else if line.text.inOneLine.uppercased() == "VCARD" {
          contact = []
        }
      case "END":
        if depth > 0 {
          depth -= 1
        } else if let whole = contact {
          found.append(whole)
          contact = nil
        }
      case "VERSION": reader.keepsSpace = line.text.inOneLine == "2.1"
      default: break
      }
      if depth == 0, names.contains(line.name), contact.map({ $0.count < mostLines }) ?? false {
        contact?.append(line)
      }
    }
    // The last contact may have no END.
    if let contact { found.append(contact) }
    return found
  }

  /// Returns the bytes as UTF-8. Bytes that should be UTF-8 but are invalid stay unchanged: a line may be folded within
  /// a character, or have its own charset.
  private static func octets(_ bytes: [UInt8], as type: ContentType) throws(ContentError) -> [UInt8] {
    let isUTF8 = TextEncoding(impliedBy: type) == .utf8
    do {
      let decoded = try TextCodec.decode(bytes, as: type)
      return isUTF8 && decoded.encoding == .isoLatin1 ? bytes : Array(decoded.text.utf8)
    } catch {
      guard isUTF8 else { throw error }
      return bytes
    }
  }

  private init(rest: ArraySlice<UInt8>) { self.rest = rest }

  /// Returns the next line, unfolded.
  private mutating func next() -> ContentLine? {
    while var bytes = physicalLine() {
      while rest.first == 0x20 || rest.first == 0x09 {
        guard let more = physicalLine() else { break }
        bytes += keepsSpace ? more : more.dropFirst()
      }
      guard var line = ContentLine(Array(bytes)) else { continue }
      while line.continues, let more = physicalLine() { line.join(Array(more)) }
      return line
    }
    return nil
  }

  /// Returns the bytes up to the next line end; `nil` at the end of the content.
  private mutating func physicalLine() -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    var line = rest.prefix { $0 != 0x0A }
    rest = rest[line.endIndex...].dropFirst()
    if line.last == 0x0D { line.removeLast() }
    return line
  }
}
