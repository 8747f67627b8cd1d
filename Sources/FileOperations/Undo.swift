internal import XDnDFiles
internal import Glibc

/// The steps that undo an operation. A ``FileTask`` carries them out.
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

  /// Returns the steps that remove files, directories or links that the program has created by other means, unless they
  /// change from now on. Paths that do not exist are left out.
  public static func created(_ paths: [RawPath]) -> Undoable {
    Undoable(
      paths.compactMap { path in
        guard let location = try? Location(path), let directory = try? Directory.open(location.parent),
          let fingerprint = try? Fingerprint(of: location.name, in: directory)
        else { return nil }
        return .created(directory.resolvedPath.appending(location.name), fingerprint)
      })
  }

  /// Concatenates the steps; `second` is undone first.
  public static func + (first: Undoable, second: Undoable) -> Undoable { Undoable(first.steps + second.steps) }
}

struct UndoRunner {
  let undoable: Undoable
  let trash: Trash
  let meter: Meter

  func run() -> OperationReport {
    meter.begin(items: undoable.steps.count)
    var results: [ItemResult] = []
    var left: [Undoable.Step] = []
    var inverse: [Undoable.Step] = []
    let steps = Array(undoable.steps.reversed())
    for (index, step) in steps.enumerated() {
      do throws(FileError) {
        try meter.begin(item: index, Location(step.path).name)
        if index + 1 < steps.count { try requireReplaced(steps[index + 1], beforeTakingAway: step) }
        let (result, back) = try undo(step)
        results.append(result)
        if let back { inverse.append(back) }
      } catch {
        results.append(ItemResult(source: step.path, outcome: error == .cancelled ? .cancelled : .failed(error)))
        left.insert(step, at: 0)
      }
    }
    return OperationReport(results: results, undoable: Undoable(left), redoable: Undoable(inverse))
  }

  /// Throws if a replacement cannot be undone completely, because the replaced item is no longer in the trash.
  private func requireReplaced(_ next: Undoable.Step, beforeTakingAway step: Undoable.Step) throws(FileError) {
    guard case .trashed(let replaced) = next else { return }
    if case .trashed = step { return }
    guard replaced.originalPath == step.path, !trash.holds(replaced) else { return }
    let name = try Location(step.path).name
    throw FileError("\(name.quoted) is kept: the item that it replaced is no longer in the trash", code: ENOENT)
  }

  /// - Returns: The result, and the inverse step; `nil` if there is none.
  private func undo(_ step: Undoable.Step) throws(FileError) -> (ItemResult, inverse: Undoable.Step?) {
    let location = try Location(step.path)
    let name = location.name
    func holder() throws(FileError) -> Directory {
      let directory = try Directory.open(location.parent)
      guard try directory.holds(name) else { throw FileError("\(name.quoted) no longer exists", code: ENOENT) }
      return directory
    }
    switch step {
    case .created(let path, let fingerprint):
      let directory = try holder()
      guard try Fingerprint(of: name, in: directory) == fingerprint else {
        throw FileError("\(name.quoted) has changed since, and is kept")
      }
      let file = try trash.trash(name, in: directory)
      return (ItemResult(source: path, outcome: .trashed(file)), .trashed(file))
    case .moved(let from, let to, let identity):
      let directory = try holder()
      let status = try directory.status(of: name)
      guard status.identity == identity else {
        throw FileError("\(name.quoted) was replaced by another item, and is kept")
      }
      let home = try Location(from)
      let placement = Placement(try .open(home.parent), trash: trash)
      guard try !placement.destination.holds(home.name) else { throw isThere(home.name) }
      let moved = try moveBack(name, as: home.name, status, from: directory, placement)
      return (ItemResult(source: to, outcome: moved.outcome(in: placement)), moved.inverse(to: to, in: placement))
    case .trashed(let file):
      try trash.restore(file)
      return (
        ItemResult(source: file.path, outcome: .restored(to: file.originalPath)),
        Undoable.created([file.originalPath]).steps.first
      )
    }
  }

  private func moveBack(
    _ name: RawPath, as home: RawPath, _ status: FileStatus, from directory: Directory, _ placement: Placement
  ) throws(FileError) -> Mover.Moved {
    let mover = Mover(meter: meter) { () throws(FileError) in
      meter.expect(bytes: try Copier(meter: meter).measure(name, in: directory))
    }
    do {
      return try mover.move(
        name, as: home, isDirectory: status.kind == .directory, from: directory, placement, .refuse)
    } catch {
      throw error.code == EEXIST ? isThere(home) : error
    }
  }

  private func isThere(_ name: RawPath) -> FileError {
    FileError("cannot move \(name.quoted) back: an item with that name exists", code: EEXIST)
  }
}

extension Undoable.Step {
  fileprivate var path: RawPath {
    switch self {
    case .created(let path, _): path
    case .moved(_, let to, _): to
    case .trashed(let file): file.path
    }
  }
}

/// The state of a file, or of a tree, at one moment. It changes if an entry is added, removed or replaced, or if a
/// size or modification time changes.
struct Fingerprint: Hashable, Sendable {
  let status: FileStatus
  /// A hash of the directory's contents, independent of the order in which directories list their entries.
  let contents: Int

  init(of name: RawPath, in directory: Directory, depth: Int = 0) throws(FileError) {
    status = try directory.status(of: name)
    var sum = 0
    if status.kind == .directory {
      let child = try directory.child(name, depth: depth)
      for inner in try child.names() {
        sum &+= try Fingerprint(of: inner, in: child, depth: depth + 1).digest(of: inner)
      }
    }
    contents = sum
  }

  private func digest(of name: RawPath) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(status.identity)
    hasher.combine(status.size)
    hasher.combine(status.modifiedSeconds)
    hasher.combine(status.modifiedNanoseconds)
    hasher.combine(contents)
    return hasher.finalize()
  }
}
