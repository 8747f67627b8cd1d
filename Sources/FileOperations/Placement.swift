internal import XDnDFiles
internal import Glibc

/// Gives a new item its name in the destination without overwriting another item.
struct Placement {
  enum Rule {
    case refuse
    case keepBoth
    case replace
  }

  let destination: Directory
  let trash: Trash
  /// The directory's path in results, without symbolic links.
  let path: RawPath

  init(_ destination: Directory, trash: Trash) {
    self.destination = destination
    self.trash = trash
    path = destination.resolvedPath
  }

  /// - Parameters:
  ///   - isDirectory: Whether the item is a directory, whose name has no extension.
  ///   - publish: Gives the item a name if it is free, and throws `EEXIST` if it is not.
  /// - Returns: The item's name, and the replaced item, which is in the trash.
  /// - Throws: `FileError` with the code `EEXIST` if the name is taken and the rule is ``Rule/refuse``, and with
  ///   `EXDEV` if `publish` throws that.
  func place(
    _ name: RawPath, isDirectory: Bool, rule: Rule, _ publish: (RawPath) throws(SystemError) -> Void
  ) throws(FileError) -> (name: RawPath, replaced: TrashedFile?) {
    var tried = name
    do throws(SystemError) {
      guard rule == .keepBoth else {
        try publish(name)
        return (name, nil)
      }
      let numbered = { name.numbered($0, keepingExtension: !isDirectory) }
      let number = freeNumber { (try? destination.holds(numbered($0))) == true }
      let free = try firstFree((number..<number + 1000).lazy.map(numbered)) { candidate throws(SystemError) in
        tried = candidate
        try publish(candidate)
      }
      return (free, nil)
    } catch {
      guard rule == .replace, error.code == EEXIST else { throw failure(error, error.code == EEXIST ? name : tried) }
    }
    let old = try trash.trash(name, in: destination)
    do throws(SystemError) {
      try publish(name)
      return (name, old)
    } catch {
      // Another process may have taken the name. If not, the old item gets its name back.
      try? trash.restore(old)
      throw failure(error, name)
    }
  }

  private func failure(_ error: SystemError, _ name: RawPath) -> FileError {
    destination.handle.isGone ? destination.failure(error.code) : FileError("write", name, error.code)
  }
}
