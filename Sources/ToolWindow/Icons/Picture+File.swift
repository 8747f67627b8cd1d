extension Picture {
  /// Decodes an image file, applies its EXIF orientation and scales it down if it does not fit.
  ///
  /// - Parameters:
  ///   - path: The path as file system bytes.
  ///   - side: The side of the square to fit into, in device pixels.
  /// - Returns: `nil` if the file cannot be decoded, or if gdk-pixbuf is not installed.
  public init?(file path: [UInt8], fitting side: Int) {
    guard let picture = PixbufLibrary.shared?.picture(ofFile: path, fitting: side) else { return nil }
    self = picture
  }
}
