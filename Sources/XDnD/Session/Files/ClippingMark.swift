import XDnDLinux
import XDnDFiles
import Glibc

/// The mark of a clipping: a file with dropped content that the user has not turned into a document.
///
/// The mark is an extended attribute, because the file itself holds only the content. It survives moving and editing.
/// It is lost when the file is copied or rewritten without its attributes; the file is then an ordinary one. On file
/// systems without extended attributes there is no mark.
package enum ClippingMark {
  /// The name of the extended attribute. Its value has no meaning.
  package static let attribute = "user.xdnd.clipping"

  /// Returns whether a file has the mark.
  ///
  /// - Parameter rawPath: The path of the file, which need not be UTF-8. Symbolic links are followed.
  package static func isPresent(onFileAt rawPath: [UInt8]) -> Bool {
    !rawPath.contains(0) && withCPath(rawPath) { getxattr($0, attribute, nil, 0) } >= 0
  }

  /// Marks an open file, if its file system supports extended attributes.
  static func put(on descriptor: CInt) {
    let value: [UInt8] = [UInt8(ascii: "1")]
    _ = fsetxattr(descriptor, attribute, value, value.count, 0)
  }
}
