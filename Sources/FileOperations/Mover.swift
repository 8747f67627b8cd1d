internal import Glibc

/// Moves one thing: by renaming it, or, to another file system, by a copy that is on the disk before the original is
/// touched.
struct Mover {
  struct Moved {
    let name: RawPath
    let replaced: TrashedFile?
    /// `nil` if nothing had to be copied.
    var bytes: Int?
    /// Why the original, or something of it, is still there.
    var leftover: FileError?
  }

  let meter: Meter
  var allowsUnnamed = true
  /// Called before anything is copied.
  let beforeCopying: () throws(FileError) -> Void

  /// - Parameter newName: What it is called at its new place, if that is something else.
  func move(
    _ name: RawPath, as newName: RawPath? = nil, isDirectory: Bool, from source: Directory, _ placement: Placement,
    _ rule: Placement.Rule
  ) throws(FileError) -> Moved {
    let target = placement.destination
    // Renaming something of another file system fails before the destination is looked at; asking costs nothing, and
    // what would be replaced is not sent to the trash and back.
    if try source.status(of: name).identity.device == target.status().identity.device {
      do {
        let placed = try placement.place(newName ?? name, isDirectory: isDirectory, rule: rule) {
          source.rename(name, to: target, as: $0)
        }
        try? target.sync()
        try? source.sync()
        return Moved(name: placed.name, replaced: placed.replaced)
      } catch {
        // The same device mounted twice cannot be renamed across either.
        guard error.code == EXDEV else { throw error }
      }
    }
    try beforeCopying()
    let copier = Copier(meter: meter, keepsOwner: true, allowsUnnamed: allowsUnnamed)
    let (staged, entry) = try copier.stage(name, in: source, to: target)
    try meter.check()
    let placed = try placement.place(newName ?? name, isDirectory: isDirectory, rule: rule) { staged.publish(as: $0) }
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
