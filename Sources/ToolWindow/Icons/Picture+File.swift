internal import XDnDFiles
internal import Glibc

extension Picture {
  /// Decodes an image file, applies its EXIF orientation and scales it down if it does not fit.
  ///
  /// - Parameters:
  ///   - path: The path as file system bytes.
  ///   - side: The side of the square to fit into, in device pixels.
  /// - Returns: `nil` if the file cannot be decoded, or if gdk-pixbuf is not installed.
  package init?(file path: [UInt8], fitting side: Int) {
    guard let picture = Pixbuf(file: path, fitting: side)?.picture else { return nil }
    self = picture
  }

  /// Decodes the bytes of an image file in any format that gdk-pixbuf supports.
  init?(decoding bytes: [UInt8], fitting side: Int) {
    // gdk-pixbuf reads only files. The file is unlinked at once, so none is left behind.
    var name = Array("/tmp/xdnd-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    unlink(&name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard (try? writeAll(bytes[...], to: descriptor)) != nil else { return nil }
    self.init(file: Array("/proc/self/fd/\(descriptor)".utf8), fitting: side)
  }
}
