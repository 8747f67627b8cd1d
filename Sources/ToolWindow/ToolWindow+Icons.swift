/// What is found out about icons while the window is already there.
extension ToolWindow {
  /// Readable when ``takeIcons()`` has something to do.
  public var iconDescriptor: CInt { icons.descriptor }

  /// Shows the icons that have been found; never waits.
  public func takeIcons() {
    if icons.update() { invalidate() }
  }

  /// The icon theme of the desktop; `nil` for the symbols that the tools draw.
  public var iconTheme: String? {
    get { icons.theme }
    set {
      guard newValue != icons.theme else { return }
      icons.theme = newValue
      invalidate()
    }
  }

  /// Decodes the bytes of a picture file, of any format that is known here, while everything else goes on.
  ///
  /// - Parameters:
  ///   - size: What it is scaled down to if it is larger.
  ///   - completion: Called by ``takeIcons()``; with `nil` if it is no picture, or one so large that it means harm.
  public func decodePicture(
    _ bytes: [UInt8], fitting size: PixelSize = PixelSize(width: 1024, height: 1024),
    _ completion: @escaping (Picture?) -> Void
  ) { icons.decode(bytes, fitting: size, completion) }
}
