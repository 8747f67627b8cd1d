import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("Pasting from owners that do not do as they should")
struct ClipboardOwnerTests {
  let simulation = Simulation.recordingIssues()

  @Test func `an owner that dies in the middle ends the load at once`() throws {
    let (giver, taker) = (simulation.program(), simulation.program())
    try giver.clipboard.write(DragItem("a/b", TestContent.bytes(9 << 20)))
    var loaded: Result<LoadedContent, XDnDError>?
    taker.clipboard.load("a/b") { loaded = $0 }
    simulation.run(.milliseconds(10))
    #expect(loaded == nil)
    simulation.server.kill(giver.client)
    simulation.run(.milliseconds(10))
    #expect(throws: XDnDError(.sourceVanished, "the source is gone")) { try loaded?.get() }
    simulation.run()
    simulation.expectClean()
  }

  @Test func `an owner that dies before it answers does too`() {
    let owner = SelectionPeer(simulation, owning: .clipboard)
    let taker = simulation.program()
    owner.onRequest = { [unowned owner] _ in owner.server.kill(owner.client) }
    let start = simulation.now
    #expect(simulation.failure("a/b", of: taker.clipboard, within: .seconds(1)) == .sourceVanished)
    #expect(simulation.now < start + .seconds(5))
    simulation.run()
    simulation.expectClean()
  }

  @Test func `an owner that says nothing is given up on, and what comes later is removed`() {
    let owner = SelectionPeer(simulation, owning: .clipboard)
    let taker = simulation.program()
    var late: SelectionRequest?
    owner.onRequest = { late = $0 }
    #expect(simulation.failure("a/b", of: taker.clipboard, within: .seconds(11)) == .timedOut)
    owner.content[AtomName("a/b")] = PropertyValue(type: AtomName("a/b"), contents: .bytes([1]))
    if let late { owner.serve(late) }
    simulation.run()
    simulation.expectClean()
  }

  @Test(arguments: [false, true])
  func `a refusal that another request may have got leaves nothing of what comes later`(isFirstGivenUp: Bool) {
    let slow = SelectionPeer(simulation, owning: .clipboard)
    slow.content[AtomName("a/b")] = PropertyValue(type: AtomName("a/b"), contents: .bytes([1]))
    let taker = simulation.program()
    var late: SelectionRequest?
    slow.onRequest = { late = $0 }
    taker.clipboard.load("a/b") { _ in }
    simulation.run(.seconds(isFirstGivenUp ? 11 : 1))
    // An owner that has nothing refuses the next request of the type while the one to the slow owner is unanswered.
    let empty = SelectionPeer(simulation, owning: .clipboard)
    #expect(taker.client.owner(of: .clipboard) == empty.window)
    taker.clipboard.load("a/b") { _ in }
    simulation.run(.seconds(1))
    if let late { slow.serve(late) }
    simulation.run()
    simulation.expectClean()
  }

  @Test func `a clipboard that is cleared after its types were read is asked for no other type`() {
    let owner = SelectionPeer(simulation, owning: .clipboard)
    let taker = simulation.program()
    let types = (0..<500).map { AtomName(rawValue: "image/x-\($0)") }
    owner.content[.targets] = PropertyValue(type: .atom, contents: .atoms(types))
    owner.onRequest = { [unowned owner] in
      owner.serve($0)
      owner.server.setOwner(.none, of: .clipboard, at: owner.server.time)
    }
    var result: Result<EncodedImage, XDnDError>?
    taker.clipboard.load(EncodedImage.self) { result = $0 }
    simulation.run(.seconds(1))
    #expect(result?.failure == .transferRefused)
    #expect(taker.client.record.roundTrips < 20)
  }

  @Test func `an owner that lists nothing is taken for one that has text`() {
    let owner = SelectionPeer(simulation, owning: .clipboard)
    let taker = simulation.program()
    let list = AtomName("UTF8_STRING")
    let answers: [PropertyValue?] = [
      nil, PropertyValue(type: .string, contents: .bytes(Array("text".utf8)[...])),
      PropertyValue(type: .atom, contents: .bytes([1, 2, 3])),
    ]
    for answer in answers {
      owner.content[.targets] = answer
      #expect(simulation.types(of: taker.clipboard) == ["UTF8_STRING", "STRING"])
    }
    owner.onRequest = { [unowned owner] in owner.answer($0, with: $0.property) }
    #expect(simulation.types(of: taker.clipboard) == ["UTF8_STRING", "STRING"])
    owner.onRequest = nil
    owner.content[.targets] = .atoms([.targets, list, .multiple, .timestamp, list, .saveTargets])
    #expect(simulation.types(of: taker.clipboard) == ["UTF8_STRING"])
    owner.content[.targets] = PropertyValue(type: .targets, contents: .atoms([nil, list]))
    #expect(simulation.types(of: taker.clipboard) == ["UTF8_STRING"])
    owner.content[.targets] = PropertyValue(type: .atom, contents: .words([0xFFFF_FFFF, 7, 0]))
    #expect(simulation.types(of: taker.clipboard) == [])
    simulation.expectClean()
  }

  @Test func `an endless list of types is no list`() {
    let owner = SelectionPeer(simulation, owning: .clipboard)
    owner.content[.targets] = PropertyValue(type: .atom, contents: .words([UInt32](repeating: 1, count: 70_000)))
    var result: Result<[ContentType], XDnDError>?
    simulation.program().clipboard.types { result = $0 }
    simulation.run()
    #expect(throws: XDnDError(.tooLarge, "TARGETS is larger than 262144 bytes, the limit")) { try result?.get() }
    simulation.expectClean()
  }

  @Test func `more than the limit is not taken, and a load can be cancelled`() throws {
    let (giver, taker) = (simulation.program(), simulation.program())
    try giver.clipboard.write(DragItem("a/b", TestContent.bytes(9 << 20)))
    var results: [XDnDError.Code?] = []
    taker.clipboard.load("a/b", limit: 100) { results.append($0.failure) }
    simulation.run()
    let load = taker.clipboard.load("a/b") { results.append($0.failure) }
    simulation.run(.milliseconds(5))
    load.cancel()
    simulation.run()
    #expect(results == [.tooLarge, .cancelled])
    simulation.expectClean()
  }

  @Test func `a refusal for another selection is not taken for one's own`() {
    let (copied, selected) = (
      SelectionPeer(simulation, owning: .clipboard), SelectionPeer(simulation, owning: .primary)
    )
    let taker = simulation.program()
    var first: SelectionRequest?
    copied.onRequest = { first = $0 }
    var results: [String] = []
    taker.clipboard.load("a/b") { results.append("CLIPBOARD \($0.failure?.description ?? "content")") }
    taker.driver.primarySelection.load("a/b") { results.append("PRIMARY \($0.failure?.description ?? "content")") }
    simulation.run(.milliseconds(100))
    #expect(results == ["PRIMARY transferRefused"])
    copied.content[AtomName("a/b")] = PropertyValue(type: AtomName("a/b"), contents: .bytes([1]))
    if let first { copied.serve(first) }
    simulation.run()
    #expect(results == ["PRIMARY transferRefused", "CLIPBOARD content"])
    #expect(selected.requests.count == 1)
    simulation.expectClean()
  }
}
