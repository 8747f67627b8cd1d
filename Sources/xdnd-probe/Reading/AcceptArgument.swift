import ArgumentParser
import XDnD

/// The parser for `--accept`.
enum AcceptArgument {
  /// Parses a comma-separated list. `text/plain` stands for text under all its type names.
  @Sendable static func types(_ argument: String) throws -> [ContentType] {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.filter { $0 != " " }) }
    guard words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }) else {
      throw ValidationError("expected MIME types separated by commas, such as image/png,image/*")
    }
    return words.map { $0 == "text/plain" ? .plainText : ContentType($0) }
  }
}
