import Testing

@testable import XDnD

@Suite("A file that the source saves for us") struct DirectSaveReceiverTests {
  typealias Input = DirectSaveReceiver.Input
  typealias Effect = DirectSaveReceiver.Effect
  typealias Look = DirectSaveReceiver.Look

  private var machine = DirectSaveReceiver(offersData: false, timing: .init())
  private static let file = Look(entryCount: 1, byteCount: 5)
  private static let empty = Look(entryCount: 1, byteCount: 0)

  private mutating func send(_ inputs: Input..., at seconds: Double = 0) -> [Effect] {
    machine.send(inputs, at: LoopTime(sinceStart: .seconds(seconds)))
  }

  /// Has the source asked.
  private mutating func ask(offersData: Bool = false) {
    machine = DirectSaveReceiver(offersData: offersData, timing: .init())
    _ = send(.begin, .named("a"), .placed("file:///a"))
  }

  /// Looks each tenth of a second, up to a time; the last effects, and when there were some besides looking.
  private mutating func watch(_ look: Look, from start: Double, to end: Double) -> (effects: [Effect], at: Double)? {
    var now = start
    while now <= end {
      if send(.deadlineReached, at: now).contains(.look) {
        let effects = send(.looked(look), at: now)
        if !effects.isEmpty { return (effects, now) }
      }
      now += 0.05
    }
    return nil
  }

  @Test mutating func `the name is read, a place is made, its URI is written, and the source is asked`() {
    #expect(send(.begin) == [.readName])
    #expect(send(.named("note.txt")) == [.makePlace(named: "note.txt")])
    #expect(send(.placed("file:///x/note.txt")) == [.write("file:///x/note.txt"), .convert])
  }

  @Test mutating func `a source that promises no name is asked all the same`() {
    #expect(send(.begin, .named(nil)) == [.makePlace(named: nil)])
  }

  @Test(arguments: [(99, 100), (2000, 2000), (1_000_000, 10_000)])
  mutating func `the more files there are, the later is the next look`(count: Int, milliseconds: Int) {
    ask()
    #expect(send(.deadlineReached, at: 0.5).contains(.look))
    _ = send(.looked(Look(entryCount: count, byteCount: 5)), at: 0.5)
    #expect(machine.nextDeadline == LoopTime(sinceStart: .milliseconds(500 + milliseconds)))
  }

  @Test mutating func `without a place the source is told, and not asked`() {
    #expect(send(.begin, .named("a"), .placed(nil)) == [.write(""), .ended(.failed(.notStored))])
    #expect(machine.isEnded)
  }

  @Test mutating func `what is there when the source has answered is taken over at once`() {
    ask()
    #expect(send(.answered(.saved)) == [.progressed, .look])
    #expect(send(.looked(Self.file)) == [.takeOver])
    #expect(machine.nextDeadline == nil)
    #expect(send(.takenOver(true)) == [.ended(.saved)])
    #expect(send(.cancel, .sourceVanished, .answered(.failed)) == [])
  }

  @Test mutating func `what cannot be taken over is a failure that the source hears of`() {
    ask()
    #expect(
      send(.answered(.saved), .looked(Self.file), .takenOver(false)) == [.write(""), .ended(.failed(.notStored))])
  }

  @Test mutating func `if nothing is there at the answer the drop is finished, and the file awaited after it`() throws {
    ask()
    #expect(send(.answered(.saved)) == [.progressed, .look])
    #expect(!machine.hasFinishedDrop)
    #expect(send(.looked(Look())) == [.finishDrop])
    #expect(machine.hasFinishedDrop)
    #expect(watch(Look(), from: 0.1, to: 20) == nil)
    #expect(try #require(watch(Self.file, from: 20.1, to: 25)).effects == [.takeOver])
    #expect(send(.takenOver(true), at: 25) == [.ended(.saved)])
  }

  @Test mutating func `a drop is finished once, and not before the source has answered`() {
    ask()
    for second in 1...20 { #expect(watch(Self.empty, from: Double(second), to: Double(second) + 0.5) == nil) }
    #expect(!machine.hasFinishedDrop)
    #expect(send(.answered(.saved), .looked(Self.empty), at: 21) == [.finishDrop])
    #expect(watch(Self.empty, from: 21.1, to: 30) == nil)
  }

  @Test mutating func `after Finished the source is told nothing more`() {
    for end in [Input.cancel, .placeLost, .serverLost] {
      ask()
      _ = send(.answered(.saved), .looked(Look()))
      let effects = send(end)
      #expect(effects.count == 1)
      #expect(machine.isEnded)
    }
  }

  @Test mutating func `what a source has written that is gone is believed when it stays the same`() throws {
    ask()
    #expect(send(.answered(.saved), .looked(Look())) == [.finishDrop])
    #expect(watch(Self.file, from: 0.1, to: 0.5) == nil)
    #expect(send(.sourceVanished, at: 0.5) == [.look])
    #expect(send(.looked(Self.file), at: 0.5) == [])
    #expect(try #require(watch(Self.file, from: 0.6, to: 5)).effects == [.takeOver])
  }

  @Test mutating func `an empty file of a source that is gone is none`() throws {
    ask()
    #expect(send(.answered(.saved), .looked(Self.empty)) == [.finishDrop])
    #expect(send(.sourceVanished) == [.look])
    let end = try #require(watch(Self.empty, from: 0.1, to: 5))
    #expect(end.effects == [.ended(.failed(.sourceVanished))])
    #expect(end.at < 2)
  }

  @Test mutating func `what comes after the answer has to stay the same for a second`() throws {
    ask()
    #expect(send(.answered(.saved), .looked(Look())) == [.finishDrop])
    let end = try #require(watch(Self.file, from: 0.1, to: 5))
    #expect(end.effects == [.takeOver])
    #expect(1.05...1.3 ~= end.at)
  }

  @Test mutating func `a file that is open for writing is waited for, also when it is not empty`() throws {
    ask()
    let open = Look(entryCount: 1, byteCount: 5, isBeingWritten: true)
    #expect(send(.answered(.saved), .looked(open)) == [.finishDrop])
    #expect(watch(open, from: 0.1, to: 20) == nil)
    #expect(try #require(watch(Self.file, from: 20.1, to: 25)).effects == [.takeOver])
  }

  @Test mutating func `where nobody can say who writes, the file has to stay the same for a second`() throws {
    ask()
    let unclear = Look(entryCount: 1, byteCount: 5, isBeingWritten: nil)
    #expect(send(.answered(.saved), .looked(unclear)) == [.finishDrop])
    let end = try #require(watch(unclear, from: 0.1, to: 5))
    #expect(end.effects == [.takeOver])
    #expect(0.95...1.2 ~= end.at)
  }

  @Test mutating func `an empty file is waited for, and then taken as it is`() throws {
    ask()
    #expect(send(.answered(.saved), .looked(Self.empty)) == [.finishDrop])
    let end = try #require(watch(Self.empty, from: 0.1, to: 40))
    #expect(end.effects == [.takeOver])
    #expect(29.9...30.3 ~= end.at)
  }

  @Test mutating func `nothing where a file should be is waited for, and then an error`() throws {
    ask()
    #expect(send(.answered(.saved), .looked(Look())) == [.finishDrop])
    let end = try #require(watch(Look(), from: 0.1, to: 40))
    #expect(end.effects == [.ended(.failed(.nothingSaved))])
    #expect(29.9...30.3 ~= end.at)
  }

  @Test mutating func `a file that somebody has open and does not write to is given up on`() throws {
    ask()
    let open = Look(entryCount: 1, byteCount: 5, isBeingWritten: true)
    #expect(send(.answered(.saved), .looked(open)) == [.finishDrop])
    #expect(try #require(watch(open, from: 0.1, to: 40)).effects == [.ended(.failed(.timedOut))])
  }

  @Test mutating func `a file that grows has any time, before the answer and after it`() {
    ask()
    for second in 1...600 {
      #expect(send(.deadlineReached, at: Double(second)).contains(.look))
      let look = Look(entryCount: 1, byteCount: second / 20, isBeingWritten: true)
      #expect(send(.looked(look), at: Double(second)) == (second == 301 ? [.finishDrop] : []))
      if second == 300 { #expect(send(.answered(.saved), at: 300) == [.progressed, .look]) }
    }
    #expect(!machine.isEnded)
  }

  @Test mutating func `F without data is a refusal, and the property is emptied`() {
    ask()
    #expect(send(.answered(.unreachable)) == [.write(""), .ended(.failed(.refused))])
  }

  @Test mutating func `F with data has the data loaded`() {
    ask(offersData: true)
    #expect(send(.answered(.unreachable)) == [.fetch])
    #expect(machine.nextDeadline == nil)
    #expect(send(.fetched(true)) == [.ended(.fetched)])
    ask(offersData: true)
    #expect(send(.answered(.unreachable), .fetched(false)) == [.write(""), .ended(.failed(.notStored))])
  }

  @Test mutating func `a refusal is F`() {
    ask()
    #expect(send(.answered(.refused)) == [.write(""), .ended(.failed(.refused))])
    ask(offersData: true)
    #expect(send(.answered(.refused)) == [.fetch])
  }

  @Test(arguments: [
    (DirectSaveReceiver.Answer.failed, DirectSaveReceiver.Failure.notSaved), (.meaningless, .meaninglessAnswer),
    (.withdrawn, .withdrawn),
  ])
  mutating func `E, nonsense and a cancellation are failures, whatever else is offered`(
    answer: DirectSaveReceiver.Answer, failure: DirectSaveReceiver.Failure
  ) {
    ask(offersData: true)
    #expect(send(.answered(answer)) == [.write(""), .ended(.failed(failure))])
  }

  @Test func `answers are one letter`() {
    let cases: [(String, DirectSaveReceiver.Answer)] = [
      ("S", .saved), ("F", .unreachable), ("E", .failed), ("S\0", .saved), ("", .meaningless), ("\0", .meaningless),
      ("s", .meaningless), ("SF", .meaningless), ("X", .meaningless),
    ]
    for (text, answer) in cases {
      #expect(DirectSaveReceiver.Answer(Array(text.utf8)) == answer)
      // What is saved stays saved.
      let last = DirectSaveReceiver.Answer(Array(text.utf8), isWithdrawn: true)
      #expect(last == (answer == .saved ? .saved : .withdrawn))
    }
  }

  @Test mutating func `a source that says nothing and saves nothing is given up on`() throws {
    ask()
    let end = try #require(watch(Look(), from: 0.1, to: 40))
    #expect(end.effects == [.cancelConversion, .write(""), .ended(.failed(.timedOut))])
    #expect(29.9...30.3 ~= end.at)
  }

  @Test mutating func `a source that is awake may take any time, and is asked for a sign of life now and then`() throws
  {
    ask()
    var signs: [Double] = []
    for tenth in 1...1000 {
      let now = Double(tenth) / 10
      let effects = send(.deadlineReached, at: now)
      if effects.contains(.renewLease) {
        signs.append(now)
        _ = send(.sourceIsAwake, at: now)
      }
      if effects.contains(.look) { #expect(send(.looked(Look()), at: now) == []) }
    }
    #expect(signs.map { Int($0.rounded()) } == [0, 10, 20, 30, 40, 50, 60, 70, 80, 90])
    // It falls silent.
    let end = try #require(watch(Look(), from: 100.1, to: 140))
    #expect(end.effects == [.cancelConversion, .write(""), .ended(.failed(.timedOut))])
    #expect(120.2...120.6 ~= end.at)
  }

  @Test mutating func `a source that is awake for an hour and saves nothing is given up on`() throws {
    ask()
    _ = send(.sourceIsAwake, at: 3599)
    #expect(send(.deadlineReached, at: 3620) == [.progressed, .renewLease, .look])
    #expect(send(.sourceIsAwake, at: 3620) == [])
    #expect(send(.looked(Look()), at: 3628) == [])
    #expect(send(.looked(Look()), at: 3630) == [.cancelConversion, .write(""), .ended(.failed(.timedOut))])
  }

  @Test mutating func `a source that is gone is told nothing`() {
    ask()
    #expect(send(.sourceVanished) == [.cancelConversion, .ended(.failed(.sourceVanished))])
    ask()
    #expect(send(.answered(.saved), .sourceVanished) == [.look])
    #expect(send(.cancel) == [.ended(.failed(.cancelled))])
  }

  @Test mutating func `a source that is gone after S, without a file, has saved nothing, and is told nothing`() {
    ask()
    #expect(send(.answered(.saved), .looked(Look()), .sourceVanished) == [.look])
    #expect(send(.looked(Look())) == [.ended(.failed(.nothingSaved))])
    // Also before the first look, when Finished is still due.
    ask()
    #expect(send(.answered(.saved), .sourceVanished) == [.look])
    #expect(send(.looked(Look())) == [.ended(.failed(.nothingSaved))])
  }

  @Test mutating func `it can be cancelled at any point, and ends once`() {
    let way: [Input] = [.begin, .named("a"), .placed("file:///a"), .answered(.saved), .looked(Self.file)]
    for length in 0...way.count {
      machine = DirectSaveReceiver(offersData: false, timing: .init())
      machine.send(Array(way.prefix(length)))
      let effects = send(.cancel)
      #expect(effects.last == .ended(.failed(.cancelled)))
      #expect(effects.contains(.write("")) == (length > 1))
      #expect(effects.contains(.cancelConversion) == (length == 3))
      for input in way + [.cancel, .takenOver(true), .deadlineReached] { #expect(send(input, at: 100) == []) }
    }
  }

  @Test mutating func `a place that is lost ends it at once, before the answer and after it`() {
    ask()
    #expect(send(.placeLost) == [.cancelConversion, .write(""), .ended(.failed(.notStored))])
    ask()
    #expect(send(.answered(.saved), .placeLost) == [.write(""), .ended(.failed(.notStored))])
    ask()
    #expect(send(.answered(.saved), .looked(Look()), .placeLost) == [.ended(.failed(.notStored))])
    #expect(send(.placeLost) == [])
  }

  @Test mutating func `a directory that cannot be read refuses the drop, unless it has been finished`() {
    ask()
    #expect(send(.unreadable) == [])
    #expect(send(.answered(.saved), .unreadable) == [.write(""), .ended(.failed(.notStored))])
    ask()
    #expect(send(.answered(.saved), .looked(Look()), .unreadable) == [])
    #expect(send(.unreadable, at: 100) == [.ended(.failed(.notStored))])
  }

  @Test mutating func `what was not asked for changes nothing`() {
    ask()
    let before = machine
    #expect(send(.named("b"), .placed(nil), .fetched(true), .takenOver(true), .begin, .deadlineReached) == [])
    #expect(machine == before)
  }
}
