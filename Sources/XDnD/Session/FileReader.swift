import Glibc

/// Reads a regular file part by part, so that memory holds no more than one part of it.
final class FileReader: ContentReader {
  let byteCount: Int?
  let propertyType: AtomName?
  private let descriptor: CInt

  /// - Parameters:
  ///   - descriptor: Of a regular file; closed at the end.
  ///   - size: What the file system says of its length.
  init(_ descriptor: CInt, size: Int, propertyType: AtomName? = nil) {
    self.descriptor = descriptor
    // Files of /proc say 0 and have content.
    self.byteCount = size == 0 ? nil : size
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
    return failed ? .failed : .bytes(bytes[...])
  }

  /// Opens whatever has this name, and finds out how to read it.
  ///
  /// - Parameter path: As the file system has it; it need not be UTF-8.
  /// - Returns: `nil` if it is not there, is a directory or a socket, or may not be read.
  static func open(_ path: [UInt8], doorbell: Doorbell, propertyType: AtomName?) -> (any ContentReader)? {
    // A named pipe would wait for its writer right here, and a terminal would become ours.
    let descriptor = (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) } ?? -1
    }
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      return nil
    }
    return status.st_mode & S_IFMT == S_IFREG
      ? FileReader(descriptor, size: Int(status.st_size), propertyType: propertyType)
      : PipeReader(descriptor, doorbell: doorbell, propertyType: propertyType)
  }
}
