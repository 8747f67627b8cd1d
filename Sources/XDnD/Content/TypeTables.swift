internal import Synchronization

/// The parsed files of a ``TypeDatabase``, indexed for lookup.
///
/// Each table is built at its first use: most programs never look file names up, and those tables are the largest.
final class TypeTables: Sendable {
  private let directories: [TypeDatabase.Directory]
  private let relations = AtomicLazyReference<Relations>()
  private let names = AtomicLazyReference<Names>()

  init(_ directories: [TypeDatabase.Directory]) {
    self.directories = directories
  }

  /// The aliases, and the types that they stand for.
  var aliases: [ContentType: ContentType] { madeRelations.aliases }
  /// The direct supertypes of each type.
  var classes: [ContentType: [ContentType]] { madeRelations.classes }
  /// The file name patterns.
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
        let pairs = MIMEInfo.pairs(in: directory.aliases)
        aliases.reserveCapacity(aliases.count + pairs.count)
        for (alias, type) in pairs where aliases[alias] == nil {
          // Ignore an alias that would lead back to itself.
          guard let end = TypeTables.end(of: type, in: aliases), end != alias else { continue }
          aliases[alias] = type
        }
      }
      for directory in directories {
        let pairs = MIMEInfo.pairs(in: directory.subclasses)
        classes.reserveCapacity(classes.count + pairs.count)
        for (subclass, type) in pairs {
          let special = TypeTables.end(of: subclass, in: aliases) ?? subclass
          let general = TypeTables.end(of: type, in: aliases) ?? type
          if special != general { TypeTables.add(general, to: &classes[special, default: []]) }
        }
      }
      self.aliases = aliases
      self.classes = classes
    }
  }

  /// The shared MIME-info database has alias chains of length one, and types with at most four direct supertypes.
  private static let chainLimit = 8
  private static let superclassLimit = 32

  private static func add(_ type: ContentType, to supertypes: inout [ContentType]) {
    if supertypes.count < superclassLimit, !supertypes.contains(type) { supertypes.append(type) }
  }

  /// Returns the type at the end of a chain of aliases; `nil` if the chain is too long.
  static func end(of type: ContentType, in aliases: [ContentType: ContentType]) -> ContentType? {
    var type = type
    for _ in 0...chainLimit {
      guard let next = aliases[type] else { return type }
      type = next
    }
    return nil
  }
}
