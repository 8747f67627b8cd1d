package import XDnDToolWindow

/// The header of an encoded image: a PNG, JPEG or GIF file.
package struct ImageHeader: Equatable, Sendable {
  /// In the image's own pixels, at least one in each direction.
  package let size: PixelSize

  /// Reads the header without decoding the image; `nil` for other formats and for damaged headers.
  package init?(_ file: [UInt8]) {
    guard let size = Self.png(file) ?? Self.gif(file) ?? Self.jpeg(file), size.width > 0, size.height > 0 else {
      return nil
    }
    self.size = size
  }

  /// PNG, section 11.2.2: the first chunk is IHDR, which begins with width and height.
  private static func png(_ file: [UInt8]) -> PixelSize? {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), file.count >= 24 else { return nil }
    guard file[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    return PixelSize(width: bigEndian(file[16..<20]), height: bigEndian(file[20..<24]))
  }

  /// GIF89a, section 18: the logical screen follows the signature.
  private static func gif(_ file: [UInt8]) -> PixelSize? {
    guard file.starts(with: "GIF8".utf8), file.count >= 10 else { return nil }
    return PixelSize(width: bigEndian(file[6..<8].reversed()), height: bigEndian(file[8..<10].reversed()))
  }

  /// JPEG (ITU T.81), section B.2.2: the frame header is the first segment with a marker SOF0 to SOF15.
  private static func jpeg(_ file: [UInt8]) -> PixelSize? {
    guard file.starts(with: [0xFF, 0xD8]) else { return nil }
    var index = 2
    while index + 9 <= file.count, file[index] == 0xFF {
      let marker = file[index + 1]
      switch marker {
      // A fill byte before the marker.
      case 0xFF: index += 1
      // DHT, JPG and DAC have numbers between those of the frames.
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        return PixelSize(
          width: bigEndian(file[(index + 7)..<(index + 9)]), height: bigEndian(file[(index + 5)..<(index + 7)]))
      default: index += 2 + max(2, bigEndian(file[(index + 2)..<(index + 4)]))
      }
    }
    return nil
  }

  private static func bigEndian(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
