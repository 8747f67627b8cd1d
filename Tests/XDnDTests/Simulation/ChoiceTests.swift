import Testing

@testable import XDnD
@testable import XDnDTesting

@Suite("A drop that the user decides about, and the window that it comes forward with")
struct ChoiceTests {
  private func dropped(
    _ stage: RegionStage, _ operations: [DragOperation], descriptions: [DragOperation: String] = [:]
  ) -> DropSession? {
    var session: DropSession?
    stage.target.driver.onDrop(
      of: ["*/*"], operations: [.ask, .copy, .move, .link], in: stage.window, perform: { session = $0 })
    stage.begin(operations)
    stage.server.hold(.alt)
    stage.move(to: RegionStage.onList)
    stage.server.release(.primary)
    stage.run(.milliseconds(100))
    stage.server.hold([])
    return session
  }

  @Test func `what can be chosen is what both sides can do, under standard words`() throws {
    let stage = RegionStage()
    let drop = try #require(dropped(stage, [.move, .ask, .copy]))
    #expect(drop.droppedOperation == .ask)
    #expect(drop.choices.map(\.operation) == [.move, .copy])
    #expect(drop.choices.allSatisfy { !$0.description.isEmpty })
    drop.finish(.move)
    stage.run(.seconds(1))
    #expect(stage.drag?.outcome == .dropped(.move))
  }

  @Test func `what can be chosen follows a source that changes its action list on the way`() throws {
    let stage = RegionStage()
    var session: DropSession?
    stage.target.driver.onDrop(
      of: ["*/*"], operations: [.ask, .copy, .move, .link], in: stage.window, perform: { session = $0 })
    stage.begin([.move, .ask, .copy])
    stage.server.hold(.alt)
    stage.move(to: RegionStage.onList)
    let source = stage.source.client
    source.write(.atoms([DragOperation.ask, .link].map(\.name)), to: .xdndActionList, of: source.dragWindow)
    stage.move(to: RegionStage.onButton)
    stage.server.release(.primary)
    stage.run(.milliseconds(100))
    let drop = try #require(session)
    #expect(drop.operations == [.ask, .link])
    #expect(drop.choices.map(\.operation) == [.link])
    drop.reject()
    stage.run(.seconds(1))
  }

  @Test func `the source's own words are shown, and standard ones where it has none`() {
    #expect(
      DropChoice.all(
        among: [.move, .ask, .copy], describedBy: ["Umlagern", "Fragen", ""], permitting: [.copy, .move, .ask]) == [
          DropChoice(operation: .move, description: "Umlagern"), DropChoice(operation: .copy, description: "Copy Here"),
        ])
    let nothingElse = DropChoice.all(among: [.ask], describedBy: ["Fragen"], permitting: [.copy, .move, .ask])
    #expect(nothingElse.map(\.operation) == [.copy])
    let undescribed = DropChoice.all(among: [.link, .ask, .private], describedBy: [], permitting: [.ask])
    #expect(undescribed.map(\.description) == ["Link Here", "Open Here"])
  }

  @Test func `a user who thinks has ten minutes and no more`() throws {
    for (isAsked, minutes, isOpen) in [(false, 1, false), (true, 9, true), (true, 11, false)] {
      let stage = RegionStage()
      let drop = try #require(dropped(stage, [.copy, .ask]))
      if isAsked { drop.waitForUser() }
      stage.run(.seconds(minutes * 60))
      // Asking again begins no new lease.
      if isAsked { drop.waitForUser() }
      #expect((stage.target.driver.reactor.targets[stage.window]?.machine.state.drops.isEmpty == false) == isOpen)
      drop.reject()
      stage.run(.seconds(1))
    }
  }

  @Test func `a source waits for a user who thinks, and hears of the copy that is made`() throws {
    let stage = RegionStage()
    let drop = try #require(dropped(stage, [.copy]))
    #expect(drop.droppedOperation == .copy)
    drop.waitForUser()
    stage.run(.seconds(9 * 60))
    #expect(stage.drag?.outcome == nil)
    drop.finish(.copy)
    stage.run(.seconds(1))
    #expect(stage.drag?.outcome == .dropped(.copy))
  }

  @Test(arguments: [true, false])
  func `a source waits for work that it hears of, and not for any other`(isHeardOf: Bool) throws {
    var configuration = Configuration()
    configuration.finishTimeout = .seconds(24 * 3600)
    let stage = RegionStage(configuration: configuration)
    let drop = try #require(dropped(stage, [.copy]))
    if isHeardOf { drop.waitForWork() }
    stage.run(.seconds(3600))
    drop.finish(.copy)
    stage.run(.seconds(1))
    #expect(stage.drag?.outcome == (isHeardOf ? .dropped(.copy) : .timedOut))
  }

  @Test func `a window comes forward only with a drop, and at its time`() throws {
    let stage = RegionStage()
    var hovering: DropSession?
    stage.delegate("list")?.propose = {
      hovering = $0
      return $0.suggestedProposal
    }
    stage.begin()
    stage.move(to: RegionStage.onList)
    hovering?.activateWindow()
    #expect(stage.target.client.record.activations.isEmpty)
    stage.letGo()
    #expect(stage.target.client.record.activations.isEmpty)
    hovering?.activateWindow()
    let activation = try #require(stage.target.client.record.activations.first)
    #expect(activation.window == stage.window && activation.time == hovering?.dropTime)
  }

  @Test func `with the setting every drop brings its window forward`() {
    var configuration = Configuration()
    configuration.activatesWindowOnDrop = true
    let stage = RegionStage(configuration: configuration)
    stage.begin()
    stage.move(to: RegionStage.onList)
    stage.letGo()
    #expect(stage.target.client.record.activations.map(\.window) == [stage.window])
  }
}
