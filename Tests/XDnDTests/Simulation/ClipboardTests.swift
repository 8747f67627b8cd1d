import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Copy and paste between programs", .computing)
struct ClipboardTests {
  let world = ClipboardWorld()
  let text: [UInt8] = Array("Grüße".utf8)

  @Test(arguments: [AtomName.clipboard, .primary])
  func `what one program copies another one pastes`(_ selection: AtomName) throws {
    let (giver, taker) = (world.program(), world.program())
    let (from, to) = (clipboard(selection, of: giver), clipboard(selection, of: taker))
    var sent: [String] = []
    from.onSent = { sent.append("\($0) \($1)") }
    try from.write(DragItem("Grüße"))
    #expect(to.ownerWindow == giver.client.dragWindow)
    #expect(world.types(of: to) == [.plainText, "UTF8_STRING", "text/plain", "TEXT", "STRING"])
    #expect(world.content("UTF8_STRING", of: to) == text)
    #expect(sent == ["UTF8_STRING true"])
    let other = clipboard(selection == .primary ? .clipboard : .primary, of: taker)
    #expect(other.ownerWindow == nil)
    world.expectClean()
  }

  @Test func `content longer than a property arrives whole, in parts that are not kept`() throws {
    let (giver, taker) = (world.program(), world.program())
    let bytes = TestContent.bytes(9 << 20)
    try giver.clipboard.write(DragItem("a/b", bytes))
    #expect(world.content("a/b", of: taker.clipboard) == bytes)
    var (parts, received): (Int, [UInt8]) = (0, [])
    var result: Result<ContentType, XDnDError>?
    taker.clipboard.load(
      "a/b",
      into: {
        parts += 1
        received += $0
        return true
      }, completion: { result = $0 })
    world.run()
    #expect(try result?.get() == "a/b")
    #expect(received == bytes)
    #expect(parts > 10)
    world.expectClean()
  }

  @Test(arguments: [10, 5 << 20])
  func `a program can paste what it has copied itself`(_ count: Int) throws {
    let program = world.program()
    let bytes = TestContent.bytes(count)
    try program.clipboard.write(DragItem("a/b", bytes))
    #expect(world.types(of: program.clipboard) == ["a/b"])
    #expect(world.content("a/b", of: program.clipboard) == bytes)
    world.expectClean()
  }

  @Test(arguments: [false, true])
  func `a program that was too busy to look gets its own content`(readsEvents: Bool) throws {
    world.server.latency = { .zero }
    let program = world.program()
    try program.clipboard.write(DragItem("a/b", [1]))
    world.run()
    var result: Result<LoadedContent, XDnDError>?
    program.clipboard.load("a/b") { result = $0 }
    program.client.isFrozen = true
    world.run(.seconds(60))
    program.client.isFrozen = false
    while readsEvents, let arrival = program.client.nextArrival() { program.driver.reactor.receive(arrival) }
    world.run()
    #expect(try #require(result).get().bytes == [1])
    world.expectClean()
  }

  @Test func `an empty clipboard says so at once`() {
    let program = world.program()
    var types: Result<[ContentType], XDnDError>?
    var loaded: Result<LoadedContent, XDnDError>?
    program.clipboard.types { types = $0 }
    program.clipboard.load("a/b") { loaded = $0 }
    #expect(types == .success([]))
    #expect(throws: XDnDError(.transferRefused, "there is nothing on CLIPBOARD")) { try loaded?.get() }
    #expect(program.clipboard.ownerWindow == nil)
  }

  @Test func `a type that is not there is refused`() throws {
    let (giver, taker) = (world.program(), world.program())
    try giver.clipboard.write(DragItem("a/b", [1]))
    #expect(world.failure("c/d", of: taker.clipboard) == .transferRefused)
    world.expectClean()
  }

  // MARK: Whose it is

  @Test func `who loses the clipboard is told once, and who pastes at that moment gets all of it`() throws {
    let (old, new) = (world.program(), world.program())
    let bytes = TestContent.bytes(9 << 20)
    var losses = 0
    old.clipboard.onLoss = { losses += 1 }
    try old.clipboard.write(DragItem("a/b", bytes))
    world.run()
    var loaded: Result<LoadedContent, XDnDError>?
    new.clipboard.load("a/b") { loaded = $0 }
    world.run(.milliseconds(10))
    #expect(loaded == nil)
    try new.clipboard.write(DragItem("new"))
    world.run()
    #expect(losses == 1)
    #expect(old.clipboard.item == nil)
    #expect(old.clipboard.copyCount == 0)
    #expect(try loaded?.get().bytes == bytes)
    #expect(world.content("UTF8_STRING", of: old.clipboard) == Array("new".utf8))
    world.expectClean()
  }

  @Test func `what is copied after a loss, before the news of it, stays`() throws {
    let (one, other) = (world.program(), world.program())
    var losses = 0
    one.clipboard.onLoss = { losses += 1 }
    try one.clipboard.write(DragItem("a/b", [1]))
    try other.clipboard.write(DragItem("a/b", [2]))
    try one.clipboard.write(DragItem("a/b", [3]))
    world.run()
    #expect(losses == 0)
    #expect(world.content("a/b", of: other.clipboard) == [3])
    world.expectClean()
  }

  @Test func `a second copy replaces the first, which is no loss`() throws {
    let (giver, taker) = (world.program(), world.program())
    var losses = 0
    giver.clipboard.onLoss = { losses += 1 }
    try giver.clipboard.write(DragItem("a/b", [1]))
    try giver.clipboard.write(DragItem("c/d", [2]))
    world.run()
    #expect(losses == 0)
    #expect(giver.clipboard.copyCount == 1)
    #expect(world.types(of: taker.clipboard) == ["c/d"])
    world.expectClean()
  }

  @Test func `clearing removes one's own content, and something new can be copied in the same moment`() throws {
    let (giver, taker) = (world.program(), world.program())
    var losses = 0
    giver.clipboard.onLoss = { losses += 1 }
    try giver.clipboard.write(DragItem("a/b", [1]))
    giver.clipboard.clear()
    #expect(giver.clipboard.ownerWindow == nil)
    #expect(giver.clipboard.item == nil)
    try giver.clipboard.write(DragItem("a/b", [2]))
    world.run()
    #expect(losses == 0)
    #expect(world.content("a/b", of: taker.clipboard) == [2])
    taker.clipboard.clear()
    #expect(taker.clipboard.ownerWindow == giver.client.dragWindow)
    giver.clipboard.clear()
    world.run()
    #expect(giver.clipboard.copyCount == 0)
    #expect(losses == 0)
    world.expectClean()
  }

  @Test func `an earlier time does not take the clipboard, and CurrentTime is no time`() throws {
    let (first, second) = (world.program(), world.program())
    let early = world.server.time
    world.run(.seconds(1))
    try first.clipboard.write(DragItem("a/b", [1]), at: .currentTime)
    #expect(throws: XDnDError(.notAcquired, "another program has taken CLIPBOARD")) {
      try second.clipboard.write(DragItem("a/b", [2]), at: early)
    }
    #expect(second.clipboard.item == nil)
    #expect(world.content("a/b", of: second.clipboard) == [1])
    world.expectClean()
  }

  @Test func `a change of owner is told for as long as somebody listens`() throws {
    let (giver, listener) = (world.program(), world.program())
    var owners: [WindowID?] = []
    try giver.clipboard.write(DragItem("a/b", [1]))
    listener.clipboard.onOwnerChange = { owners.append($0) }
    try giver.driver.primarySelection.write(DragItem("a/b", [1]))
    world.run()
    #expect(owners == [])
    try giver.clipboard.write(DragItem("a/b", [1]))
    world.run()
    world.server.kill(giver.client)
    world.run()
    #expect(owners == [giver.client.dragWindow, nil])
    listener.clipboard.onOwnerChange = nil
    try listener.clipboard.write(DragItem("a/b", [1]))
    world.run()
    #expect(owners.count == 2)
    #expect(listener.client.observed == [.xdndSelection])
  }

  @Test func `a lost server is a loss, and the end of each load`() throws {
    let (giver, taker) = (world.program(), world.program())
    var losses = 0
    giver.clipboard.onLoss = { losses += 1 }
    try giver.clipboard.write(DragItem("a/b", TestContent.bytes(9 << 20)))
    var loaded: Result<LoadedContent, XDnDError>?
    taker.clipboard.load("a/b") { loaded = $0 }
    world.run(.milliseconds(10))
    world.server.kill(taker.client)
    world.server.kill(giver.client)
    for program in [giver, taker] { #expect(throws: XDnDError.displayClosed) { try program.driver.process() } }
    #expect(losses == 1)
    #expect(throws: XDnDError.displayClosed) { try loaded?.get() }
    #expect(throws: XDnDError.displayClosed) { try giver.clipboard.write(DragItem("a/b", [1])) }
    #expect(world.failure("a/b", of: taker.clipboard) == .displayClosed)
  }

  @Test func `the end of the library's own object ends each load, and nobody waits for ever`() throws {
    let client = world.server.connect()
    _ = ClipboardPeer(world, owning: .clipboard)
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

  private func clipboard(_ selection: AtomName, of program: ClipboardWorld.Program) -> Clipboard {
    selection == .primary ? program.driver.primarySelection : program.clipboard
  }
}
