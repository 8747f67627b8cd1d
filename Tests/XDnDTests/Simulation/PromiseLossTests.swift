import TestSupport
import Testing

@testable import XDnD
@testable import XDnDTesting

/// A promised file, saved by one program for the other; in each run something else breaks at another step.
@Suite("Something breaks at every step of a direct save", .computing, .exhaustive)
struct PromiseLossTests {
  @Test(arguments: PromisePair.Manner.allCases)
  func `without a fault it ends as its manner says`(manner: PromisePair.Manner) {
    let run = PromisePair(manner)
    run.script()
    run.pair.run(.seconds(100))
    run.pair.drive()
    run.expectClean()
    run.expectTrue()
    let expected: (DirectSaveReceiver.Result, DragOutcome) =
      switch manner {
      case .atOnce, .slowly, .veryLong: (.saved, .dropped(.copy))
      // It was answered after three seconds, when nobody could know better. The drop ends with that answer, as the file
      // may be waiting for its end; what becomes of the file then nobody can tell the other.
      case .failsLate: (.failed(.nothingSaved), .dropped(.copy))
      case .cannotWrite: (.fetched, .dropped(.copy))
      case .hasNoContent, .failsAtLast: (.failed(.notSaved), .transferFailed)
      }
    #expect(Array(run.results.values) == [expected.0])
    #expect(run.pair.source.lastOutcome == expected.1)
  }

  @Test(arguments: LossTests.Fault.allCases, PromisePair.Manner.allCases)
  func `a fault at any step of a direct save leaves nothing behind`(fault: LossTests.Fault, manner: PromisePair.Manner)
  {
    strikeEachStep("\(fault), \(manner)", manner) { run in
      LossTests.inject(fault, run.pair)
    } after: { run in
      if fault == .sourceLosesServer { LossTests.expectEnd(of: run.pair.source, run.pair) }
      if fault == .targetLosesServer { LossTests.expectEnd(of: run.pair.target, run.pair) }
    }
  }

  @Test(arguments: PromisePair.Manner.allCases)
  func `a direct save ends soon when its directory is removed`(manner: PromisePair.Manner) {
    strikeEachStep("directory lost, \(manner)", manner) { $0.loseDirectory() }
  }

  private func strikeEachStep(
    _ label: String, _ manner: PromisePair.Manner, strike: (PromisePair) -> Void,
    after: (PromisePair) -> Void = { _ in }
  ) {
    // A save that takes long is a hundred looks at the same.
    let isLong = manner == .veryLong || manner == .failsLate
    for step in stride(from: 0, to: 600, by: isLong ? 11 : 1) {
      let run = PromisePair(manner)
      let pair = run.pair
      pair.label = "\(label) at step \(step)"
      run.script()
      for _ in 0..<step { _ = pair.step() }
      let isOver = pair.source.reactor.drags.isEmpty && !pair.source.outcomes.isEmpty && run.results.count == 1
      strike(run)
      pair.run(.seconds(100))
      pair.letGo(for: .seconds(100))
      for side in pair.sides where side.client.behavior.isFrozen { pair.server.kill(side.client) }
      pair.drive()
      after(run)
      run.expectClean()
      run.expectTrue()
      if isOver { return }
    }
    Issue.record("the drag never ended")
  }
}

/// Two programs on one simulated server: one promises a file, the other has it saved. The disk is simulated, too.
final class PromisePair {
  /// How the source saves.
  enum Manner: CaseIterable {
    case atOnce
    /// For a second: the target waits.
    case slowly
    /// For longer than it keeps a target waiting that gives no sign of life.
    case veryLong
    /// The same, and nothing comes of it.
    case failsLate
    /// The same for a target that gives signs of life, and therefore hears of it.
    case failsAtLast
    /// Nothing can be written at the place: the target fetches the data.
    case cannotWrite
    case hasNoContent
  }

  /// What the target uses of the file system.
  private enum Place: Equatable {
    case none
    /// A private directory, with so many bytes of the file in it, or none of it.
    case staging(Int?)
    /// Somebody has removed it.
    case lost
  }

  let pair: DragPair
  let manner: Manner
  private var place = Place.none
  private(set) var isSaved = false
  private(set) var fetched: [UInt8]?
  private var fetch: TransferID?
  private(set) var begun: [Save] = []
  private(set) var results: [TransferID: DirectSaveReceiver.Result] = [:]

  private static let data = AtomName("application/octet-stream")
  private static let wholeLength = 100

  init(_ manner: Manner) {
    var timing = Reactor.Timing()
    if manner == .veryLong || manner == .failsLate { timing.saving.firstRenewal = .seconds(1000) }
    timing.outgoing.wholeProperty = 500
    timing.outgoing.part = 300
    pair = DragPair(timing: timing)
    self.manner = manner
    pair.source.content = [Self.data: TestContent.bytes(2_000)]
    pair.target.register(pair.window, accepting: DropOffer([.directSave, .data], operations: [.copy]))
    pair.source.save = { [unowned self] _ in write() }
    pair.target.finishesDrops = false
    pair.target.intercept = { [unowned self] in hear($0) }
  }

  /// A whole drag, from the press to the last byte.
  func script() {
    pair.after(.milliseconds(10)) { [pair] in pair.press([.xdndDirectSave, Self.data], saving: "note.txt") }
    pair.after(.milliseconds(20)) { [pair] in pair.server.movePointer(to: DragPair.inside) }
    pair.after(.milliseconds(30)) { [pair] in pair.server.movePointer(to: DragPair.outside) }
    pair.after(.milliseconds(40)) { [pair] in pair.server.movePointer(to: DragPair.inside) }
    pair.after(.milliseconds(60)) { [pair] in pair.server.release(.primary) }
  }

  /// Removes the directory, with what is in it.
  func loseDirectory() { place = .lost }

  // MARK: The source

  private func write() -> DirectSaveProvider.SaveResult? {
    switch manner {
    case .atOnce: return put(Self.wholeLength)
    case .cannotWrite: return .placeFailed
    case .hasNoContent: return .contentFailed
    case .slowly: writeOn(for: 10)
    case .veryLong: writeOn(for: 50)
    case .failsLate, .failsAtLast:
      writeOn(for: 50)
    }
    return nil
  }

  private func put(_ length: Int) -> DirectSaveProvider.SaveResult {
    guard case .staging = place else { return .placeFailed }
    place = .staging(length)
    return .saved
  }

  private func writeOn(for tenths: Int) {
    guard let drag = pair.source.savingDrag else { return }
    pair.after(.milliseconds(100 * tenths)) { [unowned self] in
      guard pair.source.runs else { return }
      // The file has its name only when it is whole.
      let result = manner == .failsLate || manner == .failsAtLast ? .contentFailed : put(Self.wholeLength)
      pair.source.reactor.perform { $0.offers.receive(.saved(result), for: drag) }
    }
  }

  // MARK: The target

  private var reactor: Reactor { pair.target.reactor }

  private func hear(_ notice: Notice) -> Bool {
    switch notice {
    case .target(_, .dropped(let session, _)):
      guard let visit = reactor.targets.visit(session), let save = reactor.saves.prepare(visit, offersData: true) else {
        return false
      }
      begun.append(save)
      reactor.perform { _ in save.receive(.begin) }
      return false
    case .save(let id, let notice):
      guard let save = begun.first(where: { $0.id == id }) else { return false }
      hear(notice, save)
    case .load(let transfer, .ended(let result)) where transfer == fetch:
      fetch = nil
      guard let save = begun.last else { break }
      // The bytes are the application's when this returns.
      pair.after(.zero) { [unowned self] in
        guard pair.target.runs else { return }
        fetched = pair.target.lastReceived[Self.data]
        if case .complete = result {
          reactor.perform { _ in save.receive(.fetched(true)) }
        } else {
          reactor.perform { _ in save.receive(.fetched(false)) }
        }
      }
      return false
    default: return false
    }
    return true
  }

  private func hear(_ notice: Notice.SaveNotice, _ save: Save) {
    switch notice {
    case .placeNeeded:
      if place == .none { place = .staging(nil) }
      reactor.perform { _ in save.receive(.placed(place == .lost ? nil : "file:///d/.xdnd-1/note.txt")) }
    case .lookNeeded:
      guard case .staging(let length) = place else {
        return reactor.perform { _ in save.receive(.placeLost) }
      }
      reactor.perform { _ in
        save.receive(
          .looked(.init(entryCount: length == nil ? 0 : 1, byteCount: length ?? 0, isBeingWritten: false)))
      }
    case .takeOverNeeded:
      isSaved = place == .staging(Self.wholeLength)
      reactor.perform { _ in save.receive(.takenOver(isSaved)) }
    case .dropOver:
      if let session = pair.target.sessions.last {
        reactor.perform { $0.targets[pair.window]?.receive(.finish(session, .copy)) }
      }
    case .dataNeeded:
      place = .none
      guard let session = pair.target.sessions.last,
        let load = pair.target.load(Self.data, of: session)
      else { return reactor.perform { _ in save.receive(.fetched(false)) } }
      fetch = load
    case .ended(let result): ended(save.id, result)
    }
  }

  private func ended(_ save: TransferID, _ result: DirectSaveReceiver.Result) {
    if results.updateValue(result, forKey: save) != nil { Issue.record("ended twice \(pair.label)") }
    place = .none
    if let fetch { reactor.perform { $0.loads[fetch]?.receive(.cancel) } }
    guard let session = pair.target.sessions.last else { return }
    let isThere = result == .saved || result == .fetched
    reactor.perform { $0.targets[pair.window]?.receive(.finish(session, isThere ? .copy : nil)) }
  }

  // MARK: What holds afterwards

  /// The same as for all drags. What a target writes to the drag window when the drag has ended nobody can take back but
  /// the next drag; what the source has written there is gone.
  func expectClean(_ location: SourceLocation = #_sourceLocation) {
    let source = pair.source.client
    if case .units(let bytes, _) = pair.server.windows[source.dragWindow]?.properties[.xdndDirectSave]?.contents,
      !bytes.starts(with: "note.txt".utf8)
    {
      pair.server.removeProperty(.xdndDirectSave, of: source.dragWindow)
    }
    pair.expectClean(location)
  }

  func expectTrue(_ location: SourceLocation = #_sourceLocation) {
    func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
      if !isRight { Issue.record("\(what()) \(pair.label)", sourceLocation: location) }
    }
    if pair.target.runs {
      expect(begun.allSatisfy { results[$0.id] != nil }, "a save has not ended")
      expect(reactor.saves.isEmpty, "saves left")
      if case .staging = place { expect(false, "the private directory is left") }
    }
    if pair.source.runs {
      expect(!pair.source.reactor.offers.isSavingDirectly, "a file is still written")
    }
    for result in results.values {
      if result == .saved { expect(isSaved, "taken over what is not whole") }
      if result == .fetched { expect(fetched == TestContent.bytes(2_000), "fetched something else") }
    }
    // Who was told that it is there can rely on it. A save that outlasts the patience is the exception that is told.
    if pair.source.outcomes.values.contains(.dropped(.copy)), manner != .veryLong, manner != .failsLate {
      expect(
        isSaved || fetched != nil || !pair.target.runs || results.isEmpty == false, "dropped, and nothing is there")
    }
  }
}
