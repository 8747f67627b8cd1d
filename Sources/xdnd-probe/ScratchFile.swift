import Glibc
import ToolSupport
import XDnD

/// The content that commands of `--exec` are given: temporary files in `$TMPDIR`, which end with the command, or with the
/// tool.
///
/// What a tool that was killed has left, the next one removes. A command holds the lock of its file, so that a command that
/// outlives the tool keeps its content.
final class ScratchSpace {
  private struct Entry {
    weak var file: ScratchFile?
  }

  private let root: [UInt8]
  private var entries: [Entry] = []

  /// Removes what others have left.
  init() {
    let path = getenv("TMPDIR").map { UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:)) }
    root = argumentPath(path.flatMap { $0.isEmpty ? nil : $0 } ?? Array("/tmp".utf8))
    PrivateDirectory.sweep(shared: root)
  }

  /// A place for content; `nil` if there is none. The file itself is yet to be written.
  func makeFile() -> ScratchFile? {
    guard let directory = try? PrivateDirectory.make(inShared: root) else { return nil }
    let file = ScratchFile(in: directory)
    entries.removeAll { $0.file == nil }
    entries.append(Entry(file: file))
    return file
  }

  /// Removes all that is still there.
  func removeAll() {
    for entry in entries { entry.file?.remove() }
    entries = []
  }
}

/// A file in a directory of its own that nobody else can read; both go with this object.
final class ScratchFile {
  /// Absolute, or beginning with `./`.
  private(set) var path: [UInt8]
  private let directory: PrivateDirectory

  fileprivate init(in directory: PrivateDirectory) {
    self.directory = directory
    path = directory.path + Array("/content".utf8)
  }

  /// Who has it open keeps the file from being swept.
  var lock: CInt { directory.descriptor }

  /// Names it as files of this type are named, for programs that go by that.
  func rename(for type: ContentType) {
    let name = Clipping.name(for: type, suggestedName: nil, fallbackName: "content", database: .system)
    let new = directory.path + [UInt8(ascii: "/")] + Array(name.utf8)
    if withPath(path, { old in withPath(new) { Glibc.rename(old, $0) } }) == 0 { path = new }
  }

  /// Removes it, with whatever a command has put beside it.
  func remove() { directory.remove() }
}
