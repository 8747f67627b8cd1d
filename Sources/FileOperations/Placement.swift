internal import Glibc

/// Gives a new item its name in the destination without overwriting another.
struct Placement {
  /// What to do if the name is taken.
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
  ///   - publish: Gives the item a name if it is free, and returns 0 or the error number.
  /// - Returns: The item's name, and the item that had it before.
  /// - Throws: `FileError` with the code `EEXIST` if the name is taken and the rule is ``Rule/refuse``, and with
  ///   `EXDEV` if `publish` returns that.
  func place(
    _ name: RawPath, isDirectory: Bool, rule: Rule, _ publish: (RawPath) -> CInt
  ) throws(FileError) -> (name: RawPath, replaced: TrashedFile?) {
    switch rule {
    case .refuse:
      let code = publish(name)
      guard code == 0 else { throw failure(code, name) }
      return (name, nil)
    case .keepBoth:
      for number in 1..<100_000 {
        let candidate = name.numbered(number, keepingExtension: !isDirectory)
        let code = publish(candidate)
        if code == 0 { return (candidate, nil) }
        guard code == EEXIST else { throw failure(code, candidate) }
      }
      throw failure(EEXIST, name)
    case .replace:
      let code = publish(name)
      if code == 0 { return (name, nil) }
      guard code == EEXIST else { throw failure(code, name) }
      let old = try trash.trash(name, in: destination)
      let second = publish(name)
      if second == 0 { return (name, old) }
      // Another process may have taken the name. If not, the old item gets its name back.
      try? trash.restore(old)
      throw failure(second, name)
    }
  }

  private func failure(_ code: CInt, _ name: RawPath) -> FileError {
    if destination.isGone { return destination.failure(code) }
    return FileError("write", name, code)
  }
}
