import Testing

@testable import XDnD

/// What the objects of the driver do with inputs that arrive while they process one.
@Suite("Inbox")
struct InboxTests {
  @Test func `what comes while an input is processed is processed after it, in order`() {
    let inbox = Inbox<Int>()
    var processed: [Int] = []
    func receive(_ input: Int) {
      inbox.process(input) { input in
        processed.append(input)
        if input == 1 { [2, 3].forEach(receive) }
        if input == 2 { receive(4) }
      }
    }
    receive(1)
    receive(5)
    #expect(processed == [1, 2, 3, 4, 5])
  }
}
