/// Bytes as ASCII characters.
extension UInt8 {
  var isASCIISpace: Bool { self == 0x20 || 0x09...0x0D ~= self }

  var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= asciiLowercased }

  var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

  var asciiLowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }

  /// The value of a hexadecimal digit.
  var hexDigitValue: UInt8? {
    switch asciiLowercased {
    case let digit where digit.isASCIIDigit: digit - UInt8(ascii: "0")
    case let letter where UInt8(ascii: "a")...UInt8(ascii: "f") ~= letter: letter - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Returns the bytes with each mark and the two hexadecimal digits after it replaced by the byte that they name:
  /// `%20` of a URI, `=20` of quoted-printable. A mark without digits is literal.
  func unescapingHex(after mark: UInt8) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var rest = self
    while let byte = rest.popFirst() {
      if byte == mark, rest.count >= 2, let high = rest[rest.startIndex].hexDigitValue,
        let low = rest[rest.startIndex + 1].hexDigitValue
      {
        bytes.append(high << 4 | low)
        rest.removeFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
  /// The bytes without surrounding spaces and line ends.
  var trimmingASCIISpaces: Self {
    guard let last = lastIndex(where: { !$0.isASCIISpace }) else { return self[endIndex...] }
    return self[...last].drop(while: \.isASCIISpace)
  }
}
