/// What a ``TypeDatabase`` has read, arranged for looking up.
final class TypeTables: Sendable {
  /// Other names, and what they stand for.
  let aliases: [ContentType: ContentType]
  /// What types are special cases of, directly.
  let classes: [ContentType: [ContentType]]
  /// Which files have them.
  let globs: GlobTable

  init(_ directories: [TypeDatabase.Directory]) {
    var aliases: [ContentType: ContentType] = [:]
    var classes: [ContentType: [ContentType]] = [:]
    for directory in directories {
      for (alias, type) in MIMEInfo.pairs(in: directory.aliases) where aliases[alias] == nil {
        // Who leads back to itself leads nowhere.
        guard let end = Self.end(of: type, in: aliases), end != alias else { continue }
        aliases[alias] = type
      }
    }
    for directory in directories {
      for (subclass, type) in MIMEInfo.pairs(in: directory.subclasses) {
        let special = Self.end(of: subclass, in: aliases) ?? subclass
        let general = Self.end(of: type, in: aliases) ?? type
        guard special != general, classes[special]?.contains(general) != true else { continue }
        guard classes[special, default: []].count < Self.superclassLimit else { continue }
        classes[special, default: []].append(general)
      }
    }
    self.aliases = aliases
    self.classes = classes
    self.globs = GlobTable(directories.map(\.globs2))
  }

  /// The real database has chains of one alias, and types of at most four direct superclasses.
  private static let chainLimit = 8
  private static let superclassLimit = 32

  /// Where a chain of aliases ends; `nil` if it does not within reason.
  static func end(of type: ContentType, in aliases: [ContentType: ContentType]) -> ContentType? {
    var type = type
    for _ in 0...chainLimit {
      guard let next = aliases[type] else { return type }
      type = next
    }
    return nil
  }
}
