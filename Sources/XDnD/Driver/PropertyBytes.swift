/// The bytes of a property, in a block of memory that is freed with the last reference.
///
/// The block is the server's reply itself: content is not copied on its way to the sink. Nothing else owns it, so the
/// bytes may outlive the request that they answer, and the connection.
package final class PropertyBytes: Sendable {
  // A pointer is not `Sendable`. Any thread may read the block, which does not change after `init`.
  nonisolated(unsafe) private let block: UnsafeMutableRawPointer
  private let range: Range<Int>
  private let free: @Sendable (UnsafeMutableRawPointer) -> Void

  /// Takes ownership of a block of memory, and frees it in the end.
  ///
  /// - Parameters:
  ///   - block: The block, which must not be written any more.
  ///   - range: The place of the bytes in the block.
  ///   - free: Called once.
  init(
    taking block: UnsafeMutableRawPointer, _ range: Range<Int>,
    free: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.block = block
    self.range = range
    self.free = free
  }

  /// Copies an array.
  package convenience init(_ array: [UInt8]) {
    let block = UnsafeMutableRawPointer.allocate(byteCount: array.count, alignment: 1)
    UnsafeMutableRawBufferPointer(start: block, count: array.count).copyBytes(from: array)
    self.init(taking: block, 0..<array.count) { $0.deallocate() }
  }

  deinit { free(block) }

  var count: Int { range.count }

  var isEmpty: Bool { range.isEmpty }

  /// A copy of the bytes.
  var array: [UInt8] { withUnsafeBytes { Array($0) } }

  /// Calls `body` with the bytes, which are valid during the call.
  func withUnsafeBytes<Answer>(_ body: (UnsafeRawBufferPointer) -> Answer) -> Answer {
    withExtendedLifetime(self) {
      body(UnsafeRawBufferPointer(start: block + range.lowerBound, count: range.count))
    }
  }
}

extension PropertyBytes: Equatable {
  package static func == (left: PropertyBytes, right: PropertyBytes) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { left.elementsEqual($0) } }
  }
}
