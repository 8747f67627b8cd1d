import XDnDFiles
import Glibc

/// Reads a regular file part by part, so that at most one part of it is in memory.
///
/// It fails at the end if the file was changed meanwhile: the data is then neither the old content nor the new content.
final class FileReader: ContentReader {
  let byteCount: Int?
  let propertyType: AtomName?
  private let descriptor: CInt
  private let status: FileStatus

  /// - Parameters:
  ///   - descriptor: The descriptor of a regular file. The reader takes ownership and closes it.
  ///   - status: The file's status from when it was opened.
  init(_ descriptor: CInt, _ status: FileStatus, propertyType: AtomName? = nil) {
    self.descriptor = descriptor
    self.status = status
    // Files in /proc report 0 and have content.
    self.byteCount = status.size == 0 ? nil : status.size
    self.propertyType = propertyType
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  deinit { close(descriptor) }

  func read(upTo count: Int) -> ContentPart {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let got = Glibc.read(descriptor, base + filled, count - filled)
        if got < 0, errno == EINTR { continue }
        failed = got < 0
        if got <= 0 { break }
        filled += got
      }
    }
    // An empty part is the end.
    return failed || bytes.isEmpty && !isUnchanged ? .failed : .bytes(bytes[...])
  }

  private var isUnchanged: Bool { (try? FileStatus(of: descriptor))?.isUnchanged(since: status) ?? false }

  /// Opens a file, FIFO or device, and creates the reader that suits it.
  ///
  /// - Parameter path: The path, which need not be UTF-8.
  /// - Returns: `nil` if the file does not exist, is a directory or a socket, or cannot be read.
  static func open(_ path: [UInt8], doorbell: Doorbell, propertyType: AtomName?) -> (any ContentReader)? {
    // Without `O_NONBLOCK`, opening a FIFO waits for a writer; without `O_NOCTTY`, a terminal becomes the controlling
    // one.
    guard let descriptor = try? openFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else { return nil }
    guard let status = try? FileStatus(of: descriptor), status.kind != .directory else {
      close(descriptor)
      return nil
    }
    return status.kind == .file
      ? FileReader(descriptor, status, propertyType: propertyType)
      : PipeReader(descriptor, doorbell: doorbell, propertyType: propertyType)
  }
}
