/// What takes back what was done: it runs as a ``FileTask``.
public struct Undoable: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    /// Goes to the trash, if nobody has changed it since.
    case created(RawPath, Stamp)
    /// Goes back, if it is still the same thing.
    case moved(from: RawPath, to: RawPath, FileStatus.Identity)
    /// Comes back from the trash.
    case trashed(TrashedFile)
  }

  /// In the order in which things were done.
  private(set) var steps: [Step] = []

  init(_ steps: [Step]) { self.steps = steps }

  /// Whether there is nothing to take back.
  public var isEmpty: Bool { steps.isEmpty }

  /// That files, directories or links have been made, and are now as they are meant to be. What is not there is left
  /// out.
  public static func created(_ paths: [RawPath]) -> Undoable {
    Undoable(
      paths.compactMap { path in
        guard let location = try? Location(path), let directory = try? Directory.open(location.parent),
          let stamp = try? Stamp(of: location.name, in: directory)
        else { return nil }
        return .created(directory.resolvedPath.appending(location.name), stamp)
      })
  }

  /// Both together: what was done later is taken back first.
  public static func + (first: Undoable, second: Undoable) -> Undoable { Undoable(first.steps + second.steps) }
}
