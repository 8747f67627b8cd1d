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
    _ = machine.receive(.begin, at: .zero)
    _ = machine.receive(.dropped, at: .zero)
    return machine
  }

  private func makeSaving() -> DirectSaveProvider {
    var machine = makeDropped()
    _ = machine.receive(.requested(first), at: .zero)
    _ = machine.receive(.place(.local(Self.place), for: first), at: .zero)
    return machine
  }

  @Test func `The name is there when the drag begins, and goes when it ends`() {
    var machine = makeHovering()
    #expect(machine.receive(.begin, at: .zero) == [.publishName])
    #expect(machine.receive(.ended, at: .zero) == [.removeName])
  }

  @Test func `It is needed until its name is removed, and until its file is saved`() {
    var machine = makeSaving()
    #expect(machine.isNeeded)
    _ = machine.receive(.ended, at: .zero)
    #expect(machine.isNeeded)
    _ = machine.receive(.saved(.saved), at: .zero)
    #expect(!machine.isNeeded)
  }

  @Test func `Each new target finds the name, whatever the last one has written there`() {
    var machine = makeHovering()
    _ = machine.receive(.begin, at: .zero)
    #expect(machine.receive(.targetChanged, at: .zero) == [.publishName])
  }

  @Test func `Nothing is looked at, and nothing saved, before the drop`() {
    var machine = makeHovering()
    _ = machine.receive(.begin, at: .zero)
    #expect(machine.receive(.requested(first), at: .zero) == [.answer(first, .refusal)])
  }

  @Test func `A request without a place is a probe`() {
    var machine = makeDropped()
    #expect(machine.receive(.requested(first), at: .zero) == [.readPlace(for: first)])
    #expect(machine.receive(.place(.none, for: first), at: .zero) == [.answer(first, .refusal)])
    #expect(machine.nextDeadline == nil)
  }

  @Test func `A place leads to a file, and the file to an S`() {
    var machine = makeDropped()
    _ = machine.receive(.requested(first), at: .zero)
    #expect(machine.receive(.place(.local(Self.place), for: first), at: .zero) == [.save(to: Self.place)])
    #expect(machine.isSaving)
    #expect(machine.receive(.saved(.saved), at: .zero) == [.answer(first, .saved), .concluded(isSaved: true)])
    #expect(!machine.isSaving)
  }

  @Test func `A place that cannot be written has the target fetch the bytes`() {
    var machine = makeSaving()
    #expect(machine.receive(.saved(.placeFailed), at: .zero) == [.answer(first, .fetch), .concluded(isSaved: false)])
  }

  @Test func `Content that cannot be had is an error`() {
    var machine = makeSaving()
    #expect(machine.receive(.saved(.contentFailed), at: .zero) == [.answer(first, .error), .concluded(isSaved: false)])
  }

  @Test func `A place on another machine is an F`() {
    var machine = makeDropped()
    _ = machine.receive(.requested(first), at: .zero)
    #expect(
      machine.receive(.place(.elsewhere, for: first), at: .zero)
        == [.answer(first, .fetch), .concluded(isSaved: false)])
  }

  @Test func `A place that is none is an E`() {
    var machine = makeDropped()
    _ = machine.receive(.requested(first), at: .zero)
    #expect(
      machine.receive(.place(.malformed, for: first), at: .zero)
        == [.answer(first, .error), .concluded(isSaved: false)])
  }

  @Test func `After a failure another place can be tried`() {
    var machine = makeSaving()
    _ = machine.receive(.saved(.placeFailed), at: .zero)
    #expect(machine.receive(.requested(second), at: .zero) == [.readPlace(for: second)])
    #expect(machine.receive(.place(.local(Self.place), for: second), at: .zero) == [.save(to: Self.place)])
  }

  @Test func `Who asks twice for one place gets one file and two answers`() {
    var machine = makeSaving()
    #expect(machine.receive(.requested(second), at: .zero) == [.readPlace(for: second)])
    #expect(machine.receive(.place(.local(Self.place), for: second), at: .zero) == [])
    #expect(
      machine.receive(.saved(.saved), at: .zero)
        == [.answer(first, .saved), .answer(second, .saved), .concluded(isSaved: true)])
    let third = TransferID(rawValue: 3)
    _ = machine.receive(.requested(third), at: .zero)
    #expect(machine.receive(.place(.local(Self.place), for: third), at: .zero) == [.answer(third, .saved)])
  }

  @Test func `Another place for the same file is an error`() {
    let other: [[UInt8]] = [Array("/home/u/other.txt".utf8)]
    var machine = makeSaving()
    _ = machine.receive(.requested(second), at: .zero)
    #expect(machine.receive(.place(.local(other), for: second), at: .zero) == [.answer(second, .error)])
    _ = machine.receive(.saved(.saved), at: .zero)
    _ = machine.receive(.requested(second), at: .zero)
    #expect(machine.receive(.place(.local(other), for: second), at: .zero) == [.answer(second, .error)])
  }

  @Test func `A target waits no longer than the patience, and the save goes on`() {
    var machine = makeSaving()
    #expect(machine.nextDeadline == LoopTime.zero + Self.patience)
    #expect(machine.receive(.deadlineReached, at: .zero + .seconds(2)) == [])
    #expect(
      machine.receive(.deadlineReached, at: .zero + Self.patience)
        == [.answer(first, .saved), .concluded(isSaved: true)])
    #expect(machine.nextDeadline == nil)
    #expect(machine.isSaving)
    #expect(machine.receive(.saved(.placeFailed), at: .zero + .seconds(9)) == [.concluded(isSaved: false)])
  }

  @Test func `A save goes on when the drag has ended, and the place is removed at once`() {
    var machine = makeSaving()
    #expect(machine.receive(.ended, at: .zero) == [.removeName])
    #expect(machine.receive(.saved(.saved), at: .zero) == [.answer(first, .saved), .concluded(isSaved: true)])
  }

  @Test(arguments: [false, true]) func `After the end there is nothing to ask for`(isSaved: Bool) {
    var machine = isSaved ? makeSaving() : makeDropped()
    if isSaved { _ = machine.receive(.saved(.saved), at: .zero) }
    _ = machine.receive(.ended, at: .zero)
    #expect(machine.receive(.requested(second), at: .zero) == [.answer(second, .refusal)])
  }

  @Test func `Each request is answered exactly once, in whatever order things happen`() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<2000 {
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
          note(machine.receive(.place(places.randomElement(using: &random) ?? .none, for: transfer), at: now))
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
        note(machine.receive(input, at: now))
      }
      while let transfer = unread.popLast() { note(machine.receive(.place(.none, for: transfer), at: now)) }
      note(machine.receive(.saved(.saved), at: now))
      #expect(answered.count == asked)
      #expect(answered.values.allSatisfy { $0 == 1 })
    }
  }
}
