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

  func free() {
    if let data { XFree(data) }
  }

  /// The contents as they were on the wire.
  ///
  /// Xlib has expanded each format-32 unit to a C `long`, which is put right here, in place: the word at index *n* of
  /// the result lies at or before the `long` that it comes from.
  func withWireBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
    guard let data, items > 0 else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    let raw = UnsafeMutableRawPointer(data)
    guard format == 32 else { return body(UnsafeRawBufferPointer(start: raw, count: wireByteCount)) }
    for index in 0..<items {
      let long = raw.load(fromByteOffset: index * MemoryLayout<Int>.stride, as: Int.self)
      raw.storeBytes(of: Format32.word(long), toByteOffset: index * 4, as: UInt32.self)
    }
    return body(UnsafeRawBufferPointer(start: raw, count: wireByteCount))
  }
}
