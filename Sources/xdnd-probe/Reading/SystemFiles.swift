import XDnDFiles
import XDnDToolSupport

extension PrivateDirectory {
  /// `$TMPDIR`, by default `/tmp`: absolute or beginning with `./`.
  static var temporaryRoot: RawPath {
    let path = RawPath.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 }
    return argumentPath(path ?? Array("/tmp".utf8))
  }

  static func temporary() -> PrivateDirectory? { try? make(inShared: temporaryRoot) }
}
