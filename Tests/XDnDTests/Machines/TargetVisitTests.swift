import FuzzRuns
import Testing

@testable import XDnD

/// From Enter to Leave.
@Suite struct TargetVisitTests {
  @Test func `a visit goes from Enter over the source's lists to a Status for its first Position`() {
    var run = TargetRun()
    #expect(run(run.source.enter()) == [.watch(run.source.window), .readOffer(of: run.source.window, typeList: false)])
    #expect(run.offered() == [run.entered(["text/plain"])])
    #expect(
      run(run.source.position(5, 6, time: 77, .move)) == [
        .askForProposal(
          .init(
            session: run.session, point: Point(x: 5, y: 6), time: Timestamp(rawValue: 77), requested: .move,
            content: OfferedContent(types: ["text/plain"], operations: [.copy, .move]), suggested: .accept(.move)))
      ])
    #expect(run.propose(.move) == [run.status(.move)])
    #expect(run(run.source.leave()) == run.exits(.left))
    #expect(run.machine.nextDeadline == nil)
  }

  @Test func `positions that come before the lists are answered afterwards, the newest only`() {
    var run = TargetRun.make(.reading)
    #expect(run(run.source.position(1, 1)) == [])
    #expect(run(run.source.position(2, 2)) == [])
    let effects = run.offered()
    #expect(effects.count == 2)
    guard case .askForProposal(let request) = effects.last else { return #expect(effects == []) }
    #expect(request.point == Point(x: 2, y: 2))
  }

  @Test func `a flood is answered once, for the newest position`() {
    var run = TargetRun.make(.hovering)
    _ = run.propose(.copy)
    for x in 0..<1000 { #expect(run(run.source.position(x, 0)).count == 1) }
    #expect(run.propose(.copy) == [run.status(.copy)])
    #expect(run.propose(.copy) == [])
    #expect(
      run(run.source.drop()).contains(
        run.dropped(.copy, x: 999, y: 0)))
  }

  @Test func `an answer for another visit is not taken for this one`() {
    var run = TargetRun.make(.proposing)
    let old = run.asked
    _ = run(run.source.enter())
    _ = run.offered()
    _ = run(run.source.position())
    #expect(run(.proposal(.accept(.copy), to: old)) == [])
    #expect(run.propose(.move) == [run.status(.move)])
  }

  @Test func `an answer to an older position is not taken for one to the newest`() {
    var run = TargetRun.make(.proposing)
    let old = run.asked
    _ = run(run.source.position(7, 7))
    #expect(run(.proposal(.accept(.copy), to: old)) == [])
    #expect(run.propose(nil) == [run.status(nil)])
  }

  @Test func `the silence rectangle goes out, and positions inside are then not wanted`() {
    var run = TargetRun.make(.proposing)
    let region = Rect(x: 1, y: 2, width: 3, height: 4)
    #expect(
      run(.proposal(.accept(.copy, quietIn: region), to: run.asked)) == [
        .send(
          .status(
            .init(
              target: TargetRun.window,
              acceptance: .init(operation: .copy, region: region, wantsPositionsInside: false))),
          to: run.source.window, version: .v5)
      ])
  }

  @Test func `an operation that was not offered is a refusal on the wire, Copy and Private are always allowed`() {
    for (answer, sent) in [(.link, nil), (.copy, .copy), (.private, .private), (.move, .move)]
      as [(DragOperation, DragOperation?)]
    {
      var run = TargetRun()
      _ = run(run.source.enter())
      _ = run.offered(operations: ["XdndActionMove"])
      _ = run(run.source.position(1, 1, .move))
      #expect(run.propose(answer) == [run.status(sent)])
    }
  }

  @Test func `Ask is accepted though the list holds only what there is to choose from`() {
    var run = TargetRun(operations: [.ask, .copy])
    _ = run(run.source.enter())
    _ = run.offered(operations: ["XdndActionCopy", "XdndActionMove"])
    let effects = run(run.source.position(1, 1, .ask))
    guard case .askForProposal(let request) = effects.first else { return #expect(effects == []) }
    #expect(request.suggested == .accept(.ask))
    #expect(run(.proposal(request.suggested, to: request)) == [run.status(.ask)])
  }

  // MARK: Lists

  @Test(arguments: [nil, []] as [[String]?])
  func `a type list that is missing or empty gives way to the types in the message`(list: [String]?) {
    var run = TargetRun()
    _ = run(run.source.enter(types: ["image/png", "text/html"], hasTypeList: true))
    #expect(run.offered(list) == [.ignored(.missingTypeList(source: run.source.window)), run.entered([.png, .html])])
  }

  @Test func `a type list with three types or fewer is read, as Mutter needs it`() {
    var run = TargetRun()
    #expect(
      run(run.source.enter(types: [], hasTypeList: true)) == [
        .watch(run.source.window), .readOffer(of: run.source.window, typeList: true),
      ])
    #expect(
      run.offered(["image/png"]) == [
        run.entered([.png])
      ])
  }

  @Test func `duplicates are removed from types and operations, the first stays`() {
    var run = TargetRun()
    _ = run(run.source.enter(hasTypeList: true))
    let effects = run.offered(
      ["text/html", "image/png", "TEXT/HTML", "image/png"],
      operations: ["XdndActionMove", "XdndActionCopy", "XdndActionMove"])
    #expect(effects == [run.entered([.html, .png], [.move, .copy])])
  }

  @Test func `an action list without an action of the protocol is none, as tkdnd needs it`() {
    var run = TargetRun.make(.reading)
    let effects = run.offered(operations: ["copy", "move"])
    #expect(effects.first == .ignored(.meaninglessActionList(source: run.source.window)))
    guard case .askForProposal(let request) = run(run.source.position(1, 1, .link)).first else {
      return #expect(effects == [])
    }
    #expect(request.permitted == [.link, .copy])
  }

  @Test func `descriptions count only when there is one for each operation`() {
    for (words, expected) in [(["Copy", "Move"], ["Copy", "Move"]), (["Copy"], []), ([], [])] {
      var run = TargetRun.make(.reading)
      _ = run.offered(descriptions: words)
      #expect(run.machine.state.hover.visit?.content.descriptions == expected)
    }
  }

  @Test func `operations that change in the middle of a drag count from the next answer on`() {
    var run = TargetRun.make(.proposing)
    #expect(run(.operationsChanged([DragOperation.link.name])) == [])
    #expect(run.propose(.move) == [run.status(nil)])
    _ = run(run.source.position(3, 3, nil))
    #expect(run.propose(.link) == [run.status(.link)])
    #expect(run(.operationsChanged(nil)) == [])
    _ = run(run.source.position(4, 4, nil))
    #expect(run.propose(.link) == [run.status(nil)])
  }

  @Test func `operations of nobody change nothing`() {
    var run = TargetRun()
    #expect(run(.operationsChanged([AtomName("copy")])) == [])
    #expect(run.machine.state == .init())
  }
}
