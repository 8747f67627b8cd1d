import Foundation
import Glibc

/// Everything below a directory as it was at one moment: two that are equal have nothing written, made or removed in
/// between.
struct TreeSnapshot: Equatable {
  /// What the file system says of one thing. The time of reading and that of renaming are nobody's business.
  struct Entry: Equatable, CustomStringConvertible {
    let inode: UInt
    let mode: mode_t
    let modified: [Int]
    /// Of a file; of a symbolic link, where it leads.
    let content: Data?

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      inode = UInt(status.st_ino)
      mode = status.st_mode
      modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
      content =
        switch status.st_mode & S_IFMT {
        case S_IFREG: FileManager.default.contents(atPath: path)
        case S_IFLNK: (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { Data($0.utf8) }
        default: nil
        }
    }

    var description: String {
      "\(String(mode, radix: 8)) \(content.map { String(decoding: $0.prefix(80), as: UTF8.self) } ?? "")"
    }
  }

  /// By path from the directory, which itself is the empty one.
  private(set) var entries: [String: Entry] = [:]

  init(of directory: String) throws {
    entries[""] = Entry(directory)
    for path in try FileManager.default.subpathsOfDirectory(atPath: directory) {
      entries[path] = Entry("\(directory)/\(path)")
    }
  }

  /// What is not as it was: changed, new and gone.
  func differences(from before: TreeSnapshot) -> [String] {
    Set(entries.keys).union(before.entries.keys).filter { entries[$0] != before.entries[$0] }.sorted()
  }
}
