/// What shall be done to a list of files and directories.
public struct FileOperation: Hashable, Sendable {
  /// What is done to each of them.
  public enum Kind: Hashable, Sendable {
    /// The destination gets a copy.
    case copy
    /// The original goes to the destination.
    case move
    /// The destination gets a symbolic link with the original's absolute path.
    case link
  }

  /// What is done to each of them.
  public var kind: Kind
  /// What it is done to.
  public var sources: [RawPath]
  /// The directory that everything goes to. It is never left.
  public var destination: RawPath
  /// A descriptor of the destination, if it has to be that one, whatever has come to be at its path meanwhile. It has to
  /// stay open until the operation has begun.
  public var holder: CInt?
  /// What happens where a name is taken.
  public var conflicts: ConflictPolicy

  /// An operation; it runs as a ``FileTask``.
  public init(_ kind: Kind, _ sources: [RawPath], to destination: RawPath, conflicts: ConflictPolicy = .ask) {
    self.kind = kind
    self.sources = sources
    self.destination = destination
    self.conflicts = conflicts
  }
}

/// What happens where a name is taken, if only by a symbolic link that leads nowhere. Directories are not merged.
public enum ConflictPolicy: Hashable, Sendable {
  /// The item waits for an answer, and the others go on.
  case ask
  /// The new one becomes `note 2.txt`.
  case keepBoth
  /// The old one goes to the trash.
  case replace
  /// The old one stays, and the new one where it was.
  case skip
}

/// A name is taken.
public struct Conflict: Hashable, Sendable {
  /// The place of the item in the list, from 0.
  public let item: Int
  /// What was to get the name.
  public let source: RawPath
  /// What has it.
  public let existing: RawPath
}

/// What the user says about a ``Conflict``.
public struct ConflictAnswer: Hashable, Sendable {
  /// What can be said.
  public enum Choice: Hashable, Sendable {
    /// As ``ConflictPolicy/keepBoth``.
    case keepBoth
    /// As ``ConflictPolicy/replace``.
    case replace
    /// As ``ConflictPolicy/skip``.
    case skip
  }

  /// What has been said.
  public var choice: Choice
  /// Whether it counts for all that follow, too.
  public var forAll: Bool

  /// An answer.
  public init(_ choice: Choice, forAll: Bool = false) {
    self.choice = choice
    self.forAll = forAll
  }
}

/// What became of one item.
public struct ItemResult: Hashable, Sendable {
  /// What became of it.
  public enum Outcome: Hashable, Sendable {
    /// There is a copy, of so many bytes.
    case copied(to: RawPath, bytes: Int)
    /// It is at another place. Bytes are counted only where it had to be copied there.
    case moved(to: RawPath, bytes: Int?)
    /// Moving it took a copy, which is whole; of the original, at least something is left.
    case copiedOnly(to: RawPath, bytes: Int, FileError)
    /// There is a symbolic link to it.
    case linked(to: RawPath)
    /// Nothing, for this reason, and nothing is wrong.
    case skipped(String)
    /// It is in the trash. For undoing.
    case trashed(TrashedFile)
    /// It is back from the trash. For undoing.
    case restored(to: RawPath)
    /// Nothing, for it could not be done.
    case failed(FileError)
    /// Nothing, for the operation was cancelled before.
    case cancelled
  }

  /// What the item was.
  public let source: RawPath
  /// What became of it.
  public let outcome: Outcome
  /// What it has replaced, and where that is now.
  public var replaced: TrashedFile?
}

/// What became of everything.
public struct OperationReport: Sendable {
  /// One for each item, in their order.
  public let results: [ItemResult]
  /// What takes back what was done; of an undoing, what of it is left to do.
  public let undoable: Undoable
}
