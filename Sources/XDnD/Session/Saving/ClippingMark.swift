import CEpoll
import Glibc

/// The mark of a file that is a clipping: what was dropped is in it, and nobody has made a document of it.
///
/// It is an extended attribute of the file, because the file itself holds the content and nothing else. It stays when the
/// file is moved or edited, and is lost when something is copied or saved anew without its attributes: then the file is a
/// file like any other. Where the file system has no such attributes, there is no mark.
public enum ClippingMark {
  /// The name of the attribute. Its value says nothing.
  public static let attribute = "user.xdnd.clipping"

  /// Whether a file has the mark.
  ///
  /// - Parameter rawPath: As the file system has it; symbolic links are followed.
  public static func isPresent(onFileAt rawPath: [UInt8]) -> Bool {
    !rawPath.contains(0) && withCPath(rawPath) { getxattr($0, attribute, nil, 0) } >= 0
  }

  /// Marks an open file, if its file system can.
  static func put(on descriptor: CInt) {
    let value: [UInt8] = [UInt8(ascii: "1")]
    _ = fsetxattr(descriptor, attribute, value, value.count, 0)
  }
}
