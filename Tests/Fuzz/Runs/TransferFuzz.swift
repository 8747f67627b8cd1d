// Only debug builds and fuzzers have `@testable` imports, and `swift build -c release` builds this target, too.
#if DEBUG || XDND_FUZZ

@testable package import XDnD

/// Inputs into the machines of selection transfers. Each run returns what went wrong, or `nil`.
///
/// `tamper` changes the effects of a machine, to show that a fault is found.
package enum TransferFuzz {
  /// An outgoing transfer answers once, ends once, and writes only where the last part was taken.
  package static func outgoing(
    _ random: inout some Choices, steps: Int = 30,
    tamper: (OutgoingTransfer.Effect) -> [OutgoingTransfer.Effect] = { [$0] }
  ) -> String? {
    var transfer = OutgoingTransfer(
      limits: .init(wholeProperty: 100, part: 10, stall: .seconds(10), patience: .seconds(3), promise: .seconds(30)),
      at: .zero)
    var (answers, ends, isTaken, isIncremental, staged, announced) = (0, 0, true, false, 0, 0)
    var (asked, now) = (Int?.none, LoopTime.zero)
    var complaint: String?
    func check(_ effect: OutgoingTransfer.Effect) {
      switch effect {
      case .stage(let count):
        if count < 1 { complaint = "asks for \(count) bytes" }
        asked = count
      case .announce(let lowerBound):
        isIncremental = true
        isTaken = false
        announced = lowerBound
        asked = nil
      case .write(let count):
        if isIncremental, !isTaken { complaint = "wrote over a part" }
        if count > staged { complaint = "wrote \(count) of \(staged)" }
        if isIncremental, count > 10 { complaint = "a part of \(count)" }
        if isIncremental, count == 0, announced > 0 || staged > 0 { complaint = "a false end" }
        isTaken = false
        staged -= count
        announced -= count
      case .answer(let isGiven):
        answers += 1
        if !isGiven, isIncremental { complaint = "refused what was announced" }
      case .progressed: break
      case .ended(let result):
        ends += 1
        if answers != 1, result != .requestorVanished { complaint = "ended with \(answers) answers" }
        if result == .delivered, staged > 0 { complaint = "delivered all but \(staged)" }
      }
    }
    for _ in 0..<steps where !random.isOver {
      if random.oneIn(6) { now = now + .seconds(random.below(12)) }
      var input: OutgoingTransfer.Input = random.pick([
        .opened(byteCount: random.pick([nil, nil, 0, 5, 100, 101])), .propertyDeleted, .propertyDeleted,
        .propertyDeleted, .deadlineReached,
        random.pick([.failed, .refused, .requestorVanished, .superseded, .cancelled]),
      ])
      // What was asked for comes most of the time, whole or in pieces. Unasked nothing comes.
      if let count = asked, !random.oneIn(4) {
        let piece = random.oneIn(6) ? 0 : random.oneIn(2) ? count : 1 + random.below(count)
        input = .staged(piece)
        staged += piece
        asked = nil
      }
      if input == .propertyDeleted { isTaken = true }
      let effects = transfer.receive(input, at: now)
      if ends > 0, !effects.isEmpty { complaint = "did something after the end" }
      effects.flatMap(tamper).forEach(check)
      if answers > 1 || ends > 1 { complaint = "answered or ended twice" }
      if transfer.isEnded != (ends == 1) { complaint = "is ended or is not" }
    }
    // Time alone ends it, though not always at once: what was gathered is first offered.
    for _ in 0..<2 {
      guard let deadline = transfer.nextDeadline else { break }
      let effects = transfer.receive(.deadlineReached, at: max(now, deadline))
      if effects.isEmpty { complaint = "a deadline for nothing" }
      effects.flatMap(tamper).forEach(check)
    }
    if !transfer.isEnded { complaint = "time alone does not end it" }
    if transfer.isEnded, transfer.nextDeadline != nil { complaint = "a deadline after the end" }
    return complaint
  }

  /// An incoming transfer asks once, ends once, takes no more than its limit, and reads nothing while it is paused.
  package static func incoming(
    _ random: inout some Choices, steps: Int = 24,
    tamper: (IncomingTransfer.Effect) -> [IncomingTransfer.Effect] = { [$0] }
  ) -> String? {
    var transfer = IncomingTransfer(limits: .init(stall: .seconds(10), byteCount: 50))
    var (asked, ends, received, offset, now) = (0, 0, 0, 0, LoopTime.zero)
    var (isPaused, isReading) = (false, false)
    var complaint: String?
    for _ in 0..<steps where !random.isOver {
      if random.oneIn(6) { now = now + .seconds(random.below(12)) }
      let header = PropertyHeader(
        type: random.oneIn(3) ? .incr : .utf8String, format: 8, byteCount: random.pick([0, 4, 20, 20, 51]))
      let left = random.oneIn(3) ? 0 : random.below(max(1, header.byteCount - offset))
      let input: IncomingTransfer.Input = random.pick([
        .begin, .begin, .answered(hasData: !random.oneIn(6)),
        .read(header, left: left, announced: random.pick([nil, 0, 9, 99])),
        .read(header, left: left, announced: nil), .read(nil, announced: nil), .propertyChanged, .propertyChanged,
        .deadlineReached, .pause, .resume, .resume,
        random.pick([.begin, .sinkFailed, .ownerVanished, .ownerVanished, .requestorVanished, .cancel]),
      ])
      // A driver reads when it is told to, and the pages of one property one after the other.
      if case .read = input, !isReading { continue }
      if input == .pause || input == .resume { isPaused = input == .pause }
      if case .read = input { isReading = false }
      let effects = transfer.receive(input, at: now)
      if ends > 0, !effects.isEmpty { complaint = "did something after the end" }
      for effect in effects.flatMap(tamper) {
        switch effect {
        case .convert: asked += 1
        case .progressed(let count, let expected):
          if count < received || count > 50 { complaint = "took \(count) after \(received)" }
          if let expected, expected < count { complaint = "expects \(expected) and has \(count)" }
          received = count
        case .ended(.complete(let header)):
          ends += 1
          if header.byteCount != received { complaint = "completed \(header.byteCount) of \(received)" }
        case .ended: ends += 1
        case .readProperty(let from):
          if isPaused || isReading { complaint = "reads although it is paused, or reads already" }
          isReading = true
          offset = from
        case .deleteProperty: break
        }
      }
      if asked > 1 || ends > 1 { complaint = "asked or ended twice" }
      if transfer.isEnded != (ends == 1) { complaint = "is ended or is not" }
      if transfer.isEnded, transfer.nextDeadline != nil { complaint = "a deadline after the end" }
    }
    if let deadline = transfer.nextDeadline {
      _ = transfer.receive(.deadlineReached, at: deadline)
      if !transfer.isEnded { complaint = "time alone does not end it" }
    }
    _ = transfer.receive(.resume, at: now)
    if !transfer.isEnded, asked == 1, !isReading, transfer.nextDeadline == nil {
      if transfer.receive(.cancel, at: now).last != .ended(.failed(.cancelled)) { complaint = "hangs" }
    }
    return complaint
  }

  /// A server answers each request once, and lets go of all requestors.
  package static func server(
    _ random: inout some Choices, steps: Int = 40,
    tamper: (SelectionServer.Effect) -> [SelectionServer.Effect] = { [$0] }
  ) -> String? {
    var inputs: [SelectionServer.Input] = []
    var machine = SelectionServer(
      selection: .xdndSelection, types: [AtomName("text/plain"), AtomName("image/png")],
      acquired: Timestamp(rawValue: 4242), allowsDeletion: true,
      limits: .init(wholeProperty: 100, part: 10, stall: .seconds(10)), serving: .init(), resourceMask: 0xFF,
      firstID: TransferID(rawValue: 1))
    var now = LoopTime.zero
    var (answers, asked, opened) = ([Timestamp: Int](), [SelectionRequest](), [TransferID]())
    var (unread, watches) = ([SelectionRequest](), 0)
    func step(_ input: SelectionServer.Input) {
      for effect in machine.receive(input, at: now).flatMap(tamper) {
        switch effect {
        case .notify(let notify): answers[notify.time, default: 0] += 1
        case .readPairs(let request): unread.append(request)
        case .watch: watches += 1
        case .unwatch: watches -= 1
        case .open(let id, _): opened.append(id)
        default: break
        }
      }
    }
    for number in 1...steps where !random.isOver {
      if random.oneIn(6) { now = now + .seconds(random.below(12)) }
      let window = WindowID(rawValue: 0x500 + UInt32(random.below(2)))
      let property = random.pick(["P", "Q"])
      let input: SelectionServer.Input
      switch random.below(10) {
      case 0, 1, 2:
        let target = random.pick(["text/plain", "image/png", "TARGETS", "MULTIPLE", "MULTIPLE", "x/y"])
        let request = SelectionRequest(
          owner: WindowID(rawValue: 0x200), requestor: window, selection: .xdndSelection, target: AtomName(target),
          property: random.oneIn(9) ? nil : AtomName(property), time: Timestamp(rawValue: UInt32(number)))
        asked.append(request)
        input = .request(request)
      case 3, 4:
        guard let request = unread.popLast() else { continue }
        let names = ["text/plain", "image/png", "TIMESTAMP", "MULTIPLE"].map { AtomName(rawValue: $0) }
        let pairs = (0..<random.below(4)).map { _ in
          ConversionPair(
            target: random.oneIn(6) ? nil : random.pick(names),
            property: AtomName(rawValue: random.pick(["P", "A", "B"])))
        }
        input = .pairs(pairs, for: request)
      case 5, 6, 7:
        guard !opened.isEmpty else { continue }
        input = .transfer(
          random.pick(opened),
          random.pick([
            .opened(byteCount: 5), .opened(byteCount: 101), .opened(byteCount: nil), .staged(5), .staged(0),
            .failed, .refused,
          ]))
      case 8: input = .propertyDeleted(AtomName(rawValue: random.pick(["P", "A", "B", "Q"])), of: window)
      default:
        guard random.oneIn(4) else {
          input = random.pick([
            .deadlineReached, .deadlineReached, .offering([AtomName("x/y")], allowsDeletion: true),
            .acquired(at: Timestamp(rawValue: 1)),
          ])
          break
        }
        input = .windowVanished(window)
        asked.removeAll { $0.requestor == window }
        unread.removeAll { $0.requestor == window }
      }
      inputs.append(input)
      step(input)
    }
    if random.oneIn(3) { step(.cancelled) }
    // Once a list is read, the next request of its requestor is served, which may name another one.
    while let request = unread.popLast() { step(.pairs(nil, for: request)) }
    for id in opened { step(.transfer(id, .failed)) }
    while let deadline = machine.nextDeadline {
      now = deadline
      step(.deadlineReached)
    }
    let wrong = asked.filter { answers[$0.time] != 1 }
    if wrong.isEmpty, !machine.isBusy, watches == 0 { return nil }
    return "\(wrong) not answered once, or \(watches) watches left, after \(inputs)"
  }
}

#endif
