import CX11

/// One answer of `XGetWindowProperty`. Must be freed once.
struct PropertyPage {
  /// The type that the property has; `.none` if there is no property.
  let type: Atom
  /// 8, 16 or 32; 0 if there is no property.
  let format: Int
  let items: Int
  let bytesAfter: Int
  let data: UnsafeMutablePointer<UInt8>?

  /// How many bytes these items are on the wire.
  var wireByteCount: Int { items * format / 8 }

  /// Takes the answer as Xlib gives it.
  ///
  /// Xlib has expanded each format-32 unit to a C `long`, which is put right here, in place: the word at index *n* of
  /// the result lies at or before the `long` that it comes from.
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

  /// The contents as they were on the wire.
  func withWireBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
    body(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : wireByteCount))
  }
}
