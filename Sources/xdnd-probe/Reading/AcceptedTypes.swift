import ArgumentParser
import XDnD

/// The value of `--accept`.
struct AcceptedTypes: Sendable, CustomStringConvertible {
  let types: [ContentType]

  init(_ types: [ContentType]) {
    self.types = types
  }

  /// Parses a comma-separated list. `text/plain` stands for text under all its type names.
  @Sendable init(argument: String) throws {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.filter { $0 != " " }) }
    guard words.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }) else {
      throw ValidationError("expected MIME types separated by commas, such as image/png,image/*")
    }
    types = words.map { $0 == "text/plain" ? .plainText : ContentType($0) }
  }

  var description: String { types.map(\.name).joined(separator: ",") }
}
