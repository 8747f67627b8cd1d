import Synchronization
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("The bytes of a property")
struct PropertyBytesTests {
  /// Makes blocks of memory, and counts how many of them have been freed.
  private final class Memory: Sendable {
    private let count = Atomic<Int>(0)

    var freed: Int { count.load(ordering: .relaxed) }

    /// Bytes in a block that begins with a head, as a reply does.
    func bytes(_ content: [UInt8], after head: [UInt8] = [0xEE, 0xEE]) -> PropertyBytes {
      let whole = head + content
      let block = UnsafeMutableRawPointer.allocate(byteCount: whole.count, alignment: 1)
      UnsafeMutableRawBufferPointer(start: block, count: whole.count).copyBytes(from: whole)
      return PropertyBytes(taking: block, head.count..<whole.count) { [self] in
        $0.deallocate()
        count.add(1, ordering: .relaxed)
      }
    }

    func page(_ content: [UInt8]) -> ContentPage {
      let header = PropertyHeader(type: .utf8String, format: 8, byteCount: content.count)
      return ContentPage(header: header, bytes: bytes(content), left: 0)
    }
  }

  private let memory = Memory()

  @Test func `they are what follows the head`() {
    let bytes = memory.bytes([1, 2, 3])
    #expect(bytes.count == 3)
    #expect(!bytes.isEmpty)
    #expect(bytes.array == [1, 2, 3])
    #expect(bytes == PropertyBytes([1, 2, 3]))
    #expect(bytes != PropertyBytes([1, 2]))
    #expect(bytes != PropertyBytes([1, 2, 4]))
    #expect(memory.bytes([]).isEmpty)
    #expect(memory.bytes([]) == PropertyBytes([]))
  }

  @Test func `the block is freed once, with the last of several pages that hold it`() {
    var queue = [memory.page([1, 2, 3])]
    queue.append(queue[0])
    #expect(queue[0] == queue[1])
    queue.removeFirst()
    #expect(memory.freed == 0)
    queue.removeFirst()
    #expect(memory.freed == 1)
  }

  @Test func `a page that no load waits for any more is freed when its turn has come`() {
    let pair = DragPair()
    pair.target.reactor.receive(.answer(Answer(to: nil) { [page = memory.page([1, 2, 3])] in _ = page }))
    #expect(memory.freed == 1)
  }
}
