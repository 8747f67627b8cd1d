import Testing

@testable import XDnD

@Suite struct JoinedReaderTests {
  /// Says the given things one after the other, and the end for ever.
  private final class ScriptedReader: ContentReader {
    let byteCount: Int?
    let propertyType: AtomName? = nil
    private var parts: [ContentPart]

    init(_ parts: [ContentPart], byteCount: Int? = nil) {
      self.parts = parts
      self.byteCount = byteCount
    }

    func read(upTo count: Int) -> ContentPart {
      guard let part = parts.first else { return .end }
      guard case .bytes(let bytes) = part, bytes.count > count else { return parts.removeFirst() }
      parts[0] = .bytes(bytes.dropFirst(count))
      return .bytes(bytes.prefix(count))
    }
  }

  /// All that a reader says until its end, in parts of `length`; how often it had nothing.
  private func all(_ reader: JoinedReader, by length: Int) -> (bytes: [UInt8], pending: Int)? {
    var (bytes, pending) = ([UInt8](), 0)
    while true {
      switch reader.read(upTo: length) {
      case .bytes(let part) where part.isEmpty: return (bytes, pending)
      case .bytes(let part):
        #expect(part.count <= length)
        bytes += part
      case .pending: pending += 1
      case .failed: return nil
      }
    }
  }

  @Test(arguments: 1...9) func `contents come in order, with the separator between any two`(length: Int) {
    let contents: [[UInt8]] = [[1, 2, 3], [], [4], [5, 6, 7, 8]]
    let reader = JoinedReader(contents.map { BytesReader($0) }, separator: [0, 9])
    #expect(reader.byteCount == 14)
    #expect(all(reader, by: length)?.bytes == [1, 2, 3, 0, 9, 0, 9, 4, 0, 9, 5, 6, 7, 8])
    #expect(reader.read(upTo: 5) == .end)
  }

  @Test func `what one of them does not have yet is waited for, and what is there is not held back`() {
    let slow = ScriptedReader([.pending, .bytes([2]), .pending, .bytes([3])])
    let reader = JoinedReader([BytesReader([1]), slow, BytesReader([4])])
    #expect(reader.byteCount == nil)
    #expect(reader.read(upTo: 9) == .bytes([1]))
    #expect(reader.read(upTo: 9) == .bytes([2]))
    #expect(reader.read(upTo: 9) == .bytes([3, 4]))
    #expect(reader.read(upTo: 9) == .end)
  }

  @Test func `one that fails is the failure of all`() {
    let reader = JoinedReader([BytesReader([1]), ScriptedReader([.bytes([2]), .failed]), BytesReader([3])])
    #expect(all(reader, by: 10) == nil)
  }

  @Test func `none at all are an empty content, and one is itself`() {
    #expect(JoinedReader([], separator: [1]).byteCount == 0)
    #expect(JoinedReader([]).read(upTo: 3) == .end)
    let one = JoinedReader([BytesReader([1, 2], propertyType: .utf8String, unit: .short)], separator: [1])
    #expect(one.unit == .short && one.propertyType == .utf8String && one.byteCount == 2)
    let mixed = JoinedReader([BytesReader([1, 2], propertyType: .utf8String, unit: .short), BytesReader([])])
    #expect(mixed.unit == .byte && mixed.propertyType == nil)
  }

  @Test func `each reader is let go of when it has been read`() {
    weak var first: BytesReader?
    let reader = {
      let bytes = BytesReader([1])
      first = bytes
      return JoinedReader([bytes, BytesReader([2, 3])])
    }()
    #expect(reader.read(upTo: 2) == .bytes([1, 2]))
    #expect(first == nil)
  }
}
