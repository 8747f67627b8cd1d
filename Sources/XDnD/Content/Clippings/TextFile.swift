/// A file `.txt`: UTF-8, exactly the text.
///
/// A byte order mark at the start of somebody else's file is none of the text. So that a text that begins with such a
/// character stays what it is, it gets a mark in front.
enum TextFile {
  private static let mark = TextEncoding.utf8.byteOrderMark

  static func write(_ text: String) -> [UInt8] {
    text.utf8.starts(with: mark) ? mark + text.utf8 : Array(text.utf8)
  }

  /// The text; `nil` if it begins with a byte order mark and then is not what that says.
  ///
  /// Otherwise it is valid UTF-8, or what ``TextCodec`` makes of text without a charset.
  static func read(_ bytes: [UInt8]) -> String? {
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    if let text = TextEncoding.utf8.string(from: content) { return text }
    return try? TextCodec.decode(bytes, as: "text/plain").text
  }
}
