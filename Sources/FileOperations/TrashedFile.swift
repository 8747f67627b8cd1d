internal import XDnDFiles

/// A file, directory or link in the trash.
public struct TrashedFile: Hashable, Sendable {
  /// The absolute path that it had before it was trashed.
  public let originalPath: RawPath
  /// Its absolute path now, in the `files` directory of a trash.
  public let path: RawPath
  /// The path of its `.trashinfo` file, in the `info` directory of that trash.
  let infoPath: RawPath
  /// Device and inode: after the trash was emptied, another file may have the same name.
  let identity: FileStatus.Identity
}
