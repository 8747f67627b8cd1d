/// Pixels in memory, to be shown.
///
/// Two pictures are equal if they are the same one: scenes are compared at each change, and pixels are many.
public struct Picture: Hashable, Sendable {
  /// In device pixels.
  public let size: PixelSize
  private let storage: Storage

  /// Premultiplied 0xAARRGGBB, rows from the top.
  var pixels: [UInt32] { storage.pixels }

  private final class Storage: Sendable {
    let pixels: [UInt32]

    init(_ pixels: [UInt32]) {
      self.pixels = pixels
    }
  }

  /// A picture of premultiplied 0xAARRGGBB, rows from the top; `nil` if they are not as many as the size says.
  public init?(premultipliedARGB pixels: [UInt32], size: PixelSize) {
    guard size.width > 0, size.height > 0, pixels.count == size.width * size.height else { return nil }
    self.size = size
    storage = Storage(pixels)
  }

  /// A picture of bytes that are red, green, blue and not premultiplied alpha, rows from the top without gaps.
  public init?(rgba bytes: [UInt8], size: PixelSize) {
    guard bytes.count == 4 * size.width * size.height else { return nil }
    let pixels = bytes.withUnsafeBufferPointer { bytes in
      stride(from: 0, to: bytes.count, by: 4).map {
        Self.premultiplied(bytes[$0], bytes[$0 + 1], bytes[$0 + 2], alpha: bytes[$0 + 3])
      }
    }
    self.init(premultipliedARGB: pixels, size: size)
  }

  /// As cairo has it.
  static func premultiplied(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8) -> UInt32 {
    let alpha = UInt32(alpha)
    func part(_ channel: UInt8) -> UInt32 { (UInt32(channel) * alpha + 127) / 255 }
    return alpha << 24 | part(red) << 16 | part(green) << 8 | part(blue)
  }

  /// Whether they are the same picture.
  public static func == (one: Picture, other: Picture) -> Bool { one.storage === other.storage }

  /// By identity, as they are compared.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(storage)) }
}
