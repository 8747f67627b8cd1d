/// Writes PNG files without compressing them, so that the tests need no library for it.
package enum PNG {
  /// The file for an image of `width` by `height` pixels, three bytes each.
  package static func encode(width: Int, height: Int, rgb: [UInt8]) -> [UInt8] {
    var lines: [UInt8] = []
    lines.reserveCapacity((width * 3 + 1) * height)
    for line in 0..<height {
      lines.append(0)  // no filter
      lines += rgb[(line * width * 3)..<((line + 1) * width * 3)]
    }
    let header = bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
    return [0x89] + Array("PNG\r\n".utf8) + [0x1a, 0x0a]
      + chunk("IHDR", header) + chunk("IDAT", stored(lines)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(crc(body)))
  }

  /// A zlib stream of stored blocks.
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    stream.reserveCapacity(data.count + data.count / 65_535 * 5 + 11)
    var start = 0
    repeat {
      let end = min(start + 65_535, data.count)
      let count = end - start
      let low = UInt8(count & 0xff)
      let high = UInt8(count >> 8)
      stream += [end == data.count ? 1 : 0, low, high, ~low, ~high]
      stream += data[start..<end]
      start = end
    } while start < data.count
    return stream + bigEndian(Int(adler(data)))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    let table = table
    return ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }
}
