import Testing

@testable import XDnD

@Suite("Copy and paste between programs")
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
    #expect(types(of: to) == [.plainText, "UTF8_STRING", "text/plain", "TEXT", "STRING"])
    #expect(content("UTF8_STRING", of: to) == text)
    #expect(sent == ["UTF8_STRING true"])
    let other = clipboard(selection == .primary ? .clipboard : .primary, of: taker)
    #expect(other.ownerWindow == nil)
    world.expectClean()
  }

  @Test func `content longer than a property arrives whole, in parts that are not kept`() throws {
    let (giver, taker) = (world.program(), world.program())
    let bytes = TestContent.bytes(9 << 20)
    try giver.clipboard.write(DragItem("a/b", bytes))
    #expect(content("a/b", of: taker.clipboard) == bytes)
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
    #expect(types(of: program.clipboard) == ["a/b"])
    #expect(content("a/b", of: program.clipboard) == bytes)
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
    #expect(failure("c/d", of: taker.clipboard) == .transferRefused)
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
    #expect(old.driver.copies.isEmpty)
    #expect(try loaded?.get().bytes == bytes)
    #expect(content("UTF8_STRING", of: old.clipboard) == Array("new".utf8))
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
    #expect(content("a/b", of: other.clipboard) == [3])
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
    #expect(giver.driver.copies.count == 1)
    #expect(types(of: taker.clipboard) == ["c/d"])
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
    #expect(content("a/b", of: taker.clipboard) == [2])
    taker.clipboard.clear()
    #expect(taker.clipboard.ownerWindow == giver.client.dragWindow)
    giver.clipboard.clear()
    world.run()
    #expect(giver.driver.copies.isEmpty)
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
    #expect(content("a/b", of: second.clipboard) == [1])
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
    #expect(failure("a/b", of: taker.clipboard) == .displayClosed)
  }

  // MARK: Owners that do not do as they should

  @Test func `an owner that dies in the middle ends the load at once`() throws {
    let (giver, taker) = (world.program(), world.program())
    try giver.clipboard.write(DragItem("a/b", TestContent.bytes(9 << 20)))
    var loaded: Result<LoadedContent, XDnDError>?
    taker.clipboard.load("a/b") { loaded = $0 }
    world.run(.milliseconds(10))
    #expect(loaded == nil)
    world.server.kill(giver.client)
    world.run(.milliseconds(10))
    #expect(throws: XDnDError(.sourceVanished, "the source is gone")) { try loaded?.get() }
    world.run()
    world.expectClean()
  }

  @Test func `an owner that dies before it answers does too`() {
    let owner = ClipboardPeer(world, owning: .clipboard)
    let taker = world.program()
    owner.onRequest = { [unowned owner] _ in owner.world.server.kill(owner.client) }
    let start = world.now
    #expect(failure("a/b", of: taker.clipboard, within: .seconds(1)) == .sourceVanished)
    #expect(world.now < start + .seconds(5))
    world.run()
    world.expectClean()
  }

  @Test func `an owner that says nothing is given up on, and what comes later is removed`() {
    let owner = ClipboardPeer(world, owning: .clipboard)
    let taker = world.program()
    var late: SelectionRequest?
    owner.onRequest = { late = $0 }
    #expect(failure("a/b", of: taker.clipboard, within: .seconds(11)) == .timedOut)
    owner.content[AtomName("a/b")] = PropertyValue(type: AtomName("a/b"), contents: .bytes([1]))
    if let late { owner.serve(late) }
    world.run()
    world.expectClean()
  }

  @Test func `an owner that lists nothing is taken for one that has text`() {
    let owner = ClipboardPeer(world, owning: .clipboard)
    let taker = world.program()
    let list = AtomName("UTF8_STRING")
    let answers: [PropertyValue?] = [
      nil, PropertyValue(type: .string, contents: .bytes(Array("text".utf8)[...])),
      PropertyValue(type: .atom, contents: .bytes([1, 2, 3])),
    ]
    for answer in answers {
      owner.content[.targets] = answer
      #expect(types(of: taker.clipboard) == ["UTF8_STRING", "STRING"])
    }
    owner.onRequest = { [unowned owner] in owner.answer($0, $0.property) }
    #expect(types(of: taker.clipboard) == ["UTF8_STRING", "STRING"])
    owner.onRequest = nil
    owner.content[.targets] = .atoms([.targets, list, .multiple, .timestamp, list, .saveTargets])
    #expect(types(of: taker.clipboard) == ["UTF8_STRING"])
    owner.content[.targets] = PropertyValue(type: .targets, contents: .atoms([nil, list]))
    #expect(types(of: taker.clipboard) == ["UTF8_STRING"])
    owner.content[.targets] = PropertyValue(type: .atom, contents: .words([0xFFFF_FFFF, 7, 0]))
    #expect(types(of: taker.clipboard) == [])
    world.expectClean()
  }

  @Test func `an endless list of types is no list`() {
    let owner = ClipboardPeer(world, owning: .clipboard)
    owner.content[.targets] = PropertyValue(type: .atom, contents: .words([UInt32](repeating: 1, count: 70_000)))
    var result: Result<[ContentType], XDnDError>?
    world.program().clipboard.types { result = $0 }
    world.run()
    #expect(throws: XDnDError(.tooLarge, "there is more of TARGETS than the limit allows")) { try result?.get() }
    world.expectClean()
  }

  @Test func `more than the limit is not taken, and a load can be cancelled`() throws {
    let (giver, taker) = (world.program(), world.program())
    try giver.clipboard.write(DragItem("a/b", TestContent.bytes(9 << 20)))
    var results: [XDnDError.Code?] = []
    taker.clipboard.load("a/b", limit: 100) { results.append($0.failure) }
    world.run()
    let load = taker.clipboard.load("a/b") { results.append($0.failure) }
    world.run(.milliseconds(5))
    load.cancel()
    world.run()
    #expect(results == [.tooLarge, .cancelled])
    world.expectClean()
  }

  @Test func `a refusal for another selection is not taken for one's own`() {
    let (copied, selected) = (ClipboardPeer(world, owning: .clipboard), ClipboardPeer(world, owning: .primary))
    let taker = world.program()
    var first: SelectionRequest?
    copied.onRequest = { first = $0 }
    var results: [String] = []
    taker.clipboard.load("a/b") { results.append("CLIPBOARD \($0.failure?.description ?? "content")") }
    taker.driver.primarySelection.load("a/b") { results.append("PRIMARY \($0.failure?.description ?? "content")") }
    world.run(.milliseconds(100))
    #expect(results == ["PRIMARY transferRefused"])
    copied.content[AtomName("a/b")] = PropertyValue(type: AtomName("a/b"), contents: .bytes([1]))
    if let first { copied.serve(first) }
    world.run()
    #expect(results == ["PRIMARY transferRefused", "CLIPBOARD content"])
    #expect(selected.requests.count == 1)
    world.expectClean()
  }

  // MARK: -

  private func clipboard(_ selection: AtomName, of program: ClipboardWorld.Program) -> Clipboard {
    selection == .primary ? program.driver.primarySelection : program.clipboard
  }

  private func types(of clipboard: Clipboard) -> [ContentType]? {
    var result: Result<[ContentType], XDnDError>?
    clipboard.types { result = $0 }
    world.run()
    return try? result?.get()
  }

  private func content(_ type: ContentType, of clipboard: Clipboard) -> [UInt8]? {
    var result: Result<LoadedContent, XDnDError>?
    clipboard.load(type) { result = $0 }
    world.run()
    return try? result?.get().bytes
  }

  private func failure(
    _ type: ContentType, of clipboard: Clipboard, within limit: Duration? = nil
  ) -> XDnDError.Code? {
    var result: Result<LoadedContent, XDnDError>?
    clipboard.load(type) { result = $0 }
    world.run(limit)
    return result?.failure
  }
}

extension Result where Failure == XDnDError {
  /// What kind of failure it is; `nil` for a success.
  var failure: XDnDError.Code? {
    if case .failure(let error) = self { error.code } else { nil }
  }
}
