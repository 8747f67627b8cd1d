// Strict and exact in both directions: a byte order mark is a character, and nothing is repaired or trimmed.
extension TextEncoding {
  /// Decodes bytes; `nil` if they are not valid. Does not decode compound text.
  func string(from bytes: ArraySlice<UInt8>) -> String? {
    switch self {
    case .utf8: return String(validating: bytes, as: UTF8.self)
    case .utf16: return Self.utf16Native.string(from: bytes)
    case .utf16LittleEndian: return Self.utf16(bytes, high: 1, low: 0)
    case .utf16BigEndian: return Self.utf16(bytes, high: 0, low: 1)
    case .utf32: return Self.utf32(bytes)
    case .ascii: return bytes.allSatisfy { $0 < 0x80 } ? String(validating: bytes, as: UTF8.self) : nil
    case .isoLatin1: return Self.singleBytes(bytes) { UInt32($0) }
    case .windows1252:
      return Self.singleBytes(bytes, Self.windows1252Scalar)
    case .compoundText: return nil
    }
  }

  /// Encodes text; `nil` if the encoding lacks a character. Does not encode compound text.
  func bytes(of text: String) -> [UInt8]? {
    switch self {
    case .utf8: return Array(text.utf8)
    case .utf16: return Self.utf16Native.bytes(of: text)
    case .utf16LittleEndian, .utf16BigEndian:
      var bytes: [UInt8] = []
      bytes.reserveCapacity(text.utf8.count * 2)
      for unit in text.utf16 {
        let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
        bytes.append(self == .utf16LittleEndian ? low : high)
        bytes.append(self == .utf16LittleEndian ? high : low)
      }
      return bytes
    case .utf32: return text.unicodeScalars.flatMap { scalar in withUnsafeBytes(of: scalar.value) { Array($0) } }
    case .ascii: return text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.utf8) : nil
    case .isoLatin1: return Self.singleBytes(of: text) { $0 < 0x100 ? UInt8($0) : nil }
    case .windows1252:
      return Self.singleBytes(of: text) { value in
        if value < 0x80 || 0xA0..<0x100 ~= value { return UInt8(value) }
        return Self.windows1252Letters.firstIndex(of: value).map { UInt8($0 + 0x80) }
      }
    case .compoundText: return nil
    }
  }

  /// Decodes UTF-8 in which characters beyond the BMP are two surrogates of three bytes each (CESU-8, Unicode Technical
  /// Report 26), and NUL is two bytes. Tk 8.6 and Java use it internally, and Tk also sends it.
  static func surrogateUTF8(_ bytes: ArraySlice<UInt8>) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == 0xC0, index + 1 < bytes.endIndex, bytes[index + 1] == 0x80 {
        result.append(0)
        index += 2
      } else if bytes[index] == 0xED, let scalar = pair(bytes[index...].prefix(6)) {
        result += String(scalar).utf8
        index += 6
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(validating: result, as: UTF8.self)
  }

  private static func pair(_ slice: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let bytes = Array(slice)
    guard bytes.count == 6, bytes[1] & 0xF0 == 0xA0, bytes[2] & 0xC0 == 0x80,
      bytes[3] == 0xED, bytes[4] & 0xF0 == 0xB0, bytes[5] & 0xC0 == 0x80
    else { return nil }
    let high = UInt32(bytes[1] & 0x0F) << 6 | UInt32(bytes[2] & 0x3F)
    let low = UInt32(bytes[4] & 0x0F) << 6 | UInt32(bytes[5] & 0x3F)
    return Unicode.Scalar(0x1_0000 + (high << 10 | low))
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, high: Int, low: Int) -> String? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    let units = bytes.withUnsafeBufferPointer { bytes in
      [UInt16](unsafeUninitializedCapacity: bytes.count / 2) { units, count in
        for index in 0..<bytes.count / 2 {
          units.initializeElement(at: index, to: UInt16(bytes[2 * index + high]) << 8 | UInt16(bytes[2 * index + low]))
        }
        count = bytes.count / 2
      }
    }
    return String(validating: units, as: UTF16.self)
  }

  private static func utf32(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count.isMultiple(of: 4) else { return nil }
    var text = String.UnicodeScalarView()
    var rest = bytes
    while !rest.isEmpty {
      let unit = rest.prefix(4).withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      guard let scalar = Unicode.Scalar(unit) else { return nil }
      text.append(scalar)
      rest = rest.dropFirst(4)
    }
    return String(text)
  }

  private static func singleBytes(_ bytes: ArraySlice<UInt8>, _ scalar: (UInt8) -> UInt32) -> String? {
    var text = String.UnicodeScalarView()
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      guard let scalar = Unicode.Scalar(scalar(byte)) else { return nil }
      text.append(scalar)
    }
    return String(text)
  }

  private static func singleBytes(of text: String, _ byte: (UInt32) -> UInt8?) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      guard let byte = byte(scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// The code points of the bytes 0x80 to 0x9F.
  private static let windows1252Letters: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  /// Returns the code point of a Windows-1252 byte.
  static func windows1252Scalar(_ byte: UInt8) -> UInt32 {
    0x80..<0xA0 ~= byte ? windows1252Letters[Int(byte) - 0x80] : UInt32(byte)
  }
}
