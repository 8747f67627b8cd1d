/// A source of the bytes of one representation, read part by part for one transfer.
///
/// The driver releases it when the transfer ends, successfully or not; that frees its memory and its descriptors.
protocol ContentReader: AnyObject {
  /// The number of bytes; `nil` if it is unknown before the end.
  var byteCount: Int? { get }

  /// The type of the property that is written; `nil` if it is the conversion's target.
  var propertyType: AtomName? { get }

  /// The unit, and so the format, of the property.
  var unit: PropertyUnit { get }

  /// Reads the next bytes: whole units, at most `count` bytes but at least one unit. Never blocks.
  func read(upTo count: Int) -> ContentPart
}

extension ContentReader {
  var unit: PropertyUnit { .byte }
}

/// The result of reading from a ``ContentReader``.
enum ContentPart: Equatable, Sendable {
  /// The next bytes; empty at the end.
  case bytes(ArraySlice<UInt8>)
  /// No bytes yet. When bytes have arrived, the reader wakes the run loop, which calls
  /// ``Reactor/process(hasContentArrived:)``.
  case pending
  /// The content cannot be read.
  case failed

  static let end = ContentPart.bytes([])
}

/// A reader of bytes in memory.
final class BytesReader: ContentReader {
  private var rest: ArraySlice<UInt8>
  let byteCount: Int?
  let propertyType: AtomName?
  let unit: PropertyUnit

  /// - Parameter unit: The number of bytes must be a multiple of its size.
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
