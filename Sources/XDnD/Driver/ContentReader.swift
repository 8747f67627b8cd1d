/// Hands out the bytes of one representation, part by part, for one transfer.
///
/// It is let go of when the transfer ends, however that happens, and frees then what it holds.
protocol ContentReader: AnyObject {
  /// How many there are; `nil` if only the end will tell.
  var byteCount: Int? { get }

  /// The type that the property gets; usually the target that was asked for.
  var propertyType: AtomName? { get }

  /// What the property is made of.
  var unit: PropertyUnit { get }

  /// What there is of the next `count` bytes, in whole units; never waits.
  func read(upTo count: Int) -> ContentPart
}

extension ContentReader {
  var unit: PropertyUnit { .byte }
}

/// What a ``ContentReader`` has at the moment.
enum ContentPart: Equatable, Sendable {
  /// The next bytes; none at the end.
  case bytes(ArraySlice<UInt8>)
  /// Nothing yet. The reader sees to it that ``Reactor/process()`` is called when there is something.
  case pending
  /// They cannot be had.
  case failed

  static let end = ContentPart.bytes([])
}

/// Reads from memory.
final class BytesReader: ContentReader {
  private var rest: ArraySlice<UInt8>
  let byteCount: Int?
  let propertyType: AtomName?
  let unit: PropertyUnit

  /// - Parameter unit: Divides the number of bytes.
  init(_ bytes: [UInt8], propertyType: AtomName? = nil, unit: PropertyUnit = .byte) {
    self.rest = bytes[...]
    self.byteCount = bytes.count
    self.propertyType = propertyType
    self.unit = unit
  }

  func read(upTo count: Int) -> ContentPart {
    let part = rest.prefix(max(1, count / unit.byteCount) * unit.byteCount)
    rest = rest.dropFirst(part.count)
    return .bytes(part)
  }
}
