import Testing

@testable import XDnD

/// Requests for several conversions at once.
@Suite struct MultipleTests {
  var server = SelectionRun()

  func pair(_ target: String?, _ property: String?) -> ConversionPair {
    ConversionPair(target: target.map { AtomName(rawValue: $0) }, property: property.map { AtomName(rawValue: $0) })
  }

  /// Asks for `pairs`, and gives what comes of it at once.
  mutating func multiple(_ pairs: [ConversionPair]?) -> [SelectionServer.Effect] {
    let request = server.makeRequest("MULTIPLE")
    #expect(server(.request(request)) == [.readPairs(request)])
    return server(.pairs(pairs, for: request))
  }

  /// The list as it is written back.
  func list(_ names: String?...) -> SelectionServer.Effect {
    .reply(
      PropertyValue(
        type: .atomPair, contents: .atoms(names.map { $0.map { AtomName(rawValue: $0) } })),
      to: SelectionRun.property, of: SelectionRun.requestor)
  }

  @Test mutating func `a request is answered once, when each conversion is`() {
    var effects = multiple([pair("text/plain", "A"), pair("TIMESTAMP", "T"), pair("image/png", "B")])
    #expect(effects.answers == [])
    #expect(effects.count == 5)
    effects = server.transfer(1, .opened(byteCount: 2), .staged(2))
    #expect(effects.answers == [])
    effects = server.transfer(2, .opened(byteCount: 101))
    #expect(
      Array(effects.suffix(2)) == [
        list("text/plain", "A", "TIMESTAMP", "T", "image/png", "B"), server.answer("MULTIPLE"),
      ])
    #expect(server(.propertyDeleted(AtomName("B"), of: SelectionRun.requestor)).answers == [])
    #expect(server.transfer(2, .staged(0)).answers == [])
    #expect(server(.propertyDeleted(AtomName("B"), of: SelectionRun.requestor)).answers == [])
    #expect(!server.machine.isBusy)
  }

  @Test mutating func `a conversion that fails gets None for its property, the others stand`() {
    _ = multiple([pair("text/plain", "A"), pair("image/png", "B")])
    _ = server.transfer(1, .refused)
    let effects = server.transfer(2, .opened(byteCount: 1), .staged(1))
    #expect(effects.contains(list("text/plain", nil, "image/png", "B")))
    #expect(effects.answers == [server.answer("MULTIPLE")])
  }

  @Test mutating func `unknown targets, empty halves and MULTIPLE itself get None, and all refused is an answer`() {
    let effects = multiple([
      pair("image/gif", "A"), pair(nil, "B"), pair("text/plain", nil), pair(nil, nil), pair("MULTIPLE", "C"),
    ])
    #expect(
      effects == [
        list("image/gif", nil, nil, nil, "text/plain", nil, nil, nil, "MULTIPLE", nil), server.answer("MULTIPLE"),
      ])
    #expect(!server.machine.isBusy)
  }

  @Test mutating func `a list that is missing, odd or empty is refused`() {
    #expect(multiple(nil) == [server.refusal("MULTIPLE")])
    #expect(multiple([]) == [server.refusal("MULTIPLE")])
  }

  @Test mutating func `DELETE within a request is passed on`() {
    _ = server(.dropped(on: DeletionTests.target, .move, time: SelectionRun.time))
    #expect(server(.dragEnded(.dropped(.move))) == [])
    #expect(multiple([pair("DELETE", "D")]).first == .deletionRequested)
  }

  @Test mutating func `two conversions to one property are both accounted for`() {
    let first = multiple([pair("text/plain", "A"), pair("image/png", "A")])
    #expect(first.answers == [])
    let effects = server.transfer(2, .opened(byteCount: 1), .staged(1))
    #expect(effects.contains(list("text/plain", nil, "image/png", "A")))
    #expect(effects.answers == [server.answer("MULTIPLE")])
    #expect(!server.machine.isBusy)
  }

  @Test mutating func `a conversion that another request takes the property of is accounted for`() {
    _ = multiple([pair("text/plain", "A")])
    let effects = server.request("image/png", property: "A")
    #expect(effects.answers == [server.answer("MULTIPLE")])
    #expect(effects.contains(list("text/plain", nil)))
  }

  @Test mutating func `the same request again while it is under way is refused, also before its list is read`() {
    let request = server.makeRequest("MULTIPLE")
    #expect(server(.request(request)) == [.readPairs(request)])
    #expect(server(.request(request)) == [])
    #expect(server(.pairs([pair("text/plain", "A")], for: request)).answers == [server.refusal("MULTIPLE")])
    #expect(server(.pairs([pair("text/plain", "A")], for: request)) == [])
    #expect(server(.request(request)) == [server.refusal("MULTIPLE")])
    #expect(server.transfer(1, .refused).answers == [server.answer("MULTIPLE")])
  }

  @Test mutating func `later requests of a requestor wait until its list is read, those of others do not`() {
    let request = server.makeRequest("MULTIPLE")
    let other = WindowID(rawValue: 0x600)
    #expect(server(.request(request)) == [.readPairs(request)])
    #expect(server.machine.isBusy)
    #expect(server.request("TIMESTAMP", property: "T") == [])
    let second = server.makeRequest("MULTIPLE", property: "Q")
    #expect(server(.request(second)) == [])
    #expect(server.request("text/plain", property: "A") == [])
    #expect(server.request("TIMESTAMP", property: "T", requestor: other).answers.count == 1)
    let effects = server(.pairs(nil, for: request))
    #expect(effects.first == server.refusal("MULTIPLE"))
    #expect(effects.answers == [server.refusal("MULTIPLE"), server.answer("TIMESTAMP", property: "T")])
    #expect(effects.last == .readPairs(second))
    #expect(effects.openings == 0)
    let last = server(.pairs([], for: second))
    #expect(last.answers == [server.refusal("MULTIPLE")])
    #expect(last.openings == 1)
  }

  @Test mutating func `a requestor that vanishes before its list is read is forgotten`() {
    let request = server.makeRequest("MULTIPLE")
    _ = server(.request(request))
    _ = server.request("text/plain", property: "A")
    #expect(server.machine.requestors == [SelectionRun.requestor])
    #expect(server(.windowVanished(SelectionRun.requestor)) == [])
    #expect(!server.machine.isBusy)
    #expect(server(.pairs([pair("text/plain", "A")], for: request)) == [])
  }

  @Test mutating func `a requestor that vanishes is forgotten with all it asked for`() {
    let effects = multiple([pair("text/plain", "A"), pair("image/png", "B")])
    let last = server(.windowVanished(SelectionRun.requestor))
    #expect(last.answers == [])
    #expect((effects + last).watchBalance == 0)
    #expect(!server.machine.isBusy)
    #expect(server.transfer(1, .opened(byteCount: 1)) == [])
  }

  @Test mutating func `of a long list only so many conversions are begun in one turn`() {
    server = SelectionRun(serving: .init(total: 200, perClient: 200))
    let pairs = (0..<200).map { pair("text/plain", "P\($0)") }
    var effects = multiple(pairs)
    var begun = effects.openings
    #expect(begun < pairs.count)
    var turns = 1
    while begun < pairs.count, server.machine.nextDeadline == server.now, turns < pairs.count {
      effects = server(.deadlineReached)
      #expect(effects.openings <= begun)
      begun += effects.openings
      turns += 1
    }
    #expect(begun == pairs.count)
    #expect(effects.answers == [])
    for number in 1..<pairs.count { #expect(server.transfer(number, .refused).answers == []) }
    #expect(server.transfer(pairs.count, .refused).answers == [server.answer("MULTIPLE")])
    #expect(!server.machine.isBusy)
  }

  @Test mutating func `a long list that is cancelled is answered once, whatever of it has begun`() {
    let pairs = (0..<200).map { pair("text/plain", "P\($0)") }
    var effects = multiple(pairs)
    #expect(effects.answers == [])
    effects += server(.cancelled)
    #expect(effects.answers == [server.answer("MULTIPLE")])
    #expect(effects.watchBalance == 0)
    #expect(!server.machine.isBusy && server.machine.nextDeadline == nil)
    let written = effects.compactMap { if case .reply(let value, _, _) = $0 { value } else { nil } }
    let refused = pairs.flatMap { [$0.target, nil] }
    #expect(written == [PropertyValue(type: .atomPair, contents: .atoms(refused))])
  }

  @Test mutating func `a list that is too long is refused as a whole`() {
    let effects = multiple((0..<10_000).map { pair("text/plain", "P\($0)") })
    #expect(
      effects == [
        server.refusal("MULTIPLE"), .ignored(.beyondLimit(.maximumPairCount, peer: WindowID(rawValue: 0x500))),
      ])
    #expect(!server.machine.isBusy)
  }

  @Test mutating func `a long list of other targets takes several turns as well`() {
    let pairs = (0..<2000).map { pair("TIMESTAMP", "P\($0)") }
    var effects = multiple(pairs)
    #expect(effects.count < pairs.count)
    for _ in pairs.indices where server.machine.nextDeadline == server.now { effects += server(.deadlineReached) }
    #expect(effects.count == pairs.count + 2)
    #expect(effects.answers == [server.answer("MULTIPLE")])
    #expect(!server.machine.isBusy && server.machine.nextDeadline == nil)
  }

  @Test mutating func `a client has only so many lists at once, and all clients together too`() {
    let lists = SelectionServer.Limits.listsPerClient
    var effects = (0..<100).flatMap { server.request("MULTIPLE", requestor: WindowID(rawValue: 0x700 + $0)) }
    #expect(effects.readings == lists)
    #expect(effects.answers.count == 100 - lists)
    effects = (8..<100).flatMap { server.request("MULTIPLE", requestor: WindowID(rawValue: $0 << 8)) }
    #expect(effects.readings == SelectionServer.Limits.lists - lists)
    #expect(server(.windowVanished(WindowID(rawValue: 0x700))) == [])
    #expect(server.request("MULTIPLE", requestor: WindowID(rawValue: 0xFF01)).readings == 1)
  }

  @Test mutating func `lists that are served wait for their turn, and no more are read than may wait`() {
    var effects: [SelectionServer.Effect] = []
    let pairs = (0..<SelectionServer.Limits.pairs).map { pair("TIMESTAMP", "P\($0)") }
    let requests = (0..<100).map { server.makeRequest("MULTIPLE", property: "Q\($0)") }
    for request in requests { effects += server(.request(request)) + server(.pairs(pairs, for: request)) }
    #expect(effects.readings == SelectionServer.Limits.listsPerClient)
    let refusals = requests.count - effects.readings
    #expect(effects.answers == Array(repeating: server.refusal("MULTIPLE"), count: refusals))
  }
}

extension Sequence<SelectionServer.Effect> {
  fileprivate var readings: Int { count { if case .readPairs = $0 { true } else { false } } }
}
