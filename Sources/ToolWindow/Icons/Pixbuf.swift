internal import CPangoCairo
internal import Glibc

/// A decoded picture of gdk-pixbuf. All of it runs on the worker's thread, and the sizes of strangers' pictures are looked
/// at before anything is decoded.
struct Pixbuf: ~Copyable {
  /// More pixels than any camera has, and what decoding them takes is still no harm: 400 MB.
  private static let pixelLimit = 100_000_000
  /// In bytes.
  private static let fileLimit = 256 << 20

  private let library: PixbufLibrary
  private let pointer: OpaquePointer

  private init?(_ pointer: OpaquePointer?, _ library: PixbufLibrary) {
    guard let pointer else { return nil }
    self.pointer = pointer
    self.library = library
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// Reads a picture from a file, upright, and smaller if it does not fit.
  ///
  /// - Parameters:
  ///   - side: Of the square that it has to fit into.
  ///   - isScaledUp: For drawings, which are sharp in any size.
  init?(file path: [UInt8], fitting side: Int, isScaledUp: Bool = false, _ library: PixbufLibrary) {
    let loaded = withCPath(path) { path -> OpaquePointer? in
      guard let size = Self.size(ofFile: path, library) else { return nil }
      var error: OpaquePointer?
      defer { g_clear_error(&error) }
      if isScaledUp || max(size.width, size.height) > side {
        return library.newFromFileAtScale(path, Int32(side), Int32(side), 1, &error)
      }
      return library.newFromFile(path, &error)
    }
    guard let loaded else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(loaded)) }
    self.init(library.applyOrientation(loaded), library)
  }

  /// A picture with nothing on it.
  init?(blank library: PixbufLibrary) { self.init(library.new(0, 1, 8, 1, 1), library) }

  /// What the file says its size is, if that is none to be afraid of. Only the beginning of the file is read for it.
  private static func size(ofFile path: UnsafePointer<CChar>, _ library: PixbufLibrary) -> PixelSize? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= fileLimit else { return nil }
    var (width, height): (Int32, Int32) = (0, 0)
    guard library.getFileInfo(path, &width, &height) != nil, width > 0, height > 0,
      Int(width) * Int(height) <= pixelLimit
    else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  var size: PixelSize {
    PixelSize(width: Int(library.getWidth(pointer)), height: Int(library.getHeight(pointer)))
  }

  /// What a PNG file says about itself.
  func text(_ key: String) -> String? {
    library.getOption(pointer, "tEXt::\(key)").map { String(cString: $0) }
  }

  /// Smaller, if it does not fit into a square.
  consuming func fitting(_ side: Int) -> Pixbuf? {
    let size = self.size
    guard max(size.width, size.height) > side else { return self }
    let factor = Double(side) / Double(max(size.width, size.height))
    func scaled(_ length: Int) -> Int32 { Int32(max(1, (Double(length) * factor).rounded())) }
    // GDK_INTERP_BILINEAR, which counts all pixels when it makes a picture smaller.
    return Pixbuf(library.scale(pointer, scaled(size.width), scaled(size.height), 2), library)
  }

  /// Writes a PNG file that says so about itself.
  func save(to path: [UInt8], saying texts: [(String, String)]) -> Bool {
    var keys: [UnsafeMutablePointer<CChar>?] = texts.map { strdup("tEXt::" + $0.0) } + [nil]
    var values: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0.1) } + [nil]
    defer { for string in keys + values { free(string) } }
    var error: OpaquePointer?
    defer { g_clear_error(&error) }
    return withCPath(path) { library.save(pointer, $0, "png", &keys, &values, &error) != 0 }
  }

  /// As the window shows it.
  var picture: Picture? {
    let size = self.size
    let channels = Int(library.getChannels(pointer))
    let stride = Int(library.getRowstride(pointer))
    guard library.getBits(pointer) == 8, channels == 3 || channels == 4, let bytes = library.getPixels(pointer) else {
      return nil
    }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    for line in 0..<size.height {
      var at = bytes + line * stride
      for _ in 0..<size.width {
        pixels.append(Picture.premultiplied(at[0], at[1], at[2], alpha: channels == 4 ? at[3] : 255))
        at += channels
      }
    }
    return Picture(premultipliedARGB: pixels, size: size)
  }
}

extension PixbufLibrary {
  func picture(ofFile path: [UInt8], fitting side: Int, isScaledUp: Bool = false) -> Picture? {
    Pixbuf(file: path, fitting: side, isScaledUp: isScaledUp, self)?.picture
  }

  /// - Parameter bytes: Of a file of any format that is known.
  func picture(decoding bytes: [UInt8], fitting size: PixelSize) -> Picture? {
    var name = Array("/tmp/xdnd-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    unlink(&name)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      rest = rest.dropFirst(count)
    }
    return picture(
      ofFile: Array("/proc/self/fd/\(descriptor)".utf8), fitting: max(1, max(size.width, size.height)))
  }
}

/// A path as C has it.
func withCPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  (path.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { preconditionFailure("the array holds at least the NUL") }
    return body(base)
  }
}
