/// Icons and pictures, which a worker thread loads.
extension ToolWindow {
  /// A file descriptor that is readable when ``takeIcons()`` has work to do. Owned by the window; do not close it.
  public var iconDescriptor: CInt { icons.descriptor }

  /// Shows the icons found so far and calls the completions of finished decodings. Never blocks.
  public func takeIcons() {
    if icons.update() { invalidate() }
  }

  /// The name of the desktop's icon theme; `nil` shows only the built-in symbols.
  public var iconTheme: String? {
    get { icons.theme }
    set {
      guard newValue != icons.theme else { return }
      icons.theme = newValue
      invalidate()
    }
  }

  /// Decodes the bytes of an image file in the background, in any format that gdk-pixbuf supports.
  ///
  /// - Parameters:
  ///   - size: The picture is scaled down to fit into a square whose side is the larger of width and height, in device
  ///     pixels.
  ///   - completion: Called by ``takeIcons()``. The argument is `nil` if the bytes are no image or exceed the decoder's
  ///     limits (100 million pixels, 256 MiB).
  public func decodePicture(
    _ bytes: [UInt8], fitting size: PixelSize = PixelSize(width: 1024, height: 1024),
    _ completion: @escaping (Picture?) -> Void
  ) { icons.decode(bytes, fitting: size, completion) }
}
