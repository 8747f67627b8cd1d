/// Several contents one after the other, with the same bytes between any two of them.
final class JoinedReader: ContentReader {
  /// What is still to be read; the first one is being read.
  private var readers: ArraySlice<any ContentReader>
  /// What is left of the separator before the first of ``readers``.
  private var separatorRest: ArraySlice<UInt8> = []
  private let separator: [UInt8]
  let byteCount: Int?
  let propertyType: AtomName?
  let unit: PropertyUnit

  /// - Parameters:
  ///   - readers: Type and unit of the property are those that they all agree on.
  ///   - separator: Goes between two contents, also where one of them is empty.
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
        // It is freed now, and not when all the others have been read.
        readers = Array(readers.dropFirst())[...]
        if !readers.isEmpty { separatorRest = separator[...] }
      case .bytes(let part): joined = joined.isEmpty ? part : joined + part
      case .pending: return joined.isEmpty ? .pending : .bytes(joined)
      // What was read before is worth nothing without the rest.
      case .failed: return .failed
      }
    }
    return .bytes(joined)
  }
}
