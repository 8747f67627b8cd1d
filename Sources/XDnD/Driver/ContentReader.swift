/// Hands out the bytes of one representation, part by part, for one transfer.
protocol ContentReader: AnyObject {
  /// How many there are; `nil` if only the end will tell.
  var byteCount: Int? { get }

  /// The type that the property gets; usually the target that was asked for.
  var propertyType: AtomName? { get }

  /// The next `count` bytes, fewer only at the end; `nil` if they cannot be had.
  func read(upTo count: Int) -> ArraySlice<UInt8>?
}

/// Reads from memory.
final class BytesReader: ContentReader {
  private var rest: ArraySlice<UInt8>
  let byteCount: Int?
  let propertyType: AtomName?

  init(_ bytes: [UInt8], propertyType: AtomName? = nil) {
    self.rest = bytes[...]
    self.byteCount = bytes.count
    self.propertyType = propertyType
  }

  func read(upTo count: Int) -> ArraySlice<UInt8>? {
    let part = rest.prefix(count)
    rest = rest.dropFirst(count)
    return part
  }
}
