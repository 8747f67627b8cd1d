import XDnDX11

/// One reply of `XGetWindowProperty`. The owner must call ``free()`` once.
struct PropertyPage {
  /// The property's actual type; `.none` if there is no property.
  let type: Atom
  /// 8, 16 or 32; 0 if there is no property.
  let format: Int
  let items: Int
  let bytesAfter: Int
  let data: UnsafeMutablePointer<UInt8>?

  /// The size of these items on the wire, in bytes.
  var wireByteCount: Int { items * format / 8 }

  /// Takes ownership of the reply's data.
  ///
  /// Xlib expands each format-32 element to a C `long`. They are packed in place into 32-bit words: word *n* lies at or
  /// before the `long` that it comes from.
  init(type: Atom, format: Int, items: Int, bytesAfter: Int, data: UnsafeMutablePointer<UInt8>?) {
    self.type = type
    self.format = format
    self.items = items
    self.bytesAfter = bytesAfter
    self.data = data
    guard let data, format == 32 else { return }
    let raw = UnsafeMutableRawPointer(data)
    for index in 0..<items {
      let long = raw.load(fromByteOffset: index * MemoryLayout<Int>.stride, as: Int.self)
      raw.storeBytes(of: Format32.word(long), toByteOffset: index * 4, as: UInt32.self)
    }
  }

  func free() {
    if let data { XFree(data) }
  }

  /// The contents as on the wire.
  func withWireBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
    body(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : wireByteCount))
  }
}
