import Testing

@testable import XDnD

/// `DELETE`: who may ask for it, when, and when it counts.
@Suite struct DeletionTests {
  typealias Effect = SelectionServer.Effect

  static let proxy = WindowID(rawValue: 0x700)
  static let target = DropTarget(window: SelectionRun.requestor, destination: SelectionRun.requestor, version: .v5)
  /// Another window of the target's client, as GTK 3 and Qt ask from.
  static let hidden = WindowID(rawValue: SelectionRun.requestor.rawValue | 0x12)
  static let stranger = WindowID(rawValue: 0x900)

  var server = SelectionRun()

  private func isAnswered(_ effects: [Effect]) -> Bool {
    effects.contains { if case .notify(let notify) = $0 { notify.property != nil } else { false } }
  }

  private func refusal(_ requestor: WindowID) -> Effect { .ignored(.unexpectedDeletion(requestor: requestor)) }

  private mutating func drop(_ operation: DragOperation, on target: DropTarget = Self.target) {
    _ = server(.dropped(on: target, operation, time: SelectionRun.time))
  }

  @Test mutating func `a target that asks before Finished is answered, and it counts with Finished`() {
    drop(.move)
    let effects = server.request("DELETE")
    #expect(
      effects == [
        .reply(PropertyValue(type: .null, contents: .words([])), to: SelectionRun.property, of: SelectionRun.requestor),
        server.answer("DELETE"),
      ])
    #expect(server(.dragEnded(.dropped(.move))) == [.deletionRequested])
  }

  @Test mutating func `a target that asks after Finished is answered, and it counts at once, and once`() {
    drop(.move)
    #expect(server(.dragEnded(.dropped(.move))) == [])
    #expect(server.request("DELETE").first == .deletionRequested)
    let again = server.request("DELETE")
    #expect(isAnswered(again))
    #expect(!again.contains(.deletionRequested))
  }

  @Test mutating func `while the drag hovers it is refused, and does not count later`() {
    #expect(server.request("DELETE") == [refusal(SelectionRun.requestor), server.refusal("DELETE")])
    drop(.move)
    #expect(server(.dragEnded(.dropped(.move))) == [])
  }

  @Test(arguments: [DragOperation.copy, .link, .private])
  mutating func `where the target has agreed to something else it is refused`(operation: DragOperation) {
    drop(operation)
    #expect(server.request("DELETE") == [refusal(SelectionRun.requestor), server.refusal("DELETE")])
  }

  @Test(arguments: [
    DragOutcome.dropped(.copy), .unconfirmed(.move), .delivered, .refused, .timedOut, .targetVanished, .transferFailed,
  ])
  mutating func `without a Finished that says move it counts for nothing, before and after`(outcome: DragOutcome) {
    drop(.move)
    #expect(isAnswered(server.request("DELETE")))
    #expect(server(.dragEnded(outcome)) == [refusal(SelectionRun.requestor)])
    #expect(server.request("DELETE") == [refusal(SelectionRun.requestor), server.refusal("DELETE")])
  }

  @Test mutating func `after a drag that was cancelled it is refused`() {
    #expect(server(.dragEnded(.cancelled(.escape))) == [])
    #expect(server.request("DELETE") == [refusal(SelectionRun.requestor), server.refusal("DELETE")])
  }

  @Test mutating func `a target that asks the user may ask for deletion, too`() {
    drop(.ask)
    #expect(isAnswered(server.request("DELETE")))
    #expect(server(.dragEnded(.dropped(.move))) == [.deletionRequested])
  }

  @Test mutating func `another client is refused, whenever it asks`() {
    drop(.move)
    #expect(server.request("DELETE", requestor: Self.stranger).first == refusal(Self.stranger))
    #expect(server(.dragEnded(.dropped(.move))) == [])
    #expect(server.request("DELETE", requestor: Self.stranger).first == refusal(Self.stranger))
  }

  @Test mutating func `the target may ask from a window that nobody sees`() {
    drop(.move)
    #expect(isAnswered(server.request("DELETE", requestor: Self.hidden)))
    #expect(server(.dragEnded(.dropped(.move))) == [.deletionRequested])
  }

  @Test mutating func `behind a proxy, the client of the proxy asks`() {
    drop(.move, on: DropTarget(window: SelectionRun.requestor, destination: Self.proxy, version: .v5))
    #expect(isAnswered(server.request("DELETE", requestor: Self.proxy)))
    #expect(server(.dragEnded(.dropped(.move))) == [.deletionRequested])
  }

  @Test mutating func `the requestor may be our own window, as GTK 4 has it`() {
    let own = server.makeRequest("DELETE").owner
    #expect(server.request("DELETE", requestor: own).first == refusal(own))
    drop(.move)
    #expect(isAnswered(server.request("DELETE", requestor: own)))
    #expect(server(.dragEnded(.dropped(.move))) == [.deletionRequested])
  }

  @Test mutating func `in MULTIPLE the same holds, and the rest of it is served`() {
    let request = server.makeRequest("MULTIPLE")
    _ = server(.request(request))
    let pairs = [
      ConversionPair(target: .delete, property: AtomName("D")),
      ConversionPair(target: .timestamp, property: AtomName("T")),
    ]
    let effects = server(.pairs(pairs, for: request))
    #expect(effects.first == refusal(SelectionRun.requestor))
    let answered = PropertyValue(
      type: .atomPair, contents: .atoms([.delete, nil, .timestamp, AtomName("T")]))
    #expect(effects.contains(.reply(answered, to: SelectionRun.property, of: SelectionRun.requestor)))
  }
}

/// Whether the target that was dropped on has asked for content.
@Suite struct ContentRequestTests {
  var server = SelectionRun()

  private mutating func drop() -> [SelectionServer.Effect] {
    server(.dropped(on: DeletionTests.target, .copy, time: SelectionRun.time))
  }

  @Test mutating func `the first request after the drop is told, and no other`() {
    #expect(drop() == [])
    #expect(server.request("TARGETS").count == 2)
    #expect(server.request("text/plain", property: "A").first == .contentRequested)
    #expect(!server.request("image/png", property: "B").contains(.contentRequested))
  }

  @Test mutating func `a target that has read content while the drag was over it has asked for it`() {
    #expect(!server.request("text/plain", requestor: DeletionTests.hidden).contains(.contentRequested))
    #expect(drop() == [.contentRequested])
    #expect(!server.request("image/png", property: "B").contains(.contentRequested))
  }

  @Test mutating func `what another window read on the way is nothing to the target`() {
    _ = server.request("text/plain", requestor: DeletionTests.stranger)
    #expect(drop() == [])
    #expect(server(.dragEnded(.unconfirmed(.copy))) == [])
    #expect(server.request("text/plain").contains(.contentRequested))
  }

  @Test mutating func `what is refused is no content`() {
    _ = drop()
    #expect(server.request("image/gif") == [server.refusal("image/gif")])
  }

  @Test mutating func `a target that has finished has taken the empty part, though Java leaves it where it is`() {
    _ = drop()
    _ = server.request("text/plain")
    let (id, destination) = (server.id(1), server.destination("text/plain"))
    _ = server(.transfer(id, .opened(byteCount: nil)))
    let (count, part) = (101, 10)
    _ = server(.transfer(id, .staged(count)))
    // The target takes the announcement and eleven parts.
    for _ in 0...(count + part - 1) / part {
      _ = server(.propertyDeleted(SelectionRun.property, of: SelectionRun.requestor))
    }
    #expect(server(.transfer(id, .staged(0))) == [.transfer(id, destination, .write(0))])
    #expect(
      server(.dragEnded(.dropped(.copy))) == [
        .transfer(id, destination, .ended(.delivered)), .unwatch(SelectionRun.requestor),
      ])
  }

  @Test mutating func `a part that has not been taken is still owed after Finished`() {
    _ = drop()
    _ = server.request("text/plain")
    _ = server.transfer(1, .opened(byteCount: 1000))
    #expect(server(.dragEnded(.dropped(.copy))) == [])
    #expect(server.machine.isBusy)
  }
}
