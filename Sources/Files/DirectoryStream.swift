import Glibc

/// Reads the names in a directory, one after another.
package final class DirectoryStream {
  private let stream: OpaquePointer
  package let descriptor: CInt

  /// - Parameter descriptor: The stream takes ownership, and closes it even if this initializer throws.
  package init(_ descriptor: CInt) throws(SystemError) {
    guard let stream = fdopendir(descriptor) else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    self.stream = stream
    self.descriptor = descriptor
  }

  deinit { closedir(stream) }

  /// The next name, without "." and ".."; `nil` at the end.
  package func next() throws(SystemError) -> RawPath? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .last }
        return nil
      }
      // A name may be longer than the array that the C header declares.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
      let name = RawPath(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name.isName { return name }
    }
  }
}
