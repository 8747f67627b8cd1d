/// Assigns unique names for one directory.
struct UniqueNames {
  private var taken: Set<String> = []
  /// The next number for each name; counting from 1 each time would take quadratic time for equal names.
  private var next: [String: Int] = [:]

  /// Returns the sanitized name, with a number if it is taken.
  mutating func name(for suggestion: String) -> String {
    let name = FileName.sanitized(Array(suggestion.utf8)) ?? "untitled"
    var number = next[name] ?? 1
    var unique = FileName.numbered(name, number)
    while !taken.insert(unique).inserted {
      number += 1
      unique = FileName.numbered(name, number)
    }
    next[name] = number + 1
    return unique
  }
}
