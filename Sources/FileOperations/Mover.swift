internal import XDnDFiles
internal import Glibc

/// Moves one item: by a rename, or, to another file system, by a copy that is synced to disk before the original is
/// removed.
struct Mover {
  struct Moved {
    let name: RawPath
    let replaced: TrashedFile?
    /// `nil` if the item was renamed.
    var bytes: Int?
    /// Why the original, or a part of it, is still there after a copy.
    var leftover: FileError?

    func outcome(in placement: Placement) -> ItemResult.Outcome {
      let path = placement.path.appending(name)
      return leftover.map { .copiedOnly(to: path, bytes: bytes ?? 0, $0) } ?? .moved(to: path, bytes: bytes)
    }

    /// Returns the step that moves the item back to `original`; `nil` if a part of the original is left, or if the moved
    /// item cannot be found.
    func inverse(to original: RawPath, in placement: Placement) -> Undoable.Step? {
      guard leftover == nil, let identity = try? placement.destination.status(of: name).identity else { return nil }
      return .moved(from: original, to: placement.path.appending(name), identity)
    }
  }

  let meter: Meter
  var allowsUnnamed = true
  /// Called before a copy, but not before a rename.
  let beforeCopying: () throws(FileError) -> Void

  /// - Parameter newName: The name at the destination; `nil` keeps the name.
  func move(
    _ name: RawPath, as newName: RawPath? = nil, isDirectory: Bool, from source: Directory, _ placement: Placement,
    _ rule: Placement.Rule
  ) throws(FileError) -> Moved {
    let target = placement.destination
    // Avoids a rename that would fail with `EXDEV`. Between Btrfs subvolumes it would fail only after the item to
    // replace went to the trash and back.
    if try source.status(of: name).identity.device == target.status().identity.device {
      do {
        let placed = try placement.place(newName ?? name, isDirectory: isDirectory, rule: rule) {
          new throws(SystemError) in try source.handle.rename(name, to: target.handle, as: new)
        }
        try? target.sync()
        try? source.sync()
        return Moved(name: placed.name, replaced: placed.replaced)
      } catch {
        // A rename also fails with EXDEV between two mounts of the same device.
        guard error.code == EXDEV else { throw error }
      }
    }
    try beforeCopying()
    let copier = Copier(meter: meter, keepsOwner: true, allowsUnnamed: allowsUnnamed)
    let (staged, entry) = try copier.stage(name, in: source, to: target)
    try meter.check()
    let placed = try placement.place(newName ?? name, isDirectory: isDirectory, rule: rule) { new throws(SystemError) in
      try staged.publish(as: new)
    }
    var moved = Moved(name: placed.name, replaced: placed.replaced, bytes: entry.bytes)
    do {
      try target.sync()
      try copier.remove(entry, from: source)
      try? source.sync()
    } catch {
      moved.leftover = error
    }
    return moved
  }
}
