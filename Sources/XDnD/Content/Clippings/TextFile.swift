/// A `.txt` file: the text in UTF-8, unchanged.
///
/// A byte order mark at the start of a file is not part of the text. So a text that itself begins with U+FEFF gets a
/// mark in front.
enum TextFile {
  private static let mark = TextEncoding.utf8.byteOrderMark

  static func write(_ text: String) -> [UInt8] {
    text.utf8.starts(with: mark) ? mark + text.utf8 : Array(text.utf8)
  }

  /// Decodes the text: as valid UTF-8, otherwise as ``TextCodec`` decodes text without a charset; `nil` if a byte order
  /// mark announces an encoding that the bytes are not valid in.
  static func read(_ bytes: [UInt8]) -> String? {
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    if let text = TextEncoding.utf8.string(from: content) { return text }
    return try? TextCodec.decode(bytes, as: "text/plain").text
  }
}
