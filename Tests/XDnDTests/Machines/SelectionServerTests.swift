import Testing

@testable import XDnD

/// Requests for one conversion.
@Suite struct SelectionServerTests {
  var server = SelectionRun()

  @Test mutating func `TARGETS lists what can be asked for, DELETE only if it may be asked for`() {
    #expect(
      server.request("TARGETS") == [
        .reply(
          .atoms([.targets, .timestamp, .multiple, .delete, AtomName("text/plain"), AtomName("image/png")]),
          to: SelectionRun.property, of: SelectionRun.requestor),
        server.answer("TARGETS"),
      ])
    var modest = SelectionRun(allowsDeletion: false)
    guard case .reply(let list, _, _) = modest.request("TARGETS").first else { return }
    #expect(list == .atoms([.targets, .timestamp, .multiple, AtomName("text/plain"), AtomName("image/png")]))
  }

  @Test mutating func `TIMESTAMP is the time at which the selection was taken, not that of the request`() {
    #expect(
      server.request("TIMESTAMP") == [
        .reply(
          PropertyValue(type: .integer, contents: .words([4242])), to: SelectionRun.property,
          of: SelectionRun.requestor),
        server.answer("TIMESTAMP"),
      ])
  }

  @Test func `DELETE is refused where nothing may be moved`() {
    var modest = SelectionRun(allowsDeletion: false)
    #expect(modest.request("DELETE") == [modest.refusal("DELETE")])
  }

  @Test(arguments: [AtomName.clipboard, .primary])
  func `a clipboard lists SAVE_TARGETS, answers it with nothing, and deletes nothing`(_ selection: AtomName) {
    var clipboard = SelectionRun(selection, allowsDeletion: false)
    let types = [AtomName("text/plain"), AtomName("image/png")]
    let list = PropertyValue.atoms([.targets, .timestamp, .multiple, .saveTargets] + types)
    #expect(clipboard.request("TARGETS").first == .reply(list, to: SelectionRun.property, of: SelectionRun.requestor))
    #expect(
      clipboard.request("SAVE_TARGETS").first
        == .reply(
          PropertyValue(type: .null, contents: .words([])), to: SelectionRun.property, of: SelectionRun.requestor))
    #expect(clipboard.request("DELETE").count == 1)
  }

  @Test mutating func `a drag knows no SAVE_TARGETS`() {
    #expect(server.request("SAVE_TARGETS") == [server.refusal("SAVE_TARGETS")])
  }

  @Test mutating func `what was not offered is refused`() {
    #expect(server.request("image/gif") == [server.refusal("image/gif")])
    #expect(!server.machine.isBusy)
  }

  @Test(arguments: [0, 1, 0xFFFF_FFFF, 0x0320_0258] as [UInt32])
  mutating func `any time is served: GTK 4 asks with 0, JUCE with coordinates`(time: UInt32) {
    #expect(server.request("text/plain", time: time).count == 2)
  }

  @Test mutating func `content is opened, written, announced, and its requestor let go`() {
    let destination = server.destination("text/plain")
    #expect(server.request("text/plain") == [.watch(SelectionRun.requestor), .open(server.id(1), destination)])
    #expect(server.transfer(1, .opened(byteCount: 3)) == [.transfer(server.id(1), destination, .stage(upTo: 3))])
    #expect(
      server.transfer(1, .staged(3)) == [
        .transfer(server.id(1), destination, .write(3)), server.answer("text/plain"),
        .transfer(server.id(1), destination, .progressed(bytes: 3)),
        .transfer(server.id(1), destination, .ended(.delivered)), .unwatch(SelectionRun.requestor),
      ])
    #expect(!server.machine.isBusy)
  }

  @Test(arguments: [("P", 512 << 10), ("XdndSelection", 256 << 10)])
  func `parts are short for a requestor that names the property after the selection, as Tk does`(
    property: String, part: Int
  ) {
    var server = SelectionRun(limits: .init())
    let destination = server.destination("text/plain", property: property)
    _ = server.request("text/plain", property: property)
    _ = server.transfer(1, .opened(byteCount: 4 << 20))
    #expect(
      server(.propertyDeleted(destination.property, of: SelectionRun.requestor))
        == [.transfer(server.id(1), destination, .stage(upTo: part))])
  }

  @Test mutating func `a provider that has nothing is a refusal`() {
    _ = server.request("text/plain")
    let effects = server.transfer(1, .refused)
    #expect(effects.first == server.refusal("text/plain"))
    #expect(effects.last == .unwatch(SelectionRun.requestor))
  }

  @Test mutating func `a client older than ICCCM gets its data in the property named like the target`() {
    let effects = server(.request(server.makeRequest("text/plain", property: nil)))
    guard case .open(_, let destination) = effects.last else { return #expect(effects == []) }
    #expect(destination.property == AtomName("text/plain"))
    #expect(
      server(.request(server.makeRequest("TIMESTAMP", property: nil))).last
        == server.answer(
          "TIMESTAMP", property: "TIMESTAMP"))
    #expect(server(.request(server.makeRequest("MULTIPLE", property: nil))) == [server.refusal("MULTIPLE")])
  }

  // MARK: Several at once

  @Test mutating func `two requestors may use one property name, and neither disturbs the other`() {
    let other = WindowID(rawValue: 0x501)
    _ = server.request("text/plain")
    _ = server.request("text/plain", requestor: other)
    _ = server.transfer(1, .opened(byteCount: 101))
    _ = server.transfer(2, .opened(byteCount: 101))
    #expect(
      server(.propertyDeleted(SelectionRun.property, of: other)) == [
        .transfer(server.id(2), server.destination("text/plain", requestor: other), .stage(upTo: 10))
      ])
    #expect(server(.windowVanished(other)).last == .unwatch(other))
    #expect(server(.propertyDeleted(SelectionRun.property, of: SelectionRun.requestor)).count == 1)
  }

  @Test mutating func `a requestor that stalls does not hold up another`() {
    _ = server.request("text/plain", property: "A")
    _ = server.request("image/png", property: "B")
    for id in 1...2 { _ = server.transfer(id, .opened(byteCount: 1000)) }
    for second in 1...30 {
      server.now = .zero + .seconds(second)
      _ = server(.deadlineReached)
      #expect(server(.propertyDeleted(AtomName("B"), of: SelectionRun.requestor)).count == 1)
      _ = server.transfer(2, .staged(10))
    }
    #expect(server(.propertyDeleted(AtomName("A"), of: SelectionRun.requestor)) == [])
    #expect(server.machine.isBusy)
  }

  @Test mutating func `a stalled transfer ends and lets its requestor go`() {
    _ = server.request("text/plain")
    _ = server.transfer(1, .opened(byteCount: 101))
    server.now = server.machine.nextDeadline ?? server.now
    #expect(
      server(.deadlineReached) == [
        .transfer(server.id(1), server.destination("text/plain"), .ended(.stalled)),
        .unwatch(SelectionRun.requestor),
      ])
    #expect(server.machine.nextDeadline == nil)
  }

  @Test mutating func `a second request for the same property ends the first, and both are answered`() {
    _ = server.request("text/plain")
    let effects = server.request("image/png")
    #expect(effects.answers == [server.refusal("text/plain")])
    #expect(effects.contains(.transfer(server.id(1), server.destination("text/plain"), .ended(.stalled))))
    #expect(server.transfer(1, .opened(byteCount: 1)) == [])
    #expect(server.transfer(2, .opened(byteCount: 1), .staged(1)).answers == [server.answer("image/png")])
    #expect(!server.machine.isBusy)
  }

  @Test mutating func `a second request after the first was answered does not answer that one again`() {
    _ = server.request("text/plain")
    _ = server.transfer(1, .opened(byteCount: 101))
    #expect(server.request("image/png").answers == [])
  }

  @Test mutating func `a value written to the property of a transfer ends that transfer`() {
    _ = server.request("text/plain")
    _ = server.transfer(1, .opened(byteCount: 101))
    let effects = server.request("TARGETS")
    #expect(effects.contains(.unwatch(SelectionRun.requestor)))
    #expect(server(.propertyDeleted(SelectionRun.property, of: SelectionRun.requestor)) == [])
    #expect(!server.machine.isBusy)
  }

  @Test mutating func `a server that is cancelled refuses what waits, stops what it writes, and gives nothing more`() {
    var effects = server.request("text/plain", property: "A")
    effects += server.transfer(1, .opened(byteCount: 101))
    effects += server.request("image/png", property: "B")
    let end = server(.cancelled)
    #expect(end.answers == [server.refusal("image/png")])
    #expect(end.contains(.transfer(server.id(1), server.destination("text/plain", property: "A"), .ended(.cancelled))))
    #expect((effects + end).watchBalance == 0)
    #expect(!server.machine.isBusy && server.machine.nextDeadline == nil)
    #expect(server.request("text/plain") == [server.refusal("text/plain")])
    #expect(server(.cancelled) == [])
  }

  @Test mutating func `inputs about what is not there are nothing`() {
    #expect(server(.propertyDeleted(SelectionRun.property, of: SelectionRun.requestor)) == [])
    #expect(server(.windowVanished(SelectionRun.requestor)) == [])
    #expect(server.transfer(9, .staged(1)) == [])
    #expect(server(.deadlineReached) == [])
  }

  @Test(arguments: [DragOutcome.refused, .timedOut, .transferFailed])
  func `a transfer to a target that did not take the drop ends soon, whatever has failed`(outcome: DragOutcome) {
    var server = SelectionRun()
    let target = DropTarget(window: SelectionRun.requestor, destination: SelectionRun.requestor, version: .v5)
    _ = server(.dropped(on: target, .copy, time: SelectionRun.time))
    _ = server.request("text/plain")
    _ = server.transfer(1, .opened(byteCount: 200))
    _ = server(.dragEnded(outcome))
    #expect(server.machine.nextDeadline == .zero + .seconds(1))
  }
}
