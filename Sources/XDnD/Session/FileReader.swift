import Glibc

/// Reads a file part by part, so that memory holds no more than one part of it.
final class FileReader: ContentReader {
  let byteCount: Int?
  let propertyType: AtomName? = nil
  private let descriptor: CInt

  /// Opens the file; `nil` if it is not there, is a directory, or may not be read.
  ///
  /// - Parameter path: As the file system has it; it need not be UTF-8.
  init?(path: [UInt8]) {
    let descriptor = (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
    }
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    // Pipes and devices have no size before their end.
    self.byteCount = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit { close(descriptor) }

  func read(upTo count: Int) -> ArraySlice<UInt8>? {
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      while filled < count {
        let got = Glibc.read(descriptor, base + filled, count - filled)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failed = true }
        if got <= 0 { break }
        filled += got
      }
    }
    return failed ? nil : bytes[...]
  }
}
