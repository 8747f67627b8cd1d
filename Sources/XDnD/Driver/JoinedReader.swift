/// A reader of several contents one after another, with a separator between them.
final class JoinedReader: ContentReader {
  /// The readers that are left. The first one is being read.
  private var readers: ArraySlice<any ContentReader>
  /// The rest of the separator before the first of ``readers``.
  private var separatorRest: ArraySlice<UInt8> = []
  private let separator: [UInt8]
  let byteCount: Int?
  let propertyType: AtomName?
  let unit: PropertyUnit

  /// - Parameters:
  ///   - readers: Their property type and unit are used if they all agree.
  ///   - separator: Goes between any two contents, also if one of them is empty.
  init(_ readers: [any ContentReader], separator: [UInt8] = []) {
    self.readers = readers[...]
    self.separator = separator
    let separators = separator.count * max(0, readers.count - 1)
    byteCount = readers.reduce(separators) { sum, reader in
      guard let sum, let count = reader.byteCount else { return nil }
      return sum + count
    }
    let first = readers.first
    propertyType = readers.allSatisfy { $0.propertyType == first?.propertyType } ? first?.propertyType : nil
    unit = readers.allSatisfy { $0.unit == first?.unit } ? first?.unit ?? .byte : .byte
  }

  func read(upTo count: Int) -> ContentPart {
    var joined: ArraySlice<UInt8> = []
    while joined.count < count {
      if !separatorRest.isEmpty {
        let part = separatorRest.prefix(count - joined.count)
        separatorRest = separatorRest.dropFirst(part.count)
        joined += part
        continue
      }
      guard let reader = readers.first else { break }
      switch reader.read(upTo: count - joined.count) {
      case .bytes(let part) where part.isEmpty:
        // Release it now, and not after all others.
        readers = Array(readers.dropFirst())[...]
        if !readers.isEmpty { separatorRest = separator[...] }
      case .bytes(let part): joined = joined.isEmpty ? part : joined + part
      case .pending: return joined.isEmpty ? .pending : .bytes(joined)
      // The bytes that were read before are worthless without the rest.
      case .failed: return .failed
      }
    }
    return .bytes(joined)
  }
}
