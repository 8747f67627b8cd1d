internal import Files

/// The state of a file, or of a whole tree, at one moment. Two equal stamps mean that nothing has changed in between.
struct Stamp: Hashable, Sendable {
  let status: FileStatus
  /// A hash of everything below, independent of the order in which directories list their entries.
  let contents: UInt64

  init(of name: RawPath, in directory: Directory, depth: Int = 0) throws(FileError) {
    status = try directory.status(of: name)
    var sum: UInt64 = 0
    if status.kind == .directory {
      let child = try directory.child(name, depth: depth)
      for inner in try child.names() {
        sum &+= try Stamp(of: inner, in: child, depth: depth + 1).digest(of: inner)
      }
    }
    contents = sum
  }

  /// Returns the FNV-1a hash of name, identity, size, modification time and contents.
  private func digest(of name: RawPath) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    name.forEach(add)
    for word in [
      UInt64(status.identity.device), UInt64(status.identity.inode), UInt64(bitPattern: Int64(status.size)),
      UInt64(bitPattern: Int64(status.modifiedSeconds)), UInt64(bitPattern: Int64(status.modifiedNanoseconds)),
      contents,
    ] {
      for shift in stride(from: UInt64(0), to: 64, by: 8) { add(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    return hash
  }
}
