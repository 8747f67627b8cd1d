import FuzzRuns
import Testing

@testable import XDnD

/// What is offered to targets with habits of their own.
@Suite struct SourceQuirkTests {
  private static let promise = AtomName("XdndDirectSave0")
  private static let list = AtomName("text/uri-list")
  private static let text = ["text/plain", "UTF8_STRING", "STRING"]

  private static func names(_ types: [String]) -> [AtomName] { types.map { AtomName(rawValue: $0) } }

  /// A drag over nothing, of text that is promised as a file as well.
  private static func makeDragging(promised: Set<AtomName> = [promise]) -> SourceRun {
    var run = SourceRun()
    _ = run(.offerChanged(types: [promise] + names(text), operations: [.copy], promised: promised))
    run.beginDragging()
    return run
  }

  private func enter(_ types: [String]) -> XdndMessage {
    SourcePeer(SourceRun.window.rawValue).enter(types: Array(types.prefix(3)), hasTypeList: types.count > 3)
  }

  @Test func `one that opens promised files is told of the text alone, and the next one of everything again`() {
    var run = Self.makeDragging()
    var effects = run(.located(run.target(), quirks: [.textOpensDocument]))
    #expect(effects.contains(.publishTypes(Self.names(Self.text))))
    #expect(effects.messages.first == enter(Self.text))
    effects = run(.located(run.target(run.other), quirks: []))
    #expect(effects.contains(.publishTypes([Self.promise] + Self.names(Self.text))))
    #expect(effects.messages.contains(enter([Self.promise.rawValue] + Self.text)))
  }

  @Test func `a file manager without direct save is told of a list of files, and no other`() {
    var run = SourceRun()
    let types = [Self.promise] + Self.names(Self.text)
    _ = run(
      .offerChanged(types: types, operations: [.copy], promised: [Self.promise], forFileManagers: [Self.list]))
    run.beginDragging()
    var effects = run(.located(run.target(), quirks: [.directSaveUnknown]))
    #expect(effects.contains(.publishTypes(types + [Self.list])))
    #expect(effects.messages.first == enter([Self.promise.rawValue] + Self.text + ["text/uri-list"]))
    effects = run(.located(run.target(run.other), quirks: []))
    #expect(effects.contains(.publishTypes(types)))
    effects = run(.located(run.target(), quirks: [.textOpensDocument]))
    #expect(effects.contains(.publishTypes(Self.names(Self.text))))
  }

  @Test func `the list is written before its target hears of it, and only when it changes`() throws {
    var run = Self.makeDragging()
    let effects = run(.located(run.target(), quirks: [.textOpensDocument]))
    let published = try #require(effects.firstIndex { if case .publishTypes = $0 { true } else { false } })
    let entered = try #require(effects.firstIndex { if case .send(.enter, _) = $0 { true } else { false } })
    #expect(published < entered)
    let again = run(.located(run.target(run.other), quirks: [.textOpensDocument]))
    #expect(!again.contains { if case .publishTypes = $0 { true } else { false } })
    #expect(again.messages.contains(enter(Self.text)))
  }

  @Test func `a list that has changed over nothing is written again for a target with the same habits`() {
    var run = Self.makeDragging()
    _ = run(.located(run.target(), quirks: [.textOpensDocument]))
    _ = run.locate(nil)
    let text = Self.text + ["text/html"]
    let types = [Self.promise] + Self.names(text)
    #expect(run(.offerChanged(types: types, operations: [.copy], promised: [Self.promise])) == [.publishOffer])
    let effects = run(.located(run.target(), quirks: [.textOpensDocument]))
    #expect(effects.contains(.publishTypes(Self.names(text))))
    #expect(effects.messages.contains(enter(text)))
  }

  @Test func `the habits of a target are asked for once, and only where the offer depends on them`() {
    var run = Self.makeDragging()
    #expect(run.machine.needsQuirks(of: run.target()))
    _ = run(.located(run.target(), quirks: []))
    #expect(!run.machine.needsQuirks(of: run.target()))
    #expect(run.machine.needsQuirks(of: run.target(run.other)))
    #expect(!Self.makeDragging(promised: []).machine.needsQuirks(of: run.target()))
  }

  @Test func `a promise that comes into a drag under way has its target asked for`() {
    var run = Self.makeDragging(promised: [])
    _ = run(.located(run.target()))
    let types = [Self.promise] + Self.names(Self.text)
    let effects = run(.offerChanged(types: types, operations: [.copy], promised: [Self.promise]))
    #expect(effects.last == .locateTarget(at: Point(x: 0, y: 0)))
    #expect(effects.messages == [run.leave])
    let answer = run(.located(run.target(), quirks: [.textOpensDocument]))
    #expect(answer.messages.first == enter(Self.text))
  }
}
