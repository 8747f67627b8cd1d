import Glibc

/// Content that differs everywhere, so that a lost or doubled part is seen.
package enum TestContent {
  package static func bytes(_ count: Int, seed: Int = 0) -> [UInt8] {
    var generator = SplitMix64(spreading: seed)
    let block = 65_521  // A prime, so that parts of a round size never look alike.
    let words = (0..<(min(block, count) / 8 + 1)).map { _ in generator.next() }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      words.withUnsafeBytes { pattern in
        var filled = 0
        while filled < count {
          let part = min(block, count - filled)
          UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<filled + part])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: pattern[..<part]))
          filled += part
        }
      }
      initialized = count
    }
  }

  package static func stream(_ bytes: [UInt8], by length: Int) -> AsyncStream<[UInt8]> {
    AsyncStream { stream in
      for start in stride(from: 0, to: bytes.count, by: length) {
        stream.yield(Array(bytes[start..<min(start + length, bytes.count)]))
      }
      stream.finish()
    }
  }

  /// `==`, without waiting a second for each fifty megabytes.
  package static func isEqual(_ left: [UInt8]?, _ right: [UInt8]) -> Bool {
    guard let left, left.count == right.count else { return false }
    guard !right.isEmpty else { return true }
    return memcmp(left, right, right.count) == 0
  }
}
