import Glibc
import TestSupport
import Testing

@testable import XDnD

@Suite("The source's half of direct save")
struct DirectSaveProviderTests {
  typealias Effect = DirectSaveProvider.Effect

  private static let patience = Duration.seconds(3)
  private static let place: [[UInt8]] = [Array("/home/u/note.txt".utf8)]
  private let first = TransferID(rawValue: 1)
  private let second = TransferID(rawValue: 2)

  private func makeHovering() -> DirectSaveProvider { DirectSaveProvider(patience: Self.patience) }

  private func makeDropped() -> DirectSaveProvider {
    var machine = makeHovering()
    machine.send(.begin, .dropped)
    return machine
  }

  private func makeSaving() -> DirectSaveProvider {
    var machine = makeDropped()
    machine.send(.requested(first), .place(.local(Self.place), for: first))
    return machine
  }

  @Test func `The name is there when the drag begins, and goes when it ends`() {
    var machine = makeHovering()
    #expect(machine.send(.begin) == [.publishName])
    #expect(machine.send(.ended) == [.removeName])
  }

  @Test func `It is needed until its name is removed, and until its file is saved`() {
    var machine = makeSaving()
    #expect(machine.isNeeded)
    machine.send(.ended)
    #expect(machine.isNeeded)
    machine.send(.saved(.saved))
    #expect(!machine.isNeeded)
  }

  @Test func `Each new target finds the name, whatever the last one has written there`() {
    var machine = makeHovering()
    machine.send(.begin)
    #expect(machine.send(.targetChanged) == [.publishName])
  }

  @Test func `Nothing is looked at, and nothing saved, before the drop`() {
    var machine = makeHovering()
    machine.send(.begin)
    #expect(machine.send(.requested(first)) == [.answer(first, .refusal)])
  }

  @Test func `A request without a place is a probe`() {
    var machine = makeDropped()
    #expect(machine.send(.requested(first)) == [.readPlace(for: first)])
    #expect(machine.send(.place(.none, for: first)) == [.answer(first, .refusal)])
    #expect(machine.nextDeadline == nil)
  }

  @Test func `A place leads to a file, and the file to an S`() {
    var machine = makeDropped()
    machine.send(.requested(first))
    #expect(machine.send(.place(.local(Self.place), for: first)) == [.save(to: Self.place)])
    #expect(machine.isSaving)
    #expect(machine.send(.saved(.saved)) == [.answer(first, .saved), .concluded(isSaved: true)])
    #expect(!machine.isSaving)
  }

  @Test func `A place that cannot be written has the target fetch the bytes`() {
    var machine = makeSaving()
    #expect(machine.send(.saved(.placeFailed)) == [.answer(first, .fetch), .concluded(isSaved: false)])
  }

  @Test func `Content that cannot be had is an error`() {
    var machine = makeSaving()
    #expect(machine.send(.saved(.contentFailed)) == [.answer(first, .error), .concluded(isSaved: false)])
  }

  @Test func `a target that is awake hears of the file when it is whole`() {
    var machine = makeSaving()
    let start = LoopTime.zero
    #expect(machine.receive(.targetIsAwake, at: start + .seconds(1)) == [])
    #expect(machine.nextDeadline == start + .seconds(21))
    #expect(machine.receive(.progressed, at: start + .seconds(5)) == [.extend(first)])
    #expect(machine.receive(.targetIsAwake, at: start + .seconds(11)) == [])
    #expect(machine.receive(.deadlineReached, at: start + .seconds(30)) == [])
    #expect(
      machine.receive(.saved(.saved), at: start + .seconds(30)) == [.answer(first, .saved), .concluded(isSaved: true)])
  }

  @Test func `a target that was awake is waited for when it cannot be heard any more`() {
    var machine = makeSaving()
    #expect(machine.receive(.targetIsAwake, at: .zero + .seconds(1)) == [])
    #expect(machine.receive(.selectionLost, at: .zero + .seconds(2)) == [])
    #expect(machine.receive(.deadlineReached, at: .zero + .seconds(60)) == [])
    #expect(
      machine.receive(.saved(.saved), at: .zero + .seconds(60)) == [.answer(first, .saved), .concluded(isSaved: true)])
  }

  @Test func `a target that may be blocked by its wait is told S although the selection is lost`() {
    var machine = makeSaving()
    let deadline = machine.nextDeadline
    #expect(machine.send(.selectionLost) == [])
    #expect(machine.nextDeadline == deadline)
  }

  @Test func `a target that falls silent is told S in time`() {
    var machine = makeSaving()
    machine.send(.targetIsAwake)
    #expect(
      machine.receive(.deadlineReached, at: .zero + .seconds(20)) == [
        .answer(first, .saved), .concluded(isSaved: true),
      ])
    #expect(machine.send(.targetIsAwake) == [])
    #expect(machine.nextDeadline == nil)
  }

  @Test func `a place that cannot be written to is left to the target, but for a full disk`() {
    let destination = FileDestination(rawPath: Array("/tmp/a".utf8))
    #expect(DirectSaveProvider.SaveResult(failure: destination.failure(EACCES)) == .placeFailed)
    #expect(DirectSaveProvider.SaveResult(failure: destination.failure(ENOSPC)) == .contentFailed)
    #expect(DirectSaveProvider.SaveResult(failure: .withdrawn) == .contentFailed)
    #expect(destination.failure(ENOSPC).message == "cannot write '/tmp/a': the disk is full")
  }

  @Test func `A place on another machine is an F`() {
    var machine = makeDropped()
    machine.send(.requested(first))
    #expect(machine.send(.place(.elsewhere, for: first)) == [.answer(first, .fetch), .concluded(isSaved: false)])
  }

  @Test func `A place that is none is an E`() {
    var machine = makeDropped()
    machine.send(.requested(first))
    #expect(machine.send(.place(.malformed, for: first)) == [.answer(first, .error), .concluded(isSaved: false)])
  }

  @Test func `After a failure another place can be tried`() {
    var machine = makeSaving()
    machine.send(.saved(.placeFailed))
    #expect(machine.send(.requested(second)) == [.readPlace(for: second)])
    #expect(machine.send(.place(.local(Self.place), for: second)) == [.save(to: Self.place)])
  }

  @Test func `Who asks twice for one place gets one file and two answers`() {
    var machine = makeSaving()
    #expect(machine.send(.requested(second)) == [.readPlace(for: second)])
    #expect(machine.send(.place(.local(Self.place), for: second)) == [])
    #expect(
      machine.send(.saved(.saved))
        == [.answer(first, .saved), .answer(second, .saved), .concluded(isSaved: true)])
    let third = TransferID(rawValue: 3)
    machine.send(.requested(third))
    #expect(machine.send(.place(.local(Self.place), for: third)) == [.answer(third, .saved)])
  }

  @Test func `Another place for the same file is an error`() {
    let other: [[UInt8]] = [Array("/home/u/other.txt".utf8)]
    var machine = makeSaving()
    machine.send(.requested(second))
    #expect(machine.send(.place(.local(other), for: second)) == [.answer(second, .error)])
    machine.send(.saved(.saved), .requested(second))
    #expect(machine.send(.place(.local(other), for: second)) == [.answer(second, .error)])
  }

  @Test func `A target waits no longer than the patience, and the save goes on`() {
    var machine = makeSaving()
    #expect(machine.nextDeadline == LoopTime.zero + Self.patience)
    #expect(machine.send(.deadlineReached, at: .zero + .seconds(2)) == [])
    #expect(
      machine.send(.deadlineReached, at: .zero + Self.patience)
        == [.answer(first, .saved), .concluded(isSaved: true)])
    #expect(machine.nextDeadline == nil)
    #expect(machine.isSaving)
    #expect(machine.send(.saved(.placeFailed), at: .zero + .seconds(9)) == [.concluded(isSaved: false)])
  }

  @Test func `A save goes on when the drag has ended, and the place is removed at once`() {
    var machine = makeSaving()
    #expect(machine.send(.ended) == [.removeName])
    #expect(machine.send(.saved(.saved)) == [.answer(first, .saved), .concluded(isSaved: true)])
  }

  @Test(arguments: [false, true]) func `After the end there is nothing to ask for`(isSaved: Bool) {
    var machine = isSaved ? makeSaving() : makeDropped()
    if isSaved { _ = machine.send(.saved(.saved)) }
    machine.send(.ended)
    #expect(machine.send(.requested(second)) == [.answer(second, .refusal)])
  }

  @Test func `Each request is answered exactly once, in whatever order things happen`() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<QuickTests.cases(of: 2000) {
      var machine = makeHovering()
      var (asked, answered) = (0, [TransferID: Int]())
      var unread: [TransferID] = []
      var now = LoopTime.zero
      func note(_ effects: [Effect]) {
        for case .answer(let transfer, _) in effects { answered[transfer, default: 0] += 1 }
        for case .readPlace(let transfer) in effects { unread.append(transfer) }
      }
      for _ in 0..<20 {
        now = now + .seconds(Int.random(in: 0...2, using: &random))
        while let transfer = unread.popLast() {
          let places: [DirectSavePlace] = [.none, .local(Self.place), .local([[0x2F, 0x61]]), .elsewhere, .malformed]
          note(machine.send(.place(places.randomElement(using: &random) ?? .none, for: transfer), at: now))
        }
        let input: DirectSaveProvider.Input
        switch Int.random(in: 0..<8, using: &random) {
        case 0: input = .begin
        case 1: input = .targetChanged
        case 2: input = .dropped
        case 3, 4:
          asked += 1
          input = .requested(TransferID(rawValue: asked))
        case 5: input = .saved([.saved, .placeFailed, .contentFailed].randomElement(using: &random) ?? .saved)
        case 6: input = .deadlineReached
        default: input = asked > 3 ? .ended : .targetChanged
        }
        note(machine.send(input, at: now))
      }
      while let transfer = unread.popLast() { note(machine.send(.place(.none, for: transfer), at: now)) }
      note(machine.send(.saved(.saved), at: now))
      #expect(answered.count == asked)
      #expect(answered.values.allSatisfy { $0 == 1 })
    }
  }
}
