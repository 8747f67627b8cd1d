internal import XDnDFiles

/// The state of a file, or of a whole tree, at one moment. Two equal fingerprints mean that nothing has changed in between.
struct Fingerprint: Hashable, Sendable {
  let status: FileStatus
  /// A hash of everything below, independent of the order in which directories list their entries.
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
