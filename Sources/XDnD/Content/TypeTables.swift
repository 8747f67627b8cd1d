internal import Synchronization

/// What a ``TypeDatabase`` has read, arranged for looking up.
///
/// Each table is made when it is first asked: most programs never ask for names of files, and those are the larger part.
final class TypeTables: Sendable {
  private let directories: [TypeDatabase.Directory]
  private let relations = AtomicLazyReference<Relations>()
  private let names = AtomicLazyReference<Names>()

  init(_ directories: [TypeDatabase.Directory]) {
    self.directories = directories
  }

  /// Other names, and what they stand for.
  var aliases: [ContentType: ContentType] { madeRelations.aliases }
  /// What types are special cases of, directly.
  var classes: [ContentType: [ContentType]] { madeRelations.classes }
  /// Which files have them.
  var globs: GlobTable {
    (names.load() ?? names.storeIfNil(Names(globs: GlobTable(directories.map(\.globs2))))).globs
  }

  private var madeRelations: Relations { relations.load() ?? relations.storeIfNil(Relations(directories)) }

  private final class Names: Sendable {
    let globs: GlobTable

    init(globs: GlobTable) { self.globs = globs }
  }

  private final class Relations: Sendable {
    let aliases: [ContentType: ContentType]
    let classes: [ContentType: [ContentType]]

    init(_ directories: [TypeDatabase.Directory]) {
      var aliases: [ContentType: ContentType] = [:]
      var classes: [ContentType: [ContentType]] = [:]
      for directory in directories {
        for (alias, type) in MIMEInfo.pairs(in: directory.aliases) where aliases[alias] == nil {
          // Who leads back to itself leads nowhere.
          guard let end = TypeTables.end(of: type, in: aliases), end != alias else { continue }
          aliases[alias] = type
        }
      }
      for directory in directories {
        for (subclass, type) in MIMEInfo.pairs(in: directory.subclasses) {
          let special = TypeTables.end(of: subclass, in: aliases) ?? subclass
          let general = TypeTables.end(of: type, in: aliases) ?? type
          guard special != general, classes[special]?.contains(general) != true else { continue }
          guard classes[special, default: []].count < TypeTables.superclassLimit else { continue }
          classes[special, default: []].append(general)
        }
      }
      self.aliases = aliases
      self.classes = classes
    }
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
