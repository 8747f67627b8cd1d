import Glibc

/// Reduces the files that another program has written into a directory of this program to plain data.
///
/// Files and directories get the permissions of new ones, so no file is executable. Symbolic links, devices and FIFOs
/// are removed: they would lead readers that trust the directory out of it. Files and directories are synced, because
/// after a move the other program deletes its originals.
package struct ForeignTree {
  private let file: FileMode
  private let directory: FileMode
  /// For each file with several hard links, the number of its names in the tree.
  private var links: [FileStatus.Identity: Int] = [:]

  /// The permission bits that make a file executable, or run it as another user.
  private static let programBits: FileMode = 0o6111

  /// - Throws: `EPERM` for an executable whose permissions this process must not change: it belongs to another user, or
  ///   has a hard link elsewhere and may have to stay executable there.
  package static func makeData(_ root: OpenDirectory) throws(SystemError) {
    var tree = try ForeignTree(samplingIn: root)
    try tree.countLinks(in: root, depth: 0)
    try tree.prepare(root, depth: 0)
  }

  /// Determines the default permissions in the directory: see ``OpenDirectory/modeOfNewFile()``.
  private init(samplingIn root: OpenDirectory) throws(SystemError) {
    file = try root.modeOfNewFile()
    let name = Array(".xdnd-sample-\(UInt64.random(in: .min ... .max))".utf8)
    try root.makeDirectory(name, mode: 0o777)
    directory = try root.status(of: name).permissions
    try? root.remove(name, isDirectory: true)
  }

  private mutating func countLinks(in directory: OpenDirectory, depth: Int) throws(SystemError) {
    guard depth <= OpenDirectory.greatestDepth else { throw SystemError(ELOOP) }
    for name in try directory.names() {
      let status = try directory.status(of: name)
      if status.kind == .directory {
        try countLinks(in: directory.ownChild(name), depth: depth + 1)
      } else if status.linkCount > 1 {
        links[status.identity, default: 0] += 1
      }
    }
  }

  private func prepare(_ directory: OpenDirectory, depth: Int) throws(SystemError) {
    guard depth <= OpenDirectory.greatestDepth else { throw SystemError(ELOOP) }
    for name in try directory.names() {
      let status = try directory.status(of: name)
      switch status.kind {
      case .file:
        try makeData(name, in: directory, status)
        // An unreadable file cannot be synced by this process.
        guard let number = try? openFile(name, in: directory.descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else {
          continue
        }
        defer { close(number) }
        try syncFile(number)
      case .directory:
        let child = try directory.ownChild(name)
        try prepare(child, depth: depth + 1)
        try SystemError.check(fchmod(child.descriptor, self.directory))
      case .link, .special: try directory.remove(name)
      }
    }
    try? directory.sync()
  }

  private func makeData(_ name: RawPath, in directory: OpenDirectory, _ status: FileStatus) throws(SystemError) {
    let isHereAlone = status.linkCount == 1 || links[status.identity] == status.linkCount
    guard isHereAlone, status.user == geteuid() else {
      if status.mode & Self.programBits != 0 { throw SystemError(EPERM) }
      return
    }
    try directory.setMode(file, of: name)
  }
}
