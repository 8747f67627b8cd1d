internal import Synchronization

/// What is known about MIME types: other names for them, which is a special case of which, and which files have them.
///
/// It holds what the files `aliases`, `subclasses` and `globs2` of the shared MIME-info database say. It never changes,
/// so it is passed by reference, and equality is identity. Those that files are read for (``system``) read them when they are
/// first asked something: that takes milliseconds, and a program should have its window on the screen by then.
public final class TypeDatabase: Sendable {
  /// The files of one directory `mime`, as bytes. Lines that make no sense are skipped.
  public struct Directory: Sendable {
    /// `alias type`, a pair a line.
    public var aliases: [UInt8]
    /// `subclass class`, a pair a line.
    public var subclasses: [UInt8]
    /// `weight:type:pattern:flags`, the last is optional.
    public var globs2: [UInt8]

    /// The content of the three files; empty for one that is not there.
    public init(aliases: [UInt8] = [], subclasses: [UInt8] = [], globs2: [UInt8] = []) {
      self.aliases = aliases
      self.subclasses = subclasses
      self.globs2 = globs2
    }
  }

  private let read: @Sendable () -> [Directory]
  private let memory = AtomicLazyReference<TypeTables>()

  /// What the files say. Two threads that ask at once both read, and one of them has read in vain.
  var tables: TypeTables { memory.load() ?? memory.storeIfNil(TypeTables(read())) }

  /// Reads one directory.
  public convenience init(aliases: [UInt8] = [], subclasses: [UInt8] = [], globs2: [UInt8] = []) {
    self.init([Directory(aliases: aliases, subclasses: subclasses, globs2: globs2)])
  }

  /// Reads several directories.
  ///
  /// - Parameter directories: The most important first: `$XDG_DATA_HOME/mime` before those of `$XDG_DATA_DIRS`. An
  ///   alias has the meaning that the first of them gives it, superclasses add up, and so do globs, unless a more
  ///   important directory discards those of a type with `__NOGLOBS__`.
  public convenience init(_ directories: [Directory]) {
    self.init { directories }
  }

  /// - Parameter read: Called when something is first asked.
  init(reading read: @escaping @Sendable () -> [Directory]) {
    self.read = read
  }
}

extension TypeDatabase: Hashable {
  /// Whether both are the same object.
  public static func == (left: TypeDatabase, right: TypeDatabase) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: Conformance

extension TypeDatabase {
  /// The name that the database has for a type. Parameters stay.
  public func canonical(_ type: ContentType) -> ContentType {
    guard type.isMIME, !tables.aliases.isEmpty else { return type }
    let essence = type.essence
    guard let real = TypeTables.end(of: essence, in: tables.aliases), real != essence else { return type }
    return ContentType(real.canonical + type.canonical.dropFirst(essence.canonical.count))
  }

  /// Whether content of one type can be read as content of another.
  ///
  /// All `text` is `text/plain`, and everything but `inode` is `application/octet-stream`, as the specification has it.
  /// A type with parameters is a special case of the one without; what `other` says in parameters must be said of
  /// `type` too. A wildcard is taken as a pattern for the name. Names of X targets conform to themselves only.
  public func conforms(_ type: ContentType, to other: ContentType) -> Bool {
    distance(from: type, to: other) != nil
  }

  /// Whether the database says anything of a type.
  func isKnown(_ type: ContentType) -> Bool {
    let essence = canonical(type).essence
    return tables.classes[essence] != nil || tables.globs.hasPatterns(for: essence)
  }

  /// What a type is a special case of, without itself, the nearest first.
  public func supertypes(of type: ContentType) -> [ContentType] {
    ancestors(of: type).dropFirst().map(\.type)
  }

  /// How many steps there are from a type to one that it conforms to: 0 for the type itself.
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

  /// The type, its superclasses breadth-first, and those that every type has.
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
