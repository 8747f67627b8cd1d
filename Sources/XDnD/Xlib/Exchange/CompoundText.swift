import XDnDX11

/// Decodes `COMPOUND_TEXT` with Xlib's tables. The process need not have called `setlocale`: libX11 itself converts
/// compound text to UTF-8.
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
}
