/// A reader of several contents one after another, with a separator between them.
final class JoinedReader: ContentReader {
  /// The readers that are left, in reverse order: the last one is being read. Each is released when it has ended.
  private var readers: [any ContentReader]
  /// The rest of the separator before the reader that is being read.
  private var separatorRest: ArraySlice<UInt8> = []
  private let separator: [UInt8]
  let byteCount: Int?
  let propertyType: AtomName?
  let unit: PropertyUnit

  /// - Parameters:
  ///   - readers: Their property type and unit are used if they all agree.
  ///   - separator: Goes between any two contents, even if one of them is empty.
  init(_ readers: [any ContentReader], separator: [UInt8] = []) {
    self.readers = readers.reversed()
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
    // A part from a single reader is not copied.
    var joined: ArraySlice<UInt8> = []
    func append(_ part: ArraySlice<UInt8>) {
      if joined.isEmpty { joined = part } else { joined += part }
    }
    while joined.count < count {
      if !separatorRest.isEmpty {
        let part = separatorRest.prefix(count - joined.count)
        separatorRest = separatorRest.dropFirst(part.count)
        append(part)
        continue
      }
      guard let reader = readers.last else { break }
      switch reader.read(upTo: count - joined.count) {
      case .bytes(let part) where part.isEmpty:
        readers.removeLast()
        if !readers.isEmpty { separatorRest = separator[...] }
      case .bytes(let part): append(part)
      case .pending: return joined.isEmpty ? .pending : .bytes(joined)
      // The bytes that were read before are worthless without the rest.
      case .failed: return .failed
      }
    }
    return .bytes(joined)
  }
}
