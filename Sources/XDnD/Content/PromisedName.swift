/// The name that a source promises in the property `XdndDirectSave0`.
enum PromisedName {
  /// The most bytes that are read. Names have 255 at most; the encoding and a careless source may need more.
  static let longest = 65_536

  /// The name as a file may have it; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - bytes: In any encoding. A charset in the type counts, as in the specification's `text/plain;charset=…`. Most sources
  ///     write `text/plain` whatever it is: then it is UTF-8 if it can be, else Latin-1.
  ///   - type: The type of the property.
  static func fileName(_ bytes: [UInt8], as type: ContentType) -> String? {
    guard PlainText.isForm(type), !bytes.isEmpty else { return nil }
    // C programs send the NUL, too; one that is not at the end is as bad as a control character.
    let bytes = bytes.last == 0 ? Array(bytes.dropLast()) : bytes
    guard type.essence == "text/plain", type.parameter("charset") == nil else {
      return (try? PlainText(decoding: bytes, as: type)).flatMap { FileName.sanitized(Array($0.text.utf8)) }
    }
    return FileName.sanitized(bytes)
  }
}
