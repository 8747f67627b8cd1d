/// One answer to one `SelectionRequest`: the owner's half of ICCCM sections 2.4 and 2.7.2.
///
///     opening ─ opened, short ─▶ staging ─ staged ─▶ (written, answered) ended
///        │  └── opened, long ──▶ announced ─ deleted ─▶ fetching ─ staged ─▶ written ─ deleted ─▶ fetching …
///        │                                                  └── last part was empty ─▶ closing ─ deleted ─▶ ended
///        └── refused ─▶ (answered) ended
///
/// Bytes never pass through here: the machine says how many to *stage*, and then that what is staged shall be
/// *written*. So a provider is asked for the next part only when the requestor has taken the last one.
///
/// Long content goes by INCR, short content in one property. FLTK and tkdnd lose INCR parts, SDL 2, GLFW and Chromium
/// do not know INCR at all, and Java reads no more than 4 000 000 bytes of one property: so the border lies just
/// below that.
struct OutgoingTransfer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    /// The provider has the content; `byteCount` is `nil` if it is not known beforehand.
    case opened(byteCount: Int?)
    case refused
    /// So many bytes are staged; fewer than asked for only at the end.
    case staged(Int)
    /// The provider failed in the middle.
    case failed
    case propertyDeleted
    case requestorVanished
    /// The requestor has asked for something else in the same place.
    case superseded
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    case stage(upTo: Int)
    /// Write `INCR` with a lower bound of the size.
    case announce(lowerBound: Int)
    /// Write what is staged, or nothing, which ends INCR.
    case write
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
  }

  private enum State: Equatable, Sendable {
    /// Waits for the provider to have something.
    case opening
    /// Waits for the provider to hand over everything, of this length.
    case staging(Int)
    /// Waits for the requestor to take the announcement, or a part.
    case offered(until: LoopTime, owed: Int)
    /// Waits for the provider to hand over the next part; so much is still missing of what was announced.
    case fetching(owed: Int)
    /// Waits for the requestor to take the empty part that ends it all.
    case closing(until: LoopTime)
    case ended
  }

  let limits: Limits
  private var state = State.opening

  init(limits: Limits) {
    self.limits = limits
  }

  var isEnded: Bool { state == .ended }

  /// When to send ``Input/deadlineReached``. A slow provider has none: it is for the application to give up on it.
  var nextDeadline: LoopTime? {
    switch state {
    case .offered(let until, _), .closing(let until): until
    case .opening, .staging, .fetching, .ended: nil
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
    case (.opening, .opened(let byteCount?)) where byteCount <= limits.wholeProperty:
      (.staging(byteCount), [.stage(upTo: byteCount)])
    case (.opening, .opened(let byteCount)):
      (
        .offered(until: now + limits.stall, owed: byteCount ?? 0),
        [.announce(lowerBound: byteCount ?? 0), .answer(true)]
      )
    case (.opening, .refused), (.opening, .failed), (.staging, .failed):
      (.ended, [.answer(false), .ended(.refused)])
    case (.staging(let expected), .staged(let count)):
      // Half a file under the name of a whole one would be a lie: a file that has shrunk is refused.
      count == expected
        ? (.ended, [.write, .answer(true), .progressed(bytes: count), .ended(.delivered)])
        : (.ended, [.answer(false), .ended(.refused)])
    case (.offered(_, let owed), .propertyDeleted): (.fetching(owed: owed), [.stage(upTo: limits.part)])
    case (.fetching(let owed), .staged(0)) where owed > 0:
      // What was announced is a lower bound, so an end before it would be the same lie.
      (.ended, [.ended(.failed)])
    case (.fetching, .staged(0)): (.closing(until: now + limits.stall), [.write])
    case (.fetching(let owed), .staged(let count)):
      (.offered(until: now + limits.stall, owed: owed - count), [.write, .progressed(bytes: count)])
    case (.fetching, .failed):
      // INCR has no word for failure. An empty part would say that this was all, so nothing more is written, and the
      // requestor's own time limit tells it.
      (.ended, [.ended(.failed)])
    case (.closing, .propertyDeleted): (.ended, [.ended(.delivered)])
    case (.opening, .superseded), (.staging, .superseded): (.ended, [.answer(false), .ended(.stalled)])
    case (_, .superseded): (.ended, [.ended(.stalled)])
    case (_, .requestorVanished): (.ended, [.ended(.requestorVanished)])
    case (.offered(let until, _), .deadlineReached) where until <= now: (.ended, [.ended(.stalled)])
    // Everything has been taken but for the mark of the end; some requestors never delete it.
    case (.closing(let until), .deadlineReached) where until <= now: (.ended, [.ended(.delivered)])
    default: (state, [])
    }
  }
}
