extension Picture {
  /// Reads a picture from a file, upright, and smaller if it does not fit.
  ///
  /// - Parameters:
  ///   - path: As the bytes that the file system has.
  ///   - side: Of the square that it has to fit into, in device pixels.
  /// - Returns: `nil` if it cannot be read, or where gdk-pixbuf is not installed.
  public init?(file path: [UInt8], fitting side: Int) {
    guard let picture = PixbufLibrary.shared?.picture(ofFile: path, fitting: side) else { return nil }
    self = picture
  }

  /// Premultiplied 0xAARRGGBB, rows from the top.
  public var premultipliedARGB: [UInt32] { pixels }
}
