internal import Synchronization

/// A MIME type database: aliases, subtypes and file name patterns.
///
/// It holds the `aliases`, `subclasses` and `globs2` files of the shared MIME-info database, and is immutable and safe
/// to use from any thread. Equality is identity. A database that reads files, such as ``system``, reads them at the
/// first query: reading takes milliseconds, and should not delay a program's first window.
///
/// Content is not examined for magic numbers: a promised file would have to be written before it could be offered.
public final class TypeDatabase: Sendable {
  /// The contents of the files in one `mime` directory. Malformed lines are skipped.
  package struct Directory: Sendable {
    /// The file `aliases`: `alias type` on each line.
    package var aliases: [UInt8]
    /// The file `subclasses`: `subtype supertype` on each line.
    package var subclasses: [UInt8]
    /// The file `globs2`: `weight:type:pattern:flags` on each line, with optional flags.
    package var globs2: [UInt8]

    /// Creates a directory from the contents of its files; leave a missing file empty.
    package init(aliases: [UInt8] = [], subclasses: [UInt8] = [], globs2: [UInt8] = []) {
      self.aliases = aliases
      self.subclasses = subclasses
      self.globs2 = globs2
    }
  }

  private let read: @Sendable () -> [Directory]
  private let memory = AtomicLazyReference<TypeTables>()

  /// Creates a database of one directory.
  package convenience init(aliases: [UInt8] = [], subclasses: [UInt8] = [], globs2: [UInt8] = []) {
    self.init([Directory(aliases: aliases, subclasses: subclasses, globs2: globs2)])
  }

  /// Creates a database of several directories.
  ///
  /// - Parameter directories: The directories, most important first: `$XDG_DATA_HOME/mime` before those of
  ///   `$XDG_DATA_DIRS`. An alias has the meaning of the first directory that lists it. Supertypes and globs of all
  ///   directories add up, unless a more important directory discards the globs of a type by `__NOGLOBS__`.
  package convenience init(_ directories: [Directory]) {
    self.init { directories }
  }

  /// - Parameter read: Reads the directories; called at the first query.
  init(reading read: @escaping @Sendable () -> [Directory]) {
    self.read = read
  }
}

extension TypeDatabase: Hashable {
  /// Whether both are the same object.
  public static func == (left: TypeDatabase, right: TypeDatabase) -> Bool { left === right }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Queries

extension TypeDatabase {
  /// The tables of the files. If two threads make the first query together, both read, and one result is discarded.
  var tables: TypeTables { memory.load() ?? memory.storeIfNil(TypeTables(read())) }

  /// Returns the database's main name for a type. Parameters are kept.
  public func canonical(_ type: ContentType) -> ContentType {
    guard type.isMIME, !tables.aliases.isEmpty else { return type }
    let essence = type.essence
    guard let real = TypeTables.end(of: essence, in: tables.aliases), real != essence else { return type }
    return ContentType(real.canonical + type.canonical.dropFirst(essence.canonical.count))
  }

  /// Whether content of `type` can be read as content of `other`. The counterpart of `UTType.conforms(to:)`.
  ///
  /// As the shared MIME-info specification says, every `text` type conforms to `text/plain`, and everything except
  /// `inode` to `application/octet-stream`. A type with parameters conforms to the same type without them; `type` must
  /// have all parameters of `other`. A wildcard matches by name. X targets conform only to themselves and `*/*`.
  public func conforms(_ type: ContentType, to other: ContentType) -> Bool {
    distance(from: type, to: other) != nil
  }

  /// Whether the database lists a type.
  func isKnown(_ type: ContentType) -> Bool {
    let essence = canonical(type).essence
    return tables.classes[essence] != nil || tables.globs.hasPatterns(for: essence)
  }

  /// Returns the supertypes of a type without the type itself, nearest first.
  package func supertypes(of type: ContentType) -> [ContentType] {
    ancestors(of: type).dropFirst().map(\.type)
  }

  /// Returns the number of steps from a type to a supertype: 0 for the type itself, `nil` if it does not conform.
  func distance(from type: ContentType, to other: ContentType) -> Int? {
    if type == other { return 0 }
    let (special, general) = (canonical(type), canonical(other))
    if special == general { return 0 }
    if other.isWildcard { return other.covers(type) || other.covers(special) ? 1 : nil }
    guard special.isMIME, general.isMIME else { return nil }
    if special.essence == general.essence { return special.hasParameters(of: general) ? 1 : nil }
    guard !general.hasParameters else { return nil }
    return ancestors(of: special).first { $0.type == general }?.distance
  }

  private static let ancestorLimit = 256

  /// The type, its supertypes breadth-first, and the implicit supertypes.
  private func ancestors(of type: ContentType) -> [(type: ContentType, distance: Int)] {
    guard type.isMIME, !type.isWildcard else { return [(type, 0)] }
    let start = canonical(type).essence
    var found = [(type: start, distance: 0)]
    var seen: Set<ContentType> = [start]
    var next = 0
    func add(_ type: ContentType, at distance: Int) {
      guard found.count < Self.ancestorLimit, seen.insert(type).inserted else { return }
      found.append((type, distance))
    }
    while next < found.count {
      for parent in tables.classes[found[next].type] ?? [] { add(parent, at: found[next].distance + 1) }
      next += 1
    }
    let last = found[found.count - 1].distance
    if found.contains(where: { $0.type.type == "text" }) { add(WireName.text, at: last + 1) }
    if start.type != "inode" { add(.data, at: last + 2) }
    return found
  }
}
