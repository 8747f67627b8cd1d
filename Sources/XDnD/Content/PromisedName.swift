/// The file name that a source promises in its property `XdndDirectSave0`.
enum PromisedName {
  /// The maximum number of bytes to read. A name has at most 255; its encoding or a careless source may need more.
  static let longest = 65_536

  /// Returns a safe file name; `nil` if the property holds none.
  ///
  /// - Parameters:
  ///   - bytes: The property's bytes, in the charset that the type states, as in XDS's `text/plain;charset=…`. Most
  ///     sources write `text/plain` for any encoding: then UTF-8 if valid, otherwise Latin-1.
  ///   - type: The type of the property.
  static func fileName(_ bytes: [UInt8], as type: ContentType) -> String? {
    guard PlainText.isForm(type), !bytes.isEmpty else { return nil }
    guard type.essence == "text/plain", type.parameter("charset") == nil else {
      return (try? PlainText(decoding: bytes, as: type)).flatMap { FileName.sanitized(Array($0.text.utf8)) }
    }
    // Some C programs send the terminating NUL. A NUL elsewhere is treated like a control character.
    return FileName.sanitized(bytes.last == 0 ? Array(bytes.dropLast()) : bytes)
  }
}
