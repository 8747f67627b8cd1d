import XDnDFiles
import Glibc

/// Watches the directories that files were moved out of, for files that come back and go again: the target undoes the move,
/// and redoes it.
final class MovedFiles {
  /// Readable when ``take()`` has something to return; negative if the process cannot watch directories.
  let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
  private var directories: [CInt: RawPath] = [:]

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Watches the directory of a file from now on.
  ///
  /// - Parameter path: An absolute path.
  func watch(_ path: RawPath) {
    let directory = path.parent
    guard !directories.values.contains(directory) else { return }
    let events = [IN_MOVED_TO, IN_CREATE, IN_MOVED_FROM, IN_DELETE, IN_ONLYDIR].reduce(0) { $0 | UInt32($1) }
    let watch = withCPath(directory) { inotify_add_watch(descriptor, $0, events) }
    if watch >= 0 { directories[watch] = directory }
  }

  /// Returns the paths of the files that have come to the directories or left them since the last call.
  func take() -> Set<RawPath> {
    var paths: Set<RawPath> = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
      buffer[..<count].withUnsafeBytes { events in
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= events.count {
          let event = events.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          // The name is padded with NULs.
          let name = events[(offset + header)..<(offset + header + Int(event.len))].prefix { $0 != 0 }
          if let directory = directories[event.wd] { paths.insert(directory.appending(Array(name))) }
          offset += header + Int(event.len)
        }
      }
    }
    return paths
  }
}
