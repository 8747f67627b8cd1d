internal import XDnDFiles

/// The steps that undo an operation. Start a ``FileTask`` with it to carry them out.
public struct Undoable: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// Undone by moving the item to the trash, unless it has changed since.
    case created(RawPath, Fingerprint)
    /// Undone by moving the item back, if its device and inode are the same.
    case moved(from: RawPath, to: RawPath, FileStatus.Identity)
    /// Undone by restoring the item from the trash.
    case trashed(TrashedFile)
  }

  /// In the order in which the operation did them.
  private(set) var steps: [Step] = []

  init(_ steps: [Step]) { self.steps = steps }

  /// The names of the items that the operation created or moved, without their directories.
  public var names: [String] {
    steps.compactMap { step in
      switch step {
      case .created(let path, _), .moved(_, let path, _):
        path.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) }
      case .trashed: nil
      }
    }
  }

  /// Whether there is nothing to undo.
  public var isEmpty: Bool { steps.isEmpty }

  /// Describes files, directories or links that the program has made by other means, in their present state. Paths that
  /// do not exist are left out.
  public static func created(_ paths: [RawPath]) -> Undoable {
    Undoable(
      paths.compactMap { path in
        guard let location = try? Location(path), let directory = try? Directory.open(location.parent),
          let fingerprint = try? Fingerprint(of: location.name, in: directory)
        else { return nil }
        return .created(directory.resolvedPath.appending(location.name), fingerprint)
      })
  }

  /// Joins both. The steps of `second` are undone first.
  public static func + (first: Undoable, second: Undoable) -> Undoable { Undoable(first.steps + second.steps) }
}
