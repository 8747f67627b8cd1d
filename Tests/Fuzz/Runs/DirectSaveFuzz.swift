// Only debug builds and fuzzers have `@testable` imports, and `swift build -c release` builds this target, too.
#if DEBUG || XDND_FUZZ

@testable package import XDnD

/// Inputs into the two machines of direct save. Each run returns what went wrong, or `nil`.
///
/// `tamper` changes the effects of a machine, to show that a fault is found.
package enum DirectSaveFuzz {
  /// A file that is saved for a target ends once, and only a whole file is a success.
  package static func receiver(
    _ random: inout some Choices, steps: Int = 30,
    tamper: @escaping (DirectSaveReceiver.Effect) -> [DirectSaveReceiver.Effect] = { [$0] }
  ) -> String? {
    var receiver = ReceiverBooks(
      machine: DirectSaveReceiver(offersData: random.oneIn(2), timing: .init()), tamper: tamper)
    var now = LoopTime.zero
    var inputs: [DirectSaveReceiver.Input] = []
    for _ in 0..<steps where !random.isOver {
      if random.oneIn(4) { now = now + .milliseconds(random.below(9000)) }
      // Half of the time what was asked for, so that it gets somewhere.
      inputs.append(random.oneIn(2) ? receiver.owed.last ?? Self.input(&random) : Self.input(&random))
      receiver.send(inputs[inputs.count - 1], at: now)
    }
    // The end: questions are answered, the same is there each time, and time passes.
    let last = Self.look(&random)
    if inputs.contains(.begin) {
      for _ in 0..<2000 {
        if receiver.machine.isEnded { break }
        if let answer = receiver.owed.last {
          receiver.send(answer, at: now)
        } else if let deadline = receiver.machine.nextDeadline {
          now = max(now, deadline)
          receiver.send(.deadlineReached, at: now)
          receiver.send(.looked(last), at: now)
        } else {
          break
        }
      }
      if !receiver.machine.isEnded { receiver.complaints.append("time alone does not end it") }
    }
    return receiver.complaints.isEmpty ? nil : "\(receiver.complaints) after \(inputs)"
  }

  /// Each request for a file is answered once, and nothing is saved before the drop or twice at a time.
  package static func provider(
    _ random: inout some Choices, steps: Int = 40,
    tamper: @escaping (DirectSaveProvider.Effect) -> [DirectSaveProvider.Effect] = { [$0] }
  ) -> String? {
    var provider = ProviderBooks(tamper: tamper)
    var now = LoopTime.zero
    var inputs: [DirectSaveProvider.Input] = []
    var asked: [TransferID] = []
    func step(_ input: DirectSaveProvider.Input) {
      inputs.append(input)
      provider.send(input, at: now)
    }
    step(.begin)
    for number in 0..<steps where !random.isOver {
      if random.oneIn(4) { now = now + .milliseconds(random.below(4000)) }
      switch random.below(12) {
      case 0: if !provider.isDropped, !provider.isEnded { step(random.oneIn(2) ? .targetChanged : .dropped) }
      case 1, 2, 3, 4:
        asked.append(TransferID(rawValue: number))
        step(.requested(asked[asked.count - 1]))
      case 5, 6, 7:
        guard !provider.unread.isEmpty else { continue }
        let place: DirectSavePlace = random.pick([
          .none, .malformed, .elsewhere, .local(ProviderBooks.place), .local(ProviderBooks.place),
          .local([Array("/y".utf8)]),
        ])
        step(.place(place, for: random.pick(provider.unread)))
      case 8, 9: if provider.save != nil { step(.saved(random.pick([.saved, .placeFailed, .contentFailed]))) }
      case 10: if random.oneIn(6), !provider.isEnded { step(.ended) } else { step(.deadlineReached) }
      default: step(random.pick([.deadlineReached, .deadlineReached, .targetIsAwake, .selectionLost, .progressed]))
      }
    }
    for transfer in provider.unread { step(.place(.local(ProviderBooks.place), for: transfer)) }
    // The file comes at last, or is given up on; nobody waits longer than the patience.
    now = max(now, provider.machine.nextDeadline ?? now)
    step(.deadlineReached)
    if provider.machine.nextDeadline != nil { provider.complaints.append("the deadline does nothing") }
    let waiting = asked.filter { provider.answers[$0] == nil }
    if !waiting.isEmpty { provider.complaints.append("\(waiting) wait for ever") }
    if provider.save != nil { step(.saved(random.pick([.saved, .placeFailed, .contentFailed]))) }
    if !provider.isEnded { step(.ended) }
    if provider.hasName { provider.complaints.append("the name is left") }
    return provider.complaints.isEmpty ? nil : "\(provider.complaints) after \(inputs)"
  }

  private static func look(_ random: inout some Choices) -> DirectSaveReceiver.Look {
    .init(
      entryCount: random.below(3), byteCount: random.pick([0, 0, 5, 9]),
      isBeingWritten: random.pick([true, false, nil]))
  }

  private static func input(_ random: inout some Choices) -> DirectSaveReceiver.Input {
    switch random.below(14) {
    case 0: .begin
    case 1: .named(random.pick([nil, "x"]))
    case 2: .placed(random.oneIn(5) ? nil : "file:///x")
    case 3: .answered(random.pick([.saved, .saved, .unreachable, .failed, .refused, .withdrawn, .meaningless]))
    case 4, 5, 6: .looked(look(&random))
    case 7: .fetched(random.oneIn(2))
    case 8: .takenOver(random.oneIn(2))
    case 10: .sourceIsAwake
    case 9: random.oneIn(8) ? random.pick([.sourceVanished, .serverLost, .cancel, .placeLost]) : .deadlineReached
    default: .deadlineReached
    }
  }
}

/// Knows what the target's half may do, and what it is owed.
private struct ReceiverBooks {
  var machine: DirectSaveReceiver
  let tamper: (DirectSaveReceiver.Effect) -> [DirectSaveReceiver.Effect]
  /// How often each effect has come.
  var counts: [String: Int] = [:]
  var hasPlace = false
  var answer: DirectSaveReceiver.Answer?
  var lastWrite: String?
  var hasVanished = false
  var result: DirectSaveReceiver.Result?
  /// Answers that somebody waits for.
  var owed: [DirectSaveReceiver.Input] = []
  var complaints: [String] = []

  mutating func send(_ input: DirectSaveReceiver.Input, at now: LoopTime) {
    owed.removeAll { Self.isSameCase($0, input) }
    let wasEnded = machine.isEnded
    if input == .sourceVanished { hasVanished = true }
    let effects = machine.receive(input, at: now)
    if wasEnded, !effects.isEmpty { complaints.append("did something after the end") }
    for effect in effects.flatMap(tamper) { see(effect, input) }
    if case .answered(let answer) = input, self.answer == nil, counts["convert"] == 1 { self.answer = answer }
    if machine.isEnded != (result != nil) { complaints.append("is ended or is not") }
    if machine.isEnded, machine.nextDeadline != nil { complaints.append("a deadline after the end") }
  }

  private static func isSameCase(_ left: DirectSaveReceiver.Input, _ right: DirectSaveReceiver.Input) -> Bool {
    switch (left, right) {
    case (.named, .named), (.placed, .placed), (.answered, .answered), (.looked, .looked), (.fetched, .fetched),
      (.takenOver, .takenOver):
      true
    default: left == right
    }
  }

  /// The name of the case.
  private static func kind(_ effect: DirectSaveReceiver.Effect) -> String {
    switch effect {
    case .readName: "readName"
    case .makePlace: "makePlace"
    case .write: "write"
    case .convert: "convert"
    case .cancelConversion: "cancelConversion"
    case .renewLease: "renewLease"
    case .look: "look"
    case .progressed: "progressed"
    case .takeOver: "takeOver"
    case .finishDrop: "finishDrop"
    case .fetch: "fetch"
    case .ended: "ended"
    }
  }

  private mutating func see(_ effect: DirectSaveReceiver.Effect, _ input: DirectSaveReceiver.Input) {
    let kind = Self.kind(effect)
    counts[kind, default: 0] += 1
    if !["look", "progressed", "renewLease", "write"].contains(kind), counts[kind] != 1 {
      complaints.append("\(kind) twice")
    }
    switch effect {
    case .readName: owed.append(.named("x"))
    case .makePlace: owed.append(.placed("file:///x"))
    case .write(let text):
      hasPlace = true
      lastWrite = text
    case .convert: if lastWrite?.isEmpty != false { complaints.append("asks without a place") }
    case .cancelConversion:
      if counts["convert"] != 1 || answer != nil { complaints.append("cancels what is not under way") }
    case .takeOver:
      if answer != .saved { complaints.append("takes over what is not saved") }
      owed.append(.takenOver(true))
    case .finishDrop:
      if answer != .saved { complaints.append("finishes the drop of what is not saved") }
    case .fetch:
      if !machine.offersData
        || (answer ?? Self.answer(in: input)) != .unreachable && Self.answer(in: input) != .refused
      {
        complaints.append("fetches what is not offered")
      }
      owed.append(.fetched(true))
    case .ended(let result):
      self.result = result
      switch result {
      case .saved: if input != .takenOver(true) { complaints.append("saved, and not taken over") }
      case .fetched: if input != .fetched(true) { complaints.append("fetched, and not whole") }
      case .failed(.sourceVanished): break
      case .failed where counts["finishDrop"] != nil:
        if lastWrite == "" { complaints.append("writes what may be the next drag's") }
      // The target is gone.
      case .failed(.nothingSaved) where hasVanished:
        if lastWrite == "" { complaints.append("tells a source that is gone") }
      case .failed where hasVanished: break
      case .failed: if hasPlace, lastWrite != "" { complaints.append("the source is not told") }
      }
    case .renewLease: if answer != nil { complaints.append("is awake for nobody") }
    case .look, .progressed: break
    }
  }

  private static func answer(in input: DirectSaveReceiver.Input) -> DirectSaveReceiver.Answer? {
    if case .answered(let answer) = input { answer } else { nil }
  }
}

/// Plays the driver and the writer of the file, who answer what they are asked.
private struct ProviderBooks {
  static let place: [[UInt8]] = [Array("/x".utf8)]

  let tamper: (DirectSaveProvider.Effect) -> [DirectSaveProvider.Effect]
  var machine = DirectSaveProvider(patience: .seconds(3))
  var answers: [TransferID: DirectSaveProvider.Answer] = [:]
  var unread: [TransferID] = []
  /// Since when a file is being saved, and where.
  var save: (since: LoopTime, paths: [[UInt8]])?
  var savedPaths: [[[UInt8]]] = []
  var isDropped = false
  var isEnded = false
  var hasName = false
  var complaints: [String] = []

  mutating func send(_ input: DirectSaveProvider.Input, at now: LoopTime) {
    var finished: (since: LoopTime, paths: [[UInt8]])?
    switch input {
    case .dropped: isDropped = true
    case .saved(let result):
      finished = save
      save = nil
      if result == .saved, let finished { savedPaths.append(finished.paths) }
    case .place(_, let transfer): unread.removeAll { $0 == transfer }
    default: break
    }
    for effect in machine.receive(input, at: now).flatMap(tamper) { see(effect, input, finished, at: now) }
    if input == .ended { isEnded = true }
    if machine.isSaving != (save != nil) { complaints.append("is saving or is not") }
    if machine.nextDeadline != nil, save == nil { complaints.append("a deadline for nothing") }
  }

  private mutating func see(
    _ effect: DirectSaveProvider.Effect, _ input: DirectSaveProvider.Input,
    _ finished: (since: LoopTime, paths: [[UInt8]])?, at now: LoopTime
  ) {
    switch effect {
    case .publishName:
      if isDropped || isEnded { complaints.append("writes over the place") }
      hasName = true
    case .removeName:
      if isEnded { complaints.append("removes twice") }
      hasName = false
    case .readPlace(let transfer): unread.append(transfer)
    case .save(let paths):
      if save != nil || !isDropped { complaints.append("saves twice, or before the drop") }
      save = (now, paths)
    case .answer(let transfer, let answer):
      if answers.updateValue(answer, forKey: transfer) != nil { complaints.append("\(transfer) answered twice") }
      let waited = (finished ?? save).map { now - $0.since >= machine.patience } ?? false
      if answer == .saved, savedPaths.isEmpty, !waited { complaints.append("says saved, and it is not") }
    case .concluded(let isSaved):
      if isSaved, savedPaths.isEmpty, save.map({ now - $0.since < machine.patience }) ?? true {
        complaints.append("concluded too early")
      }
    case .extend(let transfer):
      if answers[transfer] != nil || save == nil { complaints.append("puts off what is answered") }
    }
  }
}

#endif
