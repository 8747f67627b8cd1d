/// Something in the trash, and where it came from.
public struct TrashedFile: Hashable, Sendable {
  /// Where it was.
  public let originalPath: RawPath
  /// Where it is now, in the `files` directory of a trash.
  public let path: RawPath
  /// Its description, in the `info` directory of that trash.
  let infoPath: RawPath
  /// By which it is recognised: the trash may have been emptied, and the name given to something else.
  let identity: FileStatus.Identity
}
