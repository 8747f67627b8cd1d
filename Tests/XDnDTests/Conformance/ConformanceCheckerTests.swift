import XDnDConformance
import Testing

@testable import XDnD

@Suite("Checks of recorded drags")
struct ConformanceCheckerTests {
  static func failures(_ drag: RecordedDrag) -> Set<String> {
    let results = ConformanceChecker(role: drag.role, entries: drag.entries, frame: RecordedDrag.frame).results()
    return Set(results.filter { $0.outcome == .broken || $0.outcome == .advice }.map(\.rule.id))
  }

  static func result(_ id: String, _ drag: RecordedDrag) throws -> RuleResult {
    let rule = try #require(ConformanceRule.named(id))
    return ConformanceChecker(role: drag.role, entries: drag.entries, frame: RecordedDrag.frame).result(for: rule)
  }

  static func good(_ side: ConformanceRule.Side) -> RecordedDrag {
    side == .source ? RecordedDrag.goodSource : RecordedDrag.goodTarget
  }

  @Test func `rules have names of their own, and are sentences`() {
    #expect(Set(ConformanceRule.all.map(\.id)).count == ConformanceRule.all.count)
    for rule in ConformanceRule.all {
      #expect(rule.sentence.hasSuffix("."), "\(rule.id)")
      #expect(!rule.origin.isEmpty)
      #expect(rule.id.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    }
  }

  @Test(arguments: ConformanceRule.all)
  func `in an empty recording nothing is seen`(_ rule: ConformanceRule) throws {
    let role: Recording.Role = rule.side == .source ? .target : .source
    let result = try Self.result(rule.id, RecordedDrag(role))
    #expect(result.outcome == .notSeen)
    // It says what was missing.
    #expect(result.evidence == rule.absence && !rule.absence.isEmpty)
  }

  @Test(arguments: ConformanceRule.all)
  func `a peer that does everything right keeps each rule`(_ rule: ConformanceRule) throws {
    let result = try Self.result(rule.id, Self.good(rule.side))
    #expect(result.outcome == .pass, "\(result)")
    // The evidence can be looked up.
    #expect(result.evidence.contains(/#\d+/), "\(result)")
  }

  @Test(arguments: ConformanceRule.all)
  func `each rule can be broken, and nothing else is broken with it`(_ rule: ConformanceRule) throws {
    let spoil = try #require(Spoiling.all[rule.id], "no recording breaks it")
    var drag = Self.good(rule.side)
    spoil.change(&drag)
    let result = try Self.result(rule.id, drag)
    #expect(result.outcome == (rule.isAdvice ? .advice : .broken), "\(result)")
    #expect(result.evidence.contains(/#\d+/), "\(result)")
    #expect(Self.failures(drag).subtracting(spoil.others) == [rule.id])
  }

  @Test func `what breaks a rule names rules that there are`() {
    let ids = Set(ConformanceRule.all.map(\.id))
    #expect(Set(Spoiling.all.keys) == ids)
    #expect(Spoiling.all.values.allSatisfy { $0.others.isSubset(of: ids) })
  }

  @Test(arguments: ConformanceRule.Side.allCases)
  func `what the recorder has not looked at is not held against the other side`(_ side: ConformanceRule.Side) {
    let drag = Self.good(side)
    func isRead(_ entry: Recording.Entry, besides type: String = "") -> Bool {
      guard case .property(let property) = entry.event.action else { return false }
      return property.change == .read && property.type?.rawValue != type
    }
    var blind = drag
    blind.entries.removeAll { isRead($0) }
    #expect(blind.entries.count < drag.entries.count)
    #expect(Self.failures(blind) == [])
    // What comes in parts cannot be read in part: the next one would not come.
    for index in drag.entries.indices where isRead(drag.entries[index], besides: "text/plain;charset=utf-8") {
      blind = drag
      blind.entries.remove(at: index)
      #expect(Self.failures(blind) == [], "without \(drag.entries[index])")
    }
  }

  @Test func `of its own side a recording shows nothing`() throws {
    #expect(try Self.result("finished-once", RecordedDrag.goodSource).outcome == .notSeen)
  }
}

@Suite("What is allowed")
struct FairnessTests {
  /// What is not as one would wish, is no failure, and is said.
  private func expectRemark(_ id: String, _ word: String, _ drag: RecordedDrag) throws {
    let result = try ConformanceCheckerTests.result(id, drag)
    #expect(result.outcome == .pass, "\(result)")
    #expect(result.evidence.contains(word), "\(result)")
  }

  @Test func `a source may point to its list with three types`() throws {
    var drag = RecordedDrag.goodSource
    drag.changeProperties(.xdndTypeList) { $0.names.removeLast() }
    try expectRemark("type-list-bit", "nothing demands it", drag)
  }

  @Test func `entries whose times go back break a rule, and nothing else`() throws {
    var drag = RecordedDrag.goodSource
    let drop = drag.index(of: .drop)
    drag.entries[drop].time -= 20_000_000
    #expect(try ConformanceCheckerTests.result("drop-time", drag).outcome == .broken)
  }

  @Test func `a list of types that an earlier drag has left needs no bit`() throws {
    func result(entering types: [String]) throws -> RuleResult {
      var drag = RecordedDrag(.target)
      drag.enter(types)
      drag.property(.read, "XdndTypeList", of: RecordedDrag.source, type: "ATOM", atoms: RecordedDrag.types)
      return try ConformanceCheckerTests.result("type-list-bit", drag)
    }
    #expect(try result(entering: ["image/png"]).outcome == .pass)
    // The first three are in XdndEnter, so the list is the drag's own.
    #expect(try result(entering: Array(RecordedDrag.types.prefix(3))).outcome == .broken)
  }

  @Test func `a window whose proxy takes drops need not be aware itself`() throws {
    func outcome(proxyVersion: UInt32?) throws -> RuleResult.Outcome {
      var drag = RecordedDrag(.source)
      drag.property(.read, "XdndAware", of: RecordedDrag.target)
      if let proxyVersion {
        let proxy = RecordedDrag.proxy
        drag.property(.read, "XdndProxy", of: RecordedDrag.target, type: "WINDOW", words: [proxy.rawValue])
        drag.property(.read, "XdndAware", of: proxy, type: "ATOM", words: [proxyVersion])
      }
      return try ConformanceCheckerTests.result("aware-version", drag).outcome
    }
    #expect(try outcome(proxyVersion: 5) == .pass)
    #expect(try outcome(proxyVersion: 2) == .broken)
    #expect(try outcome(proxyVersion: nil) == .broken)
  }

  @Test func `a list may have a type twice`() throws {
    var drag = RecordedDrag.goodSource
    drag.changeProperties(.xdndTypeList) { $0.names.append($0.names[0]) }
    try expectRemark("type-list-names", "twice", drag)
  }

  @Test func `a position may report a notch of the wheel`() throws {
    var drag = RecordedDrag.goodSource
    drag.set(.positionFlags, to: 0x504)
    #expect(try ConformanceCheckerTests.result("unused-words-zero", drag).outcome == .pass)
  }

  @Test func `who has waited for three seconds may go on`() throws {
    var drag = RecordedDrag(.target)
    drag.enter(["UTF8_STRING"])
    drag.position(200, 200, time: 1000)
    drag.clock += 3000
    drag.position(201, 200, time: 4000)
    #expect(try ConformanceCheckerTests.result("position-waits", drag).outcome != .broken)
  }

  @Test func `a list of files may end without a line's end`() throws {
    var drag = RecordedDrag.goodSource
    drag.changeProperties(RecordedDrag.data, where: { $0.type == AtomName("text/uri-list") }) {
      $0.bytes.removeLast(2)
      $0.byteCount -= 2
    }
    try expectRemark("uri-list-form", "does not end", drag)
  }

  @Test(arguments: [("# two words\r\nfile:///a\r\n", RuleResult.Outcome.pass), ("# one\r\nfile:///a b\r\n", .broken)])
  func `a comment in a list may hold any characters, and a URI may not`(list: String, outcome: RuleResult.Outcome)
    throws
  {
    var drag = RecordedDrag.goodSource
    drag.changeProperties(RecordedDrag.data, where: { $0.type == AtomName("text/uri-list") }) {
      $0.bytes = Array(list.utf8)
      $0.byteCount = $0.bytes.count
    }
    #expect(try ConformanceCheckerTests.result("uri-list-form", drag).outcome == outcome)
  }

  @Test func `a refusal may want positions`() throws {
    var drag = RecordedDrag.goodTarget
    drag.set(.statusFlags, to: 2)
    try expectRemark("status-refusal", "take for a yes", drag)
  }

  @Test func `a drop that was refused may be passed over`() throws {
    var drag = RecordedDrag.goodTarget
    drag.remove(.finished)
    try expectRemark("refused-drop", "passed over", drag)
    #expect(try ConformanceCheckerTests.result("finished-once", drag).outcome == .pass)
  }

  @Test func `a target may take what it does not know, if it asks for it`() throws {
    var drag = RecordedDrag(.source)
    drag.enter([RecordedDrag.unknown])
    drag.position(200, 200, time: 1000)
    drag.status(3)
    drag.say(.drop, [RecordedDrag.source.rawValue, 0, 1010])
    drag.convert(RecordedDrag.unknown, time: 1010)
    #expect(try ConformanceCheckerTests.result("unknown-types-refused", drag).outcome == .pass)
  }

  @Test func `who accepts what has left has not forgotten it`() throws {
    var drag = RecordedDrag.goodTarget
    drag.position(200, 200, time: 2000)
    drag.status(0, nil, nil)
    #expect(ConformanceCheckerTests.failures(drag) == [])
    drag.position(200, 200, time: 2100)
    drag.status(3)
    #expect(ConformanceCheckerTests.failures(drag) == ["session-forgotten"])
  }

  @Test func `what is not there for long enough is not missing`() throws {
    var drag = RecordedDrag(.source)
    drag.enter(["UTF8_STRING"])
    drag.position(200, 200, time: 1000)
    #expect(try ConformanceCheckerTests.result("status-answers", drag).outcome == .notSeen)
    drag.owner(.none)
    drag.clock += 2000
    drag.owner(.none)
    #expect(try ConformanceCheckerTests.result("status-answers", drag).outcome == .broken)
  }

  @Test func `content whose empty last part stays is whole all the same`() throws {
    // OpenJDK 17 reads the empty part and leaves it on its window.
    var drag = RecordedDrag.goodTarget
    let last = try #require(
      drag.entries.lastIndex {
        if case .property(let property) = $0.event.action { property.change == .removed } else { false }
      })
    drag.entries.remove(at: last)
    #expect(try ConformanceCheckerTests.result("reads-incr", drag).outcome == .pass)
    #expect(try ConformanceCheckerTests.result("finished-after-data", drag).outcome == .pass)
    let result = try ConformanceCheckerTests.result("incr-end-deleted", drag)
    #expect(result.outcome == .advice)
    #expect(result.evidence.contains("which is taken whole"))
  }

  @Test func `MULTIPLE may have None in place of the type that is not offered`() throws {
    // ICCCM 2.6.2 speaks of "that atom", and OpenJDK 17 takes the first of the pair.
    var drag = RecordedDrag.goodSource
    drag.changeProperties(RecordedDrag.data, where: { $0.type == .atomPair && $0.change == .read }) { property in
      let words = property.bytes.count / 4
      property.bytes.replaceSubrange((words - 2) * 4..<(words - 1) * 4, with: [0, 0, 0, 0])
      property.bytes.replaceSubrange((words - 1) * 4..<words * 4, with: [9, 1, 0, 0])
    }
    #expect(try ConformanceCheckerTests.result("multiple", drag).outcome == .pass)
  }

  @Test func `types that were not asked for are counted`() throws {
    var drag = RecordedDrag.goodSource
    drag.changeProperties(.xdndTypeList) { $0.names += (1...37).map { AtomName("image/x-\($0)") } }
    try expectRemark("advertised-delivered", "37 of 40 types were not asked for", drag)
  }

  @Test func `a list of actions may have one of the source's own among those of the specification`() throws {
    var drag = RecordedDrag.goodSource
    drag.changeProperties(.xdndActionList) { $0.names.append(AtomName("annotate")) }
    try expectRemark("action-list", "annotate", drag)
  }

  @Test func `a target that gives a silent source up has not finished too early`() throws {
    var drag = RecordedDrag(.source)
    drag.dropUnanswered()
    drag.clock += 5000
    drag.finished(0, nil)
    #expect(ConformanceCheckerTests.failures(drag) == [])
    #expect(try ConformanceCheckerTests.result("silence-ends-drop", drag).outcome == .pass)
  }

  @Test func `a target that ends only when a silent source speaks at last has not given it up`() throws {
    var drag = RecordedDrag(.source)
    drag.dropUnanswered()
    drag.clock += 12_000
    drag.refuse("UTF8_STRING", time: 1510)
    drag.finished(0, nil)
    #expect(ConformanceCheckerTests.failures(drag) == ["silence-ends-drop"])
  }

  @Test func `a drop that is finished with nothing asked for says so`() throws {
    // FLTK 1.3, when the pointer is elsewhere.
    var drag = RecordedDrag(.source)
    drag.enter(["UTF8_STRING"])
    drag.position(200, 200, time: 1500)
    drag.status(3)
    drag.say(.drop, [RecordedDrag.source.rawValue, 0, 1510])
    drag.finished(0, nil)
    try expectRemark("finished-result", "nothing was asked for", drag)
  }
}
