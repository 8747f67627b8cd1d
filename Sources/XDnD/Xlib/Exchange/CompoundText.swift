import XDnDX11

/// Converts `COMPOUND_TEXT` with Xlib's tables. The process need not have called `setlocale`: libX11 itself converts
/// between compound text and UTF-8.
struct CompoundText {
  let display: DisplayHandle
  let atoms: AtomTable

  /// See ``WindowSystem/text(fromCompoundText:)``.
  func text(fromCompoundText bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty else { return "" }
    // Xlib reads one byte past the end.
    var value = bytes + [0]
    let encoding = XDnDX11.Atom(atoms.atom(AtomName("COMPOUND_TEXT")).rawValue)
    return display.roundTrip { display in
      var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
      var count: Int32 = 0
      let unconverted = value.withUnsafeMutableBufferPointer { value in
        var property = XTextProperty(
          value: value.baseAddress, encoding: encoding, format: 8, nitems: UInt(bytes.count))
        return Xutf8TextPropertyToTextList(display, &property, &list, &count)
      }
      defer { if let list { XFreeStringList(list) } }
      // Negative: an error. Positive: the number of characters that were replaced.
      guard unconverted == 0, let list else { return nil }
      let parts = (0..<Int(count)).map { list[$0].map { String(cString: $0) } ?? "" }
      return parts.joined(separator: "\0")
    }
  }

  /// See ``WindowSystem/compoundText(from:)``.
  func compoundText(from text: String) -> [UInt8]? {
    // Xlib passes ESC through, and it would begin an escape sequence.
    guard !text.isEmpty, !text.utf8.contains(0), !text.utf8.contains(0x1B) else { return text.isEmpty ? [] : nil }
    var string = Array(text.utf8CString)
    let bytes: [UInt8]? = display.roundTrip { display in
      var property = XTextProperty()
      let unconverted = string.withUnsafeMutableBufferPointer { string in
        var list = string.baseAddress
        return Xutf8TextListToTextProperty(display, &list, 1, XCompoundTextStyle, &property)
      }
      defer { if let value = property.value { XFree(value) } }
      guard unconverted == 0, let value = property.value else { return nil }
      return Array(UnsafeBufferPointer(start: value, count: Int(property.nitems)))
    }
    // Xlib drops control characters, and in the C locale combining marks, without an error: verify the round trip.
    guard let bytes, let copy = self.text(fromCompoundText: bytes), copy.utf8.elementsEqual(text.utf8) else {
      return nil
    }
    return bytes
  }
}
