/// Words as a shell reads them.
public enum ShellWord {
  /// One word that a POSIX shell reads as exactly these bytes, none of which may be NUL.
  public static func quoted(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.isEmpty || !bytes.allSatisfy(isPlain) else { return bytes }
    let quote = UInt8(ascii: "'")
    // A quote ends the quoted part, comes by itself behind a backslash, and begins the next part.
    return [quote] + bytes.flatMap { $0 == quote ? Array("'\\''".utf8) : [$0] } + [quote]
  }

  /// What means nothing to a shell, wherever in a word it stands.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_@%+:,./-".utf8.contains(byte)
    }
  }
}
