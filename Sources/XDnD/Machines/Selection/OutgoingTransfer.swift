/// The answer to one `SelectionRequest`: the owner's half of ICCCM §2.4 and §2.7.2.
///
///     opening ─ opened, short or unknown ─▶ gathering ─ all is staged ─▶ (written, answered) ended
///        │  │                                  ├── too long, or patience expired ─▶ offered
///        │  │                                  └── failed, too short, or silent ─▶ (answered) ended
///        │  └── opened, long ──▶ offered ─ deleted ─▶ fetching ─ staged ─▶ offered ─ deleted ─▶ fetching …
///        │                                                ├── end of content ─▶ closing ─ deleted ─▶ ended
///        │                                                └── failed, too short, or silent ─▶ ended
///        └── refused, or silent ─▶ (answered) ended
///
/// The application may cancel in any state: an unanswered request is refused, and INCR stops.
///
/// The machine counts bytes and never holds them: it says how many to *stage*, that is, to get from the provider, and
/// how many of the staged ones to *write*. So the provider is asked for the next part only after the requestor has
/// taken the last one (back-pressure).
///
/// Long content goes by INCR, short content in one property. FLTK 1.3 and tkdnd (2.6, 2.10.3) lose INCR parts; SDL 2,
/// GLFW and Chromium do not implement INCR; Java reads no more than 4 000 000 bytes of one property. The limit for one
/// property is therefore below that. Content of unknown length is gathered up to the limit before the machine decides.
struct OutgoingTransfer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    /// The provider has the content; `byteCount` is `nil` if the length is unknown.
    case opened(byteCount: Int?)
    case refused
    /// The provider is still preparing the content.
    case providing
    /// This many more bytes are staged, at most as many as requested. 0 means the end of the content.
    case staged(Int)
    /// The provider failed after it had opened the content.
    case failed
    case propertyDeleted
    case requestorVanished
    /// The requestor has requested another conversion into the same property.
    case superseded
    /// The requestor has finished the drop.
    case requestorFinished
    /// The drop has failed, for example by a refusal. The requestor has probably given up the transfer, too.
    case requestorRefused
    /// The application gives up the transfer.
    case cancelled
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    /// Ask the provider to append to the staged bytes. It answers once it has a byte or reaches the end.
    case stage(upTo: Int)
    /// Write `INCR` with a lower bound of the size. Cancels a ``stage(upTo:)`` that has no answer yet.
    case announce(lowerBound: Int)
    /// Write this many of the staged bytes. After ``announce(lowerBound:)``, 0 bytes end INCR.
    case write(Int)
    /// Send `SelectionNotify`: the data is there, or the request is refused.
    case answer(Bool)
    case progressed(bytes: Int)
    case ended(Result)
  }

  enum Result: Equatable, Sendable {
    case delivered
    case refused
    /// The provider failed after INCR had begun.
    case failed
    case cancelled
    case requestorVanished
    /// The requestor did not take a part in time, or gave up.
    case stalled
  }

  struct Limits: Equatable, Sendable {
    /// The largest content that is written as one property, in bytes.
    var wholeProperty = 3 << 20
    var part = 512 << 10
    /// How long the requestor may take for one part.
    var stall: Duration = .seconds(10)
    /// After ``Input/requestorRefused``: how long the requestor may take for a part, and how long the provider may be
    /// silent.
    var refusedStall: Duration = .seconds(1)
    /// How long after the request to keep gathering for a single property. Qt gives up after five seconds.
    var patience: Duration = .seconds(3)
    /// How long the provider may be silent.
    var promise: Duration = .seconds(30)

    /// The limits for a Tk requestor, which reads 400 000 bytes of a part, and fails if there are more.
    var shortParts: Limits {
      var limits = self
      limits.part = min(part, 256 << 10)
      return limits
    }
  }

  private enum State: Equatable, Sendable {
    case opening(until: LoopTime)
    /// Waits for the provider to supply the whole content, to write it as one property.
    case gathering(until: LoopTime, staged: Int, expected: Int?)
    /// Waits for the requestor to take the announcement or a part.
    case offered(until: LoopTime, staged: Int, owed: Int)
    /// Waits for the provider to supply the next part; `owed` bytes of the announced size are still missing.
    case fetching(until: LoopTime, owed: Int)
    /// Waits for the requestor to take the empty part that ends INCR.
    case closing(until: LoopTime)
    case ended
  }

  private(set) var limits: Limits
  /// When to stop gathering for a single property.
  private let impatience: LoopTime
  /// Whether ``Input/requestorRefused`` has arrived.
  private var isRefused = false
  private var state: State

  init(limits: Limits, at now: LoopTime) {
    self.limits = limits
    self.impatience = now + limits.patience
    self.state = .opening(until: now + limits.promise)
  }

  var isEnded: Bool { state == .ended }

  /// The time of the next ``Input/deadlineReached``.
  var nextDeadline: LoopTime? {
    switch state {
    // With nothing staged, keep waiting: a request can still be refused, but INCR cannot report a failure.
    case .gathering(let until, let staged, _): staged > 0 ? min(impatience, until) : until
    case .opening(let until), .offered(let until, _, _), .fetching(let until, _), .closing(let until): until
    case .ended: nil
    }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    if input == .requestorRefused {
      isRefused = true
      // All later waits are short, too: the refusal may arrive before the provider has opened the content, and a
      // program that gives up a transfer may delete one more part.
      limits.promise = min(limits.promise, limits.refusedStall)
      limits.stall = min(limits.stall, limits.refusedStall)
    }
    let (next, effects) = transition(on: input, at: now)
    state = next
    return effects
  }

  private func transition(on input: Input, at now: LoopTime) -> (State, [Effect]) {
    switch (state, input) {
    case (.ended, _): (.ended, [])
    case (_, .superseded): (.ended, end(.stalled))
    case (_, .cancelled): (.ended, end(.cancelled))
    case (_, .requestorVanished): (.ended, [.ended(.requestorVanished)])
    case (.opening, .opened(let byteCount?)) where byteCount > limits.wholeProperty:
      announce(staged: 0, lowerBound: byteCount, at: now)
    case (.opening, .opened(let byteCount)): gather(0, of: byteCount, at: now)
    case (.opening, .refused), (.opening, .failed), (.gathering, .failed): (.ended, end(.refused))
    case (.gathering(_, let staged, let expected), .staged(0)):
      // Refuse a file that has shrunk: a truncated file would look complete.
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
      // The announced size is a lower bound (ICCCM §2.7.2): an earlier end would make a truncated file look complete.
      (.ended, end(.failed))
    case (.fetching, .staged(0)): (.closing(until: now + limits.stall), [.write(0)])
    case (.fetching(_, let owed), .staged(let count)): write(count, of: count, owed, at: now)
    // INCR cannot report failure, and an empty part would mean the end of the content. So write nothing more, and let
    // the requestor run into its own time limit.
    case (.fetching, .failed): (.ended, end(.failed))
    case (.fetching(let until, _), .deadlineReached) where until <= now: (.ended, end(.failed))
    case (.closing, .propertyDeleted), (.closing, .requestorFinished), (.closing, .requestorRefused):
      (.ended, end(.delivered))
    case (.opening, .providing) where !isRefused: (.opening(until: now + limits.promise), [])
    case (.opening(let until), .requestorRefused): (.opening(until: min(until, now + limits.refusedStall)), [])
    case (.gathering(let until, let staged, let expected), .requestorRefused):
      (.gathering(until: min(until, now + limits.refusedStall), staged: staged, expected: expected), [])
    case (.offered(let until, let staged, let owed), .requestorRefused):
      (.offered(until: min(until, now + limits.refusedStall), staged: staged, owed: owed), [])
    case (.fetching(let until, let owed), .requestorRefused):
      (.fetching(until: min(until, now + limits.refusedStall), owed: owed), [])
    case (.offered(let until, _, _), .deadlineReached) where until <= now: (.ended, end(.stalled))
    // The requestor has taken all content; some requestors never delete the final empty part.
    case (.closing(let until), .deadlineReached) where until <= now: (.ended, end(.delivered))
    default: (state, [])
    }
  }

  /// Continues towards a single property, with `staged` bytes until now.
  private func gather(_ staged: Int, of expected: Int?, at now: LoopTime) -> (State, [Effect]) {
    if staged == expected { return (.ended, whole(staged)) }
    if expected == nil, staged > limits.wholeProperty { return announce(staged: staged, lowerBound: staged, at: now) }
    // If the length is unknown, ask for more than fits, to find out whether there is more.
    let missing = (expected ?? limits.wholeProperty + limits.part) - staged
    var until = now + limits.promise
    // After a refusal, more content does not extend the deadline.
    if isRefused, case .gathering(let end, _, _) = state { until = end }
    return (.gathering(until: until, staged: staged, expected: expected), [.stage(upTo: missing)])
  }

  private func announce(staged: Int, lowerBound: Int, at now: LoopTime) -> (State, [Effect]) {
    (
      .offered(until: now + limits.stall, staged: staged, owed: lowerBound),
      [.announce(lowerBound: lowerBound), .answer(true)]
    )
  }

  /// Writes one part; the rest of the staged bytes form the next part.
  private func write(_ count: Int, of staged: Int, _ owed: Int, at now: LoopTime) -> (State, [Effect]) {
    (
      .offered(until: now + limits.stall, staged: staged - count, owed: owed - count),
      [.write(count), .progressed(bytes: count)]
    )
  }

  private func whole(_ count: Int) -> [Effect] {
    [.write(count), .answer(true), .progressed(bytes: count), .ended(.delivered)]
  }

  /// Ends the transfer. Refuses the request if it has not been answered.
  private func end(_ result: Result) -> [Effect] {
    switch state {
    case .opening, .gathering: [.answer(false), .ended(result)]
    case .offered, .fetching, .closing, .ended: [.ended(result)]
    }
  }
}
