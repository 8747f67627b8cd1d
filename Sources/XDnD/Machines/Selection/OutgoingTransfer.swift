/// One answer to one `SelectionRequest`: the owner's half of ICCCM sections 2.4 and 2.7.2.
///
///     opening ─ opened, short or unknown ─▶ gathering ─ all is staged ─▶ (written, answered) ended
///        │  │                                  ├── too long, or patience is over ─▶ announced
///        │  │                                  └── failed, too short, or silent ─▶ (answered) ended
///        │  └── opened, long ──▶ announced ─ deleted ─▶ fetching ─ staged ─▶ written ─ deleted ─▶ fetching …
///        │                                                  ├── that was all ─▶ closing ─ deleted ─▶ ended
///        │                                                  └── failed, too short, or silent ─▶ ended
///        └── refused, or silent ─▶ (answered) ended
///
/// Bytes never pass through here: the machine says how many to *stage*, and then how many of those that are staged
/// shall be *written*. So a provider is asked for the next part only when the requestor has taken the last one.
///
/// Long content goes by INCR, short content in one property. FLTK and tkdnd lose INCR parts, SDL 2, GLFW and Chromium
/// do not know INCR at all, and Java reads no more than 4 000 000 bytes of one property: so the border lies just
/// below that. Content whose length nobody knows is gathered up to that border before it is decided.
struct OutgoingTransfer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    /// The provider has the content; `byteCount` is `nil` if it is not known beforehand.
    case opened(byteCount: Int?)
    case refused
    /// So many more bytes are staged, at least one and no more than were asked for; 0 says that there are no more.
    case staged(Int)
    /// The provider failed in the middle.
    case failed
    case propertyDeleted
    case requestorVanished
    /// The requestor has asked for something else in the same place.
    case superseded
    /// The requestor says that it is done with the drop.
    case requestorFinished
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    /// Have the provider add what it has to what is staged; the answer waits for the first byte.
    case stage(upTo: Int)
    /// Write `INCR` with a lower bound of the size. A stage that has no answer yet is taken back.
    case announce(lowerBound: Int)
    /// Write the first so many of the bytes that are staged. None of them, after ``announce(lowerBound:)``, ends INCR.
    case write(Int)
    /// Say that the data is there, or that there will be none.
    case answer(Bool)
    case progressed(bytes: Int)
    case ended(Result)
  }

  enum Result: Equatable, Sendable {
    case delivered
    case refused
    /// The provider failed, after INCR had begun.
    case failed
    case requestorVanished
    /// The requestor did not take a part in time, or has given up.
    case stalled
  }

  struct Limits: Equatable, Sendable {
    /// The longest content that goes in one property, in bytes.
    var wholeProperty = 3 << 20
    /// The length of one INCR part, in bytes.
    var part = 256 << 10
    /// How long the requestor may take for one part.
    var stall: Duration = .seconds(10)
    /// How long after the request it is still hoped that all goes in one property. Qt gives up after five seconds.
    var patience: Duration = .seconds(3)
    /// How long the provider may be silent.
    var promise: Duration = .seconds(30)
  }

  private enum State: Equatable, Sendable {
    /// Waits for the provider to have something.
    case opening(until: LoopTime)
    /// Waits for the provider to hand over everything, so that it goes in one property.
    case gathering(until: LoopTime, staged: Int, expected: Int?)
    /// Waits for the requestor to take the announcement, or a part.
    case offered(until: LoopTime, staged: Int, owed: Int)
    /// Waits for the provider to hand over the next part; so much is still missing of what was announced.
    case fetching(until: LoopTime, owed: Int)
    /// Waits for the requestor to take the empty part that ends it all.
    case closing(until: LoopTime)
    case ended
  }

  let limits: Limits
  /// When the requestor has waited long enough for a single property.
  private let impatience: LoopTime
  private var state: State

  /// - Parameter now: When it was asked for.
  init(limits: Limits, at now: LoopTime) {
    self.limits = limits
    self.impatience = now + limits.patience
    self.state = .opening(until: now + limits.promise)
  }

  var isEnded: Bool { state == .ended }

  /// When to send ``Input/deadlineReached``.
  var nextDeadline: LoopTime? {
    switch state {
    // With nothing there, the requestor can still be refused; INCR could not even say that it has failed.
    case .gathering(let until, let staged, _): staged > 0 ? min(impatience, until) : until
    case .opening(let until), .offered(let until, _, _), .fetching(let until, _), .closing(let until): until
    case .ended: nil
    }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    let (next, effects) = transition(on: input, at: now)
    state = next
    return effects
  }

  private func transition(on input: Input, at now: LoopTime) -> (State, [Effect]) {
    switch (state, input) {
    case (.ended, _): (.ended, [])
    case (_, .superseded): (.ended, end(.stalled))
    case (_, .requestorVanished): (.ended, [.ended(.requestorVanished)])
    case (.opening, .opened(let byteCount?)) where byteCount > limits.wholeProperty:
      announce(staged: 0, lowerBound: byteCount, at: now)
    case (.opening, .opened(let byteCount)): gather(0, of: byteCount, at: now)
    case (.opening, .refused), (.opening, .failed), (.gathering, .failed): (.ended, end(.refused))
    case (.gathering(_, let staged, let expected), .staged(0)):
      // Half a file under the name of a whole one would be a lie: a file that has shrunk is refused.
      expected == nil ? (.ended, whole(staged)) : (.ended, end(.refused))
    case (.gathering(_, let staged, let expected), .staged(let count)):
      gather(staged + count, of: expected, at: now)
    case (.gathering(_, let staged, let expected), .deadlineReached) where staged > 0 && impatience <= now:
      announce(staged: staged, lowerBound: expected ?? staged, at: now)
    case (.opening(let until), .deadlineReached) where until <= now,
      (.gathering(let until, _, _), .deadlineReached) where until <= now:
      (.ended, end(.refused))
    case (.offered(_, 0, let owed), .propertyDeleted):
      (.fetching(until: now + limits.promise, owed: owed), [.stage(upTo: limits.part)])
    case (.offered(_, let staged, let owed), .propertyDeleted):
      write(min(staged, limits.part), of: staged, owed, at: now)
    case (.fetching(_, let owed), .staged(0)) where owed > 0:
      // What was announced is a lower bound, so an end before it would be the same lie.
      (.ended, end(.failed))
    case (.fetching, .staged(0)): (.closing(until: now + limits.stall), [.write(0)])
    case (.fetching(_, let owed), .staged(let count)): write(count, of: count, owed, at: now)
    // INCR has no word for failure. An empty part would say that this was all, so nothing more is written, and the
    // requestor's own time limit tells it.
    case (.fetching, .failed): (.ended, end(.failed))
    case (.fetching(let until, _), .deadlineReached) where until <= now: (.ended, end(.failed))
    case (.closing, .propertyDeleted), (.closing, .requestorFinished): (.ended, end(.delivered))
    case (.offered(let until, _, _), .deadlineReached) where until <= now: (.ended, end(.stalled))
    // Everything has been taken but for the mark of the end; some requestors never delete it.
    case (.closing(let until), .deadlineReached) where until <= now: (.ended, end(.delivered))
    default: (state, [])
    }
  }

  /// Goes on towards a single property, with so many bytes there.
  private func gather(_ staged: Int, of expected: Int?, at now: LoopTime) -> (State, [Effect]) {
    if staged == expected { return (.ended, whole(staged)) }
    if expected == nil, staged > limits.wholeProperty { return announce(staged: staged, lowerBound: staged, at: now) }
    // Of unknown content more is asked for than would fit: only so it shows that there is more.
    let missing = (expected ?? limits.wholeProperty + limits.part) - staged
    return (.gathering(until: now + limits.promise, staged: staged, expected: expected), [.stage(upTo: missing)])
  }

  private func announce(staged: Int, lowerBound: Int, at now: LoopTime) -> (State, [Effect]) {
    (
      .offered(until: now + limits.stall, staged: staged, owed: lowerBound),
      [.announce(lowerBound: lowerBound), .answer(true)]
    )
  }

  /// Writes one part; the rest of what is staged is the next one.
  private func write(_ count: Int, of staged: Int, _ owed: Int, at now: LoopTime) -> (State, [Effect]) {
    (
      .offered(until: now + limits.stall, staged: staged - count, owed: owed - count),
      [.write(count), .progressed(bytes: count)]
    )
  }

  private func whole(_ count: Int) -> [Effect] {
    [.write(count), .answer(true), .progressed(bytes: count), .ended(.delivered)]
  }

  /// The requestor has its answer by now, or gets it here.
  private func end(_ result: Result) -> [Effect] {
    switch state {
    case .opening, .gathering: [.answer(false), .ended(result)]
    case .offered, .fetching, .closing, .ended: [.ended(result)]
    }
  }
}
