import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Copy and paste between programs", .computing)
struct ClipboardTests {
  let simulation = Simulation.recordingIssues()
  let text: [UInt8] = Array("Grüße".utf8)

  @Test(arguments: [AtomName.clipboard, .primary])
  func `what one program copies another one pastes`(_ selection: AtomName) throws {
    let (giver, taker) = (simulation.program(), simulation.program())
    let (from, to) = (clipboard(selection, of: giver), clipboard(selection, of: taker))
    var sent: [String] = []
    from.onSent = { sent.append("\($0) \($1)") }
    try from.write(DragItem("Grüße"))
    #expect(to.ownerWindow == giver.client.dragWindow)
    #expect(simulation.types(of: to) == [.plainText, "UTF8_STRING", "text/plain", "TEXT", "STRING"])
    #expect(simulation.content("UTF8_STRING", of: to) == text)
    #expect(sent == ["UTF8_STRING true"])
    let other = clipboard(selection == .primary ? .clipboard : .primary, of: taker)
    #expect(other.ownerWindow == nil)
    simulation.expectClean()
  }

  @Test func `the text of several items is that of those that have text, and items without a common type are refused`()
    throws
  {
    let (giver, taker) = (simulation.program(), simulation.program())
    try giver.clipboard.write([DragItem(StyledText(html: "<b>one</b>")), DragItem(files: ["/two"]), DragItem("three")])
    var text: Result<String, XDnDError>?
    taker.clipboard.load(String.self) { text = $0 }
    simulation.run()
    #expect(try text?.get() == "one\nthree")
    let picture = DragItem("image/png", [1])
    #expect { try giver.clipboard.write([picture, picture]) } throws: {
      ($0 as? XDnDError)?.code == .transferRefused
    }
    #expect(giver.clipboard.item != nil, "what was there stays")
    simulation.expectClean()
  }

  @Test func `content longer than a property arrives whole, in parts that are not kept`() throws {
    let (giver, taker) = (simulation.program(), simulation.program())
    let bytes = TestContent.bytes(9 << 20)
    try giver.clipboard.write(DragItem("a/b", bytes))
    #expect(simulation.content("a/b", of: taker.clipboard) == bytes)
    var (parts, received): (Int, [UInt8]) = (0, [])
    var result: Result<ContentType, XDnDError>?
    taker.clipboard.load(
      "a/b",
      into: {
        parts += 1
        received += $0
        return true
      }, completion: { result = $0 })
    simulation.run()
    #expect(try result?.get() == "a/b")
    #expect(received == bytes)
    #expect(parts > 10)
    simulation.expectClean()
  }

  @Test(arguments: [10, 5 << 20])
  func `a program can paste what it has copied itself`(_ count: Int) throws {
    let program = simulation.program()
    let bytes = TestContent.bytes(count)
    try program.clipboard.write(DragItem("a/b", bytes))
    #expect(simulation.types(of: program.clipboard) == ["a/b"])
    #expect(simulation.content("a/b", of: program.clipboard) == bytes)
    simulation.expectClean()
  }

  @Test(arguments: [false, true])
  func `a program that was too busy to look gets its own content`(readsEvents: Bool) throws {
    simulation.server.latency = { .zero }
    let program = simulation.program()
    try program.clipboard.write(DragItem("a/b", [1]))
    simulation.run()
    var result: Result<LoadedContent, XDnDError>?
    program.clipboard.load("a/b") { result = $0 }
    program.client.behavior.isFrozen = true
    simulation.run(.seconds(60))
    program.client.behavior.isFrozen = false
    while readsEvents, let arrival = program.client.nextArrival() { program.driver.reactor.receive(arrival) }
    simulation.run()
    #expect(try #require(result).get().bytes == [1])
    simulation.expectClean()
  }

  @Test(arguments: [0, 1])
  func `a program that was busy in a callback gets its own content`(milliseconds: Int) throws {
    simulation.server.latency = { .milliseconds(milliseconds) }
    let program = simulation.program()
    try program.clipboard.write(DragItem("a/b", [1]))
    simulation.run()
    var result: Result<LoadedContent, XDnDError>?
    program.clipboard.types { [simulation] _ in
      program.clipboard.load("a/b") { result = $0 }
      simulation.server.clock.advance(to: simulation.server.clock.now + .seconds(60))
    }
    simulation.run()
    #expect(try #require(result).get().bytes == [1])
    simulation.expectClean()
  }

  @Test func `an empty clipboard says so at once`() {
    let program = simulation.program()
    var types: Result<[ContentType], XDnDError>?
    var loaded: Result<LoadedContent, XDnDError>?
    program.clipboard.types { types = $0 }
    program.clipboard.load("a/b") { loaded = $0 }
    #expect(types == .success([]))
    #expect(throws: XDnDError(.transferRefused, "there is nothing on CLIPBOARD")) { try loaded?.get() }
    #expect(program.clipboard.ownerWindow == nil)
  }

  @Test func `a type that is not there is refused`() throws {
    let (giver, taker) = (simulation.program(), simulation.program())
    try giver.clipboard.write(DragItem("a/b", [1]))
    #expect(simulation.failure("c/d", of: taker.clipboard) == .transferRefused)
    simulation.expectClean()
  }

  // MARK: Whose it is

  @Test func `who loses the clipboard is told once, and who pastes at that moment gets all of it`() throws {
    let (old, new) = (simulation.program(), simulation.program())
    let bytes = TestContent.bytes(9 << 20)
    var losses = 0
    old.clipboard.onLoss = { losses += 1 }
    try old.clipboard.write(DragItem("a/b", bytes))
    simulation.run()
    var loaded: Result<LoadedContent, XDnDError>?
    new.clipboard.load("a/b") { loaded = $0 }
    simulation.run(.milliseconds(10))
    #expect(loaded == nil)
    try new.clipboard.write(DragItem("new"))
    simulation.run()
    #expect(losses == 1)
    #expect(old.clipboard.item == nil)
    #expect(old.clipboard.copyCount == 0)
    #expect(try loaded?.get().bytes == bytes)
    #expect(simulation.content("UTF8_STRING", of: old.clipboard) == Array("new".utf8))
    simulation.expectClean()
  }

  @Test func `what is copied after a loss, before the news of it, stays`() throws {
    let (one, other) = (simulation.program(), simulation.program())
    var losses = 0
    one.clipboard.onLoss = { losses += 1 }
    try one.clipboard.write(DragItem("a/b", [1]))
    try other.clipboard.write(DragItem("a/b", [2]))
    try one.clipboard.write(DragItem("a/b", [3]))
    simulation.run()
    #expect(losses == 0)
    #expect(simulation.content("a/b", of: other.clipboard) == [3])
    simulation.expectClean()
  }

  @Test func `a second copy replaces the first, which is no loss`() throws {
    let (giver, taker) = (simulation.program(), simulation.program())
    var losses = 0
    giver.clipboard.onLoss = { losses += 1 }
    try giver.clipboard.write(DragItem("a/b", [1]))
    try giver.clipboard.write(DragItem("c/d", [2]))
    simulation.run()
    #expect(losses == 0)
    #expect(giver.clipboard.copyCount == 1)
    #expect(simulation.types(of: taker.clipboard) == ["c/d"])
    simulation.expectClean()
  }

  @Test func `clearing removes one's own content, and something new can be copied in the same moment`() throws {
    let (giver, taker) = (simulation.program(), simulation.program())
    var losses = 0
    giver.clipboard.onLoss = { losses += 1 }
    try giver.clipboard.write(DragItem("a/b", [1]))
    giver.clipboard.clear()
    #expect(giver.clipboard.ownerWindow == nil)
    #expect(giver.clipboard.item == nil)
    try giver.clipboard.write(DragItem("a/b", [2]))
    simulation.run()
    #expect(losses == 0)
    #expect(simulation.content("a/b", of: taker.clipboard) == [2])
    taker.clipboard.clear()
    #expect(taker.clipboard.ownerWindow == giver.client.dragWindow)
    giver.clipboard.clear()
    simulation.run()
    #expect(giver.clipboard.copyCount == 0)
    #expect(losses == 0)
    simulation.expectClean()
  }

  @Test func `an earlier time does not take the clipboard, and CurrentTime is no time`() throws {
    let (first, second) = (simulation.program(), simulation.program())
    let early = simulation.server.time
    simulation.run(.seconds(1))
    try first.clipboard.write(DragItem("a/b", [1]), at: .currentTime)
    #expect(throws: XDnDError(.notAcquired, "another program has taken CLIPBOARD")) {
      try second.clipboard.write(DragItem("a/b", [2]), at: early)
    }
    #expect(second.clipboard.item == nil)
    #expect(simulation.content("a/b", of: second.clipboard) == [1])
    simulation.expectClean()
  }

  @Test func `a change of owner is told for as long as somebody listens`() throws {
    let (giver, listener) = (simulation.program(), simulation.program())
    var owners: [WindowID?] = []
    try giver.clipboard.write(DragItem("a/b", [1]))
    listener.clipboard.onOwnerChange = { owners.append($0) }
    try giver.driver.primarySelection.write(DragItem("a/b", [1]))
    simulation.run()
    #expect(owners == [])
    try giver.clipboard.write(DragItem("a/b", [1]))
    simulation.run()
    simulation.server.kill(giver.client)
    simulation.run()
    #expect(owners == [giver.client.dragWindow, nil])
    listener.clipboard.onOwnerChange = nil
    try listener.clipboard.write(DragItem("a/b", [1]))
    simulation.run()
    #expect(owners.count == 2)
    #expect(listener.client.observed == [.xdndSelection])
  }

  @Test func `a lost server is a loss, and the end of each load`() throws {
    let (giver, taker) = (simulation.program(), simulation.program())
    var losses = 0
    giver.clipboard.onLoss = { losses += 1 }
    try giver.clipboard.write(DragItem("a/b", TestContent.bytes(9 << 20)))
    var loaded: Result<LoadedContent, XDnDError>?
    taker.clipboard.load("a/b") { loaded = $0 }
    simulation.run(.milliseconds(10))
    simulation.server.kill(taker.client)
    simulation.server.kill(giver.client)
    for program in [giver, taker] { #expect(throws: XDnDError.displayClosed) { try program.driver.process() } }
    #expect(losses == 1)
    #expect(throws: XDnDError.displayClosed) { try loaded?.get() }
    #expect(throws: XDnDError.displayClosed) { try giver.clipboard.write(DragItem("a/b", [1])) }
    #expect(simulation.failure("a/b", of: taker.clipboard) == .displayClosed)
  }

  @Test func `the end of the library's own object ends each load, and nobody waits for ever`() throws {
    let client = simulation.server.connect()
    _ = SelectionPeer(simulation, owning: .clipboard)
    var driver: DragAndDrop? = try DragAndDrop(system: client, configuration: Configuration(), clock: { .zero })
    let clipboard = driver?.clipboard
    var results: [XDnDError.Code?] = []
    clipboard?.load("a/b") { results.append($0.failure) }
    driver = nil
    clipboard?.types { results.append($0.failure) }
    #expect(results == [.cancelled, .displayClosed])
    #expect(throws: XDnDError.displayClosed) { try clipboard?.write(DragItem("a/b", [1])) }
    #expect(clipboard?.ownerWindow == nil)
  }

  // MARK: -

  private func clipboard(_ selection: AtomName, of program: Simulation.Program) -> Clipboard {
    selection == .primary ? program.driver.primarySelection : program.clipboard
  }
}
