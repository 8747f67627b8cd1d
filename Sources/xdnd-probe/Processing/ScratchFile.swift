import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnD

/// Temporary files in `$TMPDIR` with the content for `--exec` commands. They are removed when the command or the tool
/// ends.
///
/// The next run removes files that a killed run has left behind. A command inherits the lock of its file, so a command
/// that outlives the tool keeps its content.
final class ScratchSpace {
  private struct Entry {
    weak var file: ScratchFile?
  }

  private let root = PrivateDirectory.temporaryRoot
  private var entries: [Entry] = []

  /// Removes files that earlier runs have left behind.
  init() { PrivateDirectory.sweep(shared: root) }

  /// Returns an unwritten file in a new directory; `nil` if the directory cannot be created.
  func makeFile() -> ScratchFile? {
    guard let directory = try? PrivateDirectory.make(inShared: root) else { return nil }
    let file = ScratchFile(in: directory)
    entries.removeAll { $0.file == nil }
    entries.append(Entry(file: file))
    return file
  }

  func removeAll() {
    for entry in entries { entry.file?.remove() }
    entries = []
  }
}

/// A file in a private directory. Both are removed with this object.
final class ScratchFile {
  /// The path, absolute or beginning with `./`.
  private(set) var path: RawPath
  private let directory: PrivateDirectory

  fileprivate init(in directory: PrivateDirectory) {
    self.directory = directory
    path = directory.path.appending(Array("content".utf8))
  }

  /// The lock's descriptor. The file is not swept while any process has it open.
  var lock: CInt { directory.handle.descriptor }

  /// Gives the file an extension that fits its type, for programs that depend on it.
  func rename(for type: ContentType) {
    let name = Clipping.name(for: type, suggestedName: nil, fallbackName: "content", database: .system)
    let new = directory.path.appending(Array(name.utf8))
    if withCPath(path, { old in withCPath(new) { Glibc.rename(old, $0) } }) == 0 { path = new }
  }

  /// Removes the directory with everything in it, including a command's own files.
  func remove() { directory.remove() }
}

extension PrivateDirectory {
  /// `$TMPDIR`, by default `/tmp`: absolute or beginning with `./`.
  static var temporaryRoot: RawPath {
    let path = RawPath.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 }
    return argumentPath(path ?? Array("/tmp".utf8))
  }

  static func temporary() -> PrivateDirectory? { try? make(inShared: temporaryRoot) }
}
