internal import XDnDLoadedLibraries
internal import XDnDFiles
internal import XDnDLinux
internal import Glibc

/// A picture decoded by gdk-pixbuf, on the thread of ``IconWorker`` or, for `--icon`, before the window is created. The
/// size of untrusted pictures is checked before they are decoded.
struct Pixbuf: ~Copyable {
  /// The maximum number of pixels; decoding them takes up to 400 MB.
  private static let pixelLimit = 100_000_000
  /// The maximum size of a file, in bytes.
  private static let fileLimit = 256 << 20

  /// Whether gdk-pixbuf is installed; without it the tools show neither thumbnails nor theme icons. It is loaded for
  /// the first picture, because loading its dependencies before the window is mapped would cost more than 2 ms.
  static let isAvailable = XDnDLoadPixbuf() != 0

  private let pointer: OpaquePointer

  private init?(_ pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    self.pointer = pointer
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// Decodes an image file, applies its EXIF orientation and scales it down if it does not fit.
  ///
  /// - Parameters:
  ///   - side: The side of the square to fit into, in pixels.
  ///   - isScaledUp: Whether small pictures are scaled up, for vector drawings.
  init?(file path: RawPath, fitting side: Int, isScaledUp: Bool = false) {
    guard Self.isAvailable, let size = Self.size(ofFile: path) else { return nil }
    let loaded = withCPath(path) { path in
      var error: OpaquePointer?
      defer { g_clear_error(&error) }
      if isScaledUp || max(size.width, size.height) > side {
        return gdk_pixbuf_new_from_file_at_scale(path, Int32(side), Int32(side), 1, &error)
      }
      return gdk_pixbuf_new_from_file(path, &error)
    }
    guard let loaded else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(loaded)) }
    self.init(gdk_pixbuf_apply_embedded_orientation(loaded))
  }

  static func blank() -> Pixbuf? { isAvailable ? Pixbuf(gdk_pixbuf_new(GDK_COLORSPACE_RGB, 1, 8, 1, 1)) : nil }

  /// Returns the size that the file declares; `nil` if the file or the size exceeds the limits. Reads only the start
  /// of the file.
  private static func size(ofFile path: RawPath) -> PixelSize? {
    guard let status = try? FileStatus(at: path), status.kind == .file, status.size <= fileLimit else { return nil }
    var (width, height): (Int32, Int32) = (0, 0)
    guard withCPath(path, { gdk_pixbuf_get_file_info($0, &width, &height) }) != nil, width > 0, height > 0,
      Int(width) * Int(height) <= pixelLimit
    else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  var size: PixelSize {
    PixelSize(width: Int(gdk_pixbuf_get_width(pointer)), height: Int(gdk_pixbuf_get_height(pointer)))
  }

  /// Returns the value of a PNG text chunk (`tEXt`).
  func text(_ key: String) -> String? {
    gdk_pixbuf_get_option(pointer, "tEXt::\(key)").map { String(cString: $0) }
  }

  /// Scales the picture down if it does not fit into a square.
  consuming func fitting(_ side: Int) -> Pixbuf? {
    let size = self.size
    guard max(size.width, size.height) > side else { return self }
    let factor = Double(side) / Double(max(size.width, size.height))
    func scaled(_ length: Int) -> Int32 { Int32(max(1, (Double(length) * factor).rounded())) }
    // Bilinear interpolation averages all source pixels when it scales down.
    return Pixbuf(gdk_pixbuf_scale_simple(pointer, scaled(size.width), scaled(size.height), GDK_INTERP_BILINEAR))
  }

  func save(to path: RawPath, texts: [(String, String)]) -> Bool {
    var keys: [UnsafeMutablePointer<CChar>?] = texts.map { strdup("tEXt::" + $0.0) } + [nil]
    var values: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0.1) } + [nil]
    defer { for string in keys + values { free(string) } }
    var error: OpaquePointer?
    defer { g_clear_error(&error) }
    return withCPath(path) { gdk_pixbuf_savev(pointer, $0, "png", &keys, &values, &error) != 0 }
  }

  var picture: Picture? {
    let size = self.size
    let channels = Int(gdk_pixbuf_get_n_channels(pointer))
    let stride = Int(gdk_pixbuf_get_rowstride(pointer))
    guard gdk_pixbuf_get_bits_per_sample(pointer) == 8, channels == 3 || channels == 4,
      let bytes = gdk_pixbuf_get_pixels(pointer)
    else { return nil }
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

/// An image file that is to be decoded.
package enum EncodedPicture: Hashable, Sendable {
  case bytes([UInt8])
  /// An absolute path, as file system bytes. The file is read when it is decoded.
  case file([UInt8])
}

extension Picture {
  /// Decodes an image in any format that gdk-pixbuf supports.
  ///
  /// - Parameter side: The side of the square to fit into, in device pixels.
  init?(decoding image: EncodedPicture, fitting side: Int) {
    switch image {
    case .bytes(let bytes): self.init(decoding: bytes, fitting: side)
    case .file(let path): self.init(file: path, fitting: side)
    }
  }
}

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
    // ``Pixbuf`` loads only gdk-pixbuf's functions for files. The file is unlinked at once, so none is left behind.
    var name = Array("/tmp/xdnd-XXXXXX".utf8CString)
    let descriptor = mkostemp(&name, O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    unlink(&name)
    guard (try? writeAll(bytes[...], to: descriptor)) != nil else { return nil }
    self.init(file: Array("/proc/self/fd/\(descriptor)".utf8), fitting: side)
  }
}
