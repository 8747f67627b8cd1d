/// Gives names that can stand beside each other in one directory.
struct UniqueNames {
  private var taken: Set<String> = []
  /// Where to go on counting, so that a thousand files of one name do not take a million steps.
  private var next: [String: Int] = [:]

  /// The name itself, or one with a number, without what cannot be in a name.
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
