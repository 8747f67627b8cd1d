package import XDnDFiles

/// A copy, move or link of files and directories into one directory. Start a ``FileTask`` with it.
public struct FileOperation: Hashable, Sendable {
  /// The operation on each source.
  public enum Kind: Hashable, Sendable {
    /// Copies the source into the destination. Fails if a file is changed meanwhile.
    case copy
    /// Moves the source into the destination.
    case move
    /// Makes a symbolic link in the destination, to the source's absolute path.
    case link
  }

  /// The operation on each source.
  public var kind: Kind
  /// The files, directories and symbolic links.
  public var sources: [RawPath]
  /// The directory that receives the items. No item is placed outside of it.
  public var destination: RawPath
  /// A descriptor of the destination, which then stays the same directory even if another one takes its path.
  ///
  /// The caller owns the descriptor and keeps it open until the task's first event.
  public var holder: CInt?
  /// The policy for names that are taken in the destination.
  public var conflicts: ConflictPolicy

  /// Creates an operation.
  public init(_ kind: Kind, _ sources: [RawPath], to destination: RawPath, conflicts: ConflictPolicy = .ask) {
    self.kind = kind
    self.sources = sources
    self.destination = destination
    self.conflicts = conflicts
  }
}

/// The policy for names that are taken in the destination, even by a dangling symbolic link. Directories are never
/// merged.
public enum ConflictPolicy: Hashable, Sendable {
  /// Asks the task's owner (``FileTask/Event/conflict(_:)``). The item waits; the operation continues with the others.
  case ask
  /// Makes the same choice in each conflict.
  case always(ConflictChoice)
}

/// The answer to a ``Conflict``.
public enum ConflictChoice: Hashable, Sendable {
  /// Numbers the new item: `note 2.txt`.
  case keepBoth
  /// Moves the existing item to the trash.
  case replace
  /// Leaves both items where they are.
  case skip
}

/// An item whose name is taken in the destination.
public struct Conflict: Hashable, Sendable {
  /// The source path of the new item.
  public let source: RawPath
  /// The path of the existing item.
  public let existing: RawPath
  /// The status of the new item; `nil` if it cannot be read, and for a link, which does not exist yet.
  package var newStatus: FileStatus?
  /// The status of the existing item; `nil` if it cannot be read.
  package var existingStatus: FileStatus?
  /// Whether other items are not done yet. The answer may then apply to all of them.
  public var hasMore = false
}

/// The result for one item.
public struct ItemResult: Hashable, Sendable {
  /// Whether and how the item was processed.
  public enum Outcome: Hashable, Sendable {
    /// Copied; `bytes` counts the contents of regular files.
    case copied(to: RawPath, bytes: Int)
    /// Moved. `bytes` is `nil` if it was renamed within its file system.
    case moved(to: RawPath, bytes: Int?)
    /// Copied completely to another file system, but the original could not be removed, or not all of it.
    case copiedOnly(to: RawPath, bytes: Int, FileError)
    /// Linked.
    case linked(to: RawPath)
    /// Left alone, for this reason. Not an error.
    case skipped(String)
    /// Moved to the trash, by undoing a creation.
    case trashed(TrashedFile)
    /// Restored from the trash, by undoing.
    case restored(to: RawPath)
    /// Not done, for this reason.
    case failed(FileError)
    /// Not done, because the operation was cancelled.
    case cancelled
  }

  /// The item's source path.
  public let source: RawPath
  /// Whether and how the item was processed.
  public let outcome: Outcome
  /// The item that it replaced, now in the trash.
  public var replaced: TrashedFile?
  /// Whether the item is a directory. Set only if it was copied, moved or linked; `false` when undoing.
  public var isDirectory = false
}

/// The results of a whole operation.
public struct OperationReport: Sendable {
  /// One result for each item; when undoing, one for each step, the last step first.
  public let results: [ItemResult]
  /// The steps that undo the operation; after undoing, the steps that could not be undone.
  public let undoable: Undoable
  /// After undoing, the steps that redo the operation: run them like those of ``undoable``. Otherwise empty.
  public var redoable = Undoable([])
}
