import Testing

@testable import XDnD

/// How much is served at once, whatever is asked for.
@Suite struct ServingLimitTests {
  typealias Effect = SelectionServer.Effect

  private static let limits = SelectionServer.ServingLimits()

  /// With a limit of three transfers, two for one client, and eight that wait, two of them from one client.
  private static func makeSmall() -> SelectionRun {
    SelectionRun(serving: .init(total: 3, perClient: 2, waiting: 8))
  }

  /// A window of one of several clients, which have 256 ids each.
  private static func window(_ client: UInt32, _ number: UInt32 = 1) -> WindowID {
    WindowID(rawValue: client << 8 | number)
  }

  private static func deliver(_ id: TransferID, _ server: inout SelectionRun) -> [Effect] {
    server(.transfer(id, .opened(byteCount: 1))) + server(.transfer(id, .staged(1)))
  }

  @Test func `a thousand requests of one client open a few transfers at once`() {
    var server = SelectionRun()
    let effects = (1...1000).flatMap { server.request("text/plain", property: "P\($0)") }
    #expect(effects.opened.count == Self.limits.perClient)
    #expect(effects.answers.count == 1000 - Self.limits.perClient - Self.limits.waitingPerClient)
    #expect(effects.filter { $0.isBeyondLimit }.count == effects.answers.count)
  }

  @Test func `all windows of one client count as one, and those of many are bounded together`() {
    var server = SelectionRun()
    let own = (1...255).flatMap { server.request("text/plain", requestor: Self.window(7, $0)) }
    #expect(own.opened.count == Self.limits.perClient)
    let others = (8...1000).flatMap { server.request("text/plain", requestor: Self.window($0)) }
    #expect(own.opened.count + others.opened.count == Self.limits.total)
  }

  @Test func `a request that waits has its turn when another is over, in the order of asking`() {
    var server = Self.makeSmall()
    for property in ["A", "B", "C", "D"] { _ = server.request("text/plain", property: property) }
    #expect(server.machine.isBusy)
    let effects = Self.deliver(server.id(1), &server)
    #expect(effects.last == .open(server.id(3), server.destination("text/plain", property: "C")))
    #expect(Self.deliver(server.id(2), &server).opened == [server.id(4)])
    #expect(Self.deliver(server.id(3), &server).opened == [])
    _ = Self.deliver(server.id(4), &server)
    #expect(!server.machine.isBusy)
  }

  @Test func `a client that has as much as it may holds up no other`() {
    var server = Self.makeSmall()
    for property in ["A", "B", "C"] { _ = server.request("text/plain", property: property, requestor: Self.window(1)) }
    #expect(server.request("text/plain", requestor: Self.window(2)).opened == [server.id(4)])
    // Now all are taken, and who is served next is who has asked first and may.
    #expect(server.request("text/plain", requestor: Self.window(3)).opened == [])
    #expect(Self.deliver(server.id(4), &server).opened == [server.id(5)])
    #expect(Self.deliver(server.id(1), &server).opened == [server.id(3)])
  }

  @Test func `a requestor that takes nothing makes room when its time is over`() {
    var server = Self.makeSmall()
    for property in ["A", "B", "C"] { _ = server.request("text/plain", property: property) }
    for id in 1...2 { _ = server.transfer(id, .opened(byteCount: 1000)) }
    server.now = server.machine.nextDeadline ?? server.now
    #expect(server(.deadlineReached).opened == [server.id(3)])
  }

  @Test func `a request that has waited for long enough is refused, and its window let go`() {
    var server = Self.makeSmall()
    var effects = ["A", "B", "C"].flatMap { server.request("text/plain", property: $0) }
    server.now = .zero + server.machine.limits.promise
    effects += server(.deadlineReached)
    #expect(effects.answers.count == 3)
    #expect(effects.watchBalance == 0)
    #expect(!server.machine.isBusy)
  }

  @Test func `what waits when the delivery is cancelled is refused, and its window let go`() {
    var server = Self.makeSmall()
    var effects = ["A", "B", "C"].flatMap { server.request("text/plain", property: $0) }
    effects += server(.cancelled)
    #expect(effects.answers.count == 3 && effects.opened.count == 2)
    #expect(effects.watchBalance == 0)
    #expect(!server.machine.isBusy)
  }

  @Test func `more than may wait is refused at once`() {
    var server = Self.makeSmall()
    let effects = ["A", "B", "C", "D", "E"].flatMap { server.request("text/plain", property: $0) }
    #expect(effects.answers == [server.refusal("text/plain")])
    #expect(effects.watchBalance == 4)
  }

  @Test func `a requestor that vanishes, and one that asks anew, no longer wait`() {
    var server = Self.makeSmall()
    var effects = ["A", "B", "C"].flatMap { server.request("text/plain", property: $0) }
    let again = server.request("image/png", property: "C")
    #expect(again.answers == [server.refusal("text/plain")])
    effects += again + server(.windowVanished(SelectionRun.requestor))
    #expect(effects.watchBalance == 0)
    #expect(!server.machine.isBusy)
    #expect(server.machine.requestors.isEmpty)
  }

  @Test func `the conversions of one request wait for their turn as well, and are answered together`() {
    var server = Self.makeSmall()
    let request = server.makeRequest("MULTIPLE")
    _ = server(.request(request))
    let pairs = ["A", "B", "C"].map {
      ConversionPair(target: AtomName("text/plain"), property: AtomName(rawValue: $0))
    }
    #expect(server(.pairs(pairs, for: request)).opened == [server.id(1), server.id(2)])
    #expect(Self.deliver(server.id(1), &server).opened == [server.id(3)])
    #expect(Self.deliver(server.id(2), &server).answers == [])
    #expect(Self.deliver(server.id(3), &server).answers == [server.answer("MULTIPLE")])
    #expect(!server.machine.isBusy)
  }
}

extension Sequence<SelectionServer.Effect> {
  /// The transfers that providers were asked to begin.
  var opened: [TransferID] { compactMap { if case .open(let id, _) = $0 { id } else { nil } } }
}

extension SelectionServer.Effect {
  fileprivate var isBeyondLimit: Bool {
    if case .ignored(.beyondLimit(.maximumWaitingRequests, _)) = self { true } else { false }
  }
}
