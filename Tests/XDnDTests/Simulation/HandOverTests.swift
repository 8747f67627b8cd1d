import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Handing the clipboard over to a clipboard manager")
struct HandOverTests {
  let simulation = Simulation.recordingIssues()

  @Test(arguments: [true, false])
  func `what a manager has taken can be pasted when the program is gone`(writesNull: Bool) throws {
    let (program, taker, manager) = (simulation.program(), simulation.program(), ModelClipboardManager(simulation))
    manager.writesNull = writesNull
    let long = TestContent.bytes(9 << 20)
    var item = DragItem("a/short", [1, 2, 3])
    item.promise("a/long", bytes: long)
    item.promise("a/empty", bytes: [])
    var losses = 0
    program.clipboard.onLoss = { losses += 1 }
    try program.clipboard.write(item)
    #expect(handOver(program) == .taken)
    #expect(losses == 0)
    #expect(program.clipboard.item == nil)
    #expect(program.clipboard.ownerWindow == manager.window)
    simulation.expectClean()
    simulation.server.kill(program.client)
    simulation.run()
    var loaded: [UInt8]?
    taker.clipboard.load("a/short") { loaded = try? $0.get().bytes }
    simulation.run()
    #expect(loaded == [1, 2, 3])
    #expect(manager.saved[AtomName("a/long")] == long)
    #expect(manager.saved[AtomName("a/empty")] == [])
  }

  @Test func `without a manager, or without anything to hand over, the answer comes at once`() throws {
    let program = simulation.program()
    var answers: [HandOver] = []
    program.clipboard.handOver { answers.append($0) }
    try program.clipboard.write(DragItem("a/b", [1]))
    program.clipboard.handOver { answers.append($0) }
    _ = ModelClipboardManager(simulation)
    try program.driver.primarySelection.write(DragItem("a/b", [1]))
    program.driver.primarySelection.handOver { answers.append($0) }
    #expect(answers == [.nothingToHandOver, .noManager, .nothingToHandOver])
  }

  @Test func `a manager that does not want it, is silent or dies is no end of the world`() throws {
    let (program, manager) = (simulation.program(), ModelClipboardManager(simulation))
    try program.clipboard.write(DragItem("a/b", [1]))
    manager.onRequest = { [unowned manager] in manager.answer($0, with: nil) }
    #expect(handOver(program) == .refused)
    simulation.expectClean()
    manager.onRequest = { _ in }
    let start = simulation.now
    #expect(handOver(program, within: .seconds(3)) == .timedOut)
    #expect(simulation.now >= start + .seconds(3))
    simulation.expectClean()
    manager.onRequest = { [unowned manager] _ in manager.server.kill(manager.client) }
    #expect(handOver(program) == .refused)
    simulation.expectClean()
    #expect(program.clipboard.item != nil)
  }

  @Test func `another program that copies meanwhile is a loss`() throws {
    let (program, other, manager) = (simulation.program(), simulation.program(), ModelClipboardManager(simulation))
    manager.takesClipboard = false
    var losses = 0
    program.clipboard.onLoss = { losses += 1 }
    try program.clipboard.write(DragItem("a/b", TestContent.bytes(9 << 20)))
    var answer: HandOver?
    program.clipboard.handOver { answer = $0 }
    simulation.run(.milliseconds(10))
    try other.clipboard.write(DragItem("a/b", [1]))
    simulation.run()
    #expect(losses == 1)
    #expect(answer == .taken)
    #expect(manager.saved[AtomName("a/b")]?.count == 9 << 20)
    simulation.expectClean()
  }

  private func handOver(_ program: Simulation.Program, within limit: Duration = .seconds(10)) -> HandOver? {
    var answer: HandOver?
    program.clipboard.handOver(within: limit) { answer = $0 }
    simulation.run()
    return answer
  }
}
