import Testing

@testable import XDnD

@Suite("The queue")
struct QueueTests {
  @Test func `elements leave in the order of their arrival`() {
    var queue = Queue<Int>()
    for element in 1...3 { queue.append(element) }
    #expect(queue.popFirst() == 1)
    queue.append(4)
    #expect(Array(sequence(state: ()) { _ in queue.popFirst() }) == [2, 3, 4])
    #expect(queue.isEmpty)
  }

  @Test func `what is replaced, removed or looked for may be anywhere in it`() {
    var queue = Queue<Int>()
    for element in -1...3 { queue.append(element) }
    #expect(queue.popFirst() == -1)
    queue.append(4)
    #expect(queue.contains { $0 == 0 } && queue.contains { $0 == 4 } && !queue.contains { $0 == 5 })
    queue.replaceAll { $0 == 2 ? nil : $0 * 10 }
    queue.removeAll { $0 == 30 }
    #expect(Array(sequence(state: ()) { _ in queue.popFirst() }) == [0, 10, 40])
  }
}
