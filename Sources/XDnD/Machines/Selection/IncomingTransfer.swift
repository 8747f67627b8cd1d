/// One conversion that we asked for: the requestor's half of ICCCM sections 2.4 and 2.7.2.
///
///     ready ─ begin ─▶ requested ─ answered ─▶ reading ─ whole property ─▶ ended
///                         │                       └──── INCR ─▶ waiting ─ changed ─▶ reading part ─ empty ─▶ ended
///                         └── refused ─▶ ended                     ▲───── some bytes ─────┘
///
/// Bytes never pass through here: the driver hands them to whoever asked while it reads, and the machine hears how
/// many they were.
struct IncomingTransfer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case begin
    /// The owner has answered; `hasData` is false for a refusal.
    case answered(hasData: Bool)
    /// The answer to ``Effect/readProperty``; `nil` if there is nothing to read. For INCR the size is what it says.
    case read(PropertyHeader?, announced: Int?)
    /// The property has a new value.
    case propertyChanged
    /// Whoever takes the bytes cannot go on, for example because the disk is full.
    case sinkFailed
    case ownerVanished
    case cancel
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    case convert
    /// Read the property in parts and delete it.
    case readProperty
    /// So much has come, of so much if it is known.
    case progressed(received: Int, expected: Int?)
    case deleteProperty
    case ended(Result)
  }

  enum Result: Equatable, Sendable {
    /// All is there; the type is the one that the owner gave it, which may differ from what was asked for.
    case complete(PropertyHeader)
    case failed(TransferFailure)
  }

  struct Limits: Equatable, Sendable {
    /// How long the owner may take for the answer, and for each part.
    var stall: Duration = .seconds(10)
    /// The most bytes to take; a longer transfer ends with ``TransferFailure/tooLarge``.
    var byteCount = 256 << 20
  }

  private enum State: Equatable, Sendable {
    case ready
    case requested(until: LoopTime)
    /// Waits for the driver to have read the property for the first time.
    case readingFirst(hasMore: Bool)
    /// Waits for the driver to have read one part of INCR.
    case reading(Incremental)
    /// Waits for the owner to write the next part.
    case waiting(Incremental, until: LoopTime)
    case ended
  }

  private struct Incremental: Equatable, Sendable {
    /// Type and format of the first part.
    var header: PropertyHeader?
    var received = 0
    var expected: Int?
    /// A new value was announced while the last one was being read.
    var hasMore = false
  }

  let limits: Limits
  private var state = State.ready

  init(limits: Limits) {
    self.limits = limits
  }

  var isEnded: Bool { state == .ended }

  /// Whether the owner has not answered yet.
  var awaitsAnswer: Bool { if case .requested = state { true } else { false } }

  /// When to send ``Input/deadlineReached``; earlier calls do nothing.
  var nextDeadline: LoopTime? {
    switch state {
    case .requested(let until), .waiting(_, let until): until
    case .ready, .readingFirst, .reading, .ended: nil
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
    case (.ready, .begin): (.requested(until: now + limits.stall), [.convert])
    case (.requested, .answered(hasData: false)): fail(.refused, deleting: false)
    case (.requested, .answered(hasData: true)): (.readingFirst(hasMore: false), [.readProperty])
    case (.readingFirst, .read(nil, _)): fail(.noData, deleting: false)
    case (.readingFirst(let hasMore), .read(let header?, let announced)):
      first(header, announced: announced, hasMore: hasMore, at: now)
    case (.readingFirst, .propertyChanged): (.readingFirst(hasMore: true), [])
    case (.reading(let incremental), .read(let header, _)): part(header, incremental, at: now)
    case (.reading(var incremental), .propertyChanged):
      {
        incremental.hasMore = true
        return (.reading(incremental), [])
      }()
    case (.waiting(let incremental, _), .propertyChanged): (.reading(incremental), [.readProperty])
    case (_, .sinkFailed): fail(.sinkFailed, deleting: true)
    case (_, .cancel): fail(.cancelled, deleting: true)
    case (_, .ownerVanished): fail(.ownerVanished, deleting: true)
    case (.requested(let until), .deadlineReached) where until <= now,
      (.waiting(_, let until), .deadlineReached) where until <= now:
      fail(.timedOut, deleting: true)
    default: (state, [])
    }
  }

  private func first(_ header: PropertyHeader, announced: Int?, hasMore: Bool, at now: LoopTime) -> (State, [Effect]) {
    guard header.type == .incr else {
      guard header.byteCount <= limits.byteCount else { return fail(.tooLarge, deleting: false) }
      return (
        .ended,
        [.progressed(received: header.byteCount, expected: header.byteCount), .ended(.complete(header))]
      )
    }
    // The announcement is a lower bound, and some owners leave it out; reading has deleted it, which asks for more.
    if let announced, announced > limits.byteCount { return fail(.tooLarge, deleting: false) }
    let expected = announced.flatMap { $0 > 0 ? $0 : nil }
    let (state, effects) = next(Incremental(expected: expected), hasMore: hasMore, at: now)
    return (state, [.progressed(received: 0, expected: expected)] + effects)
  }

  private func part(_ header: PropertyHeader?, _ old: Incremental, at now: LoopTime) -> (State, [Effect]) {
    var incremental = old
    incremental.hasMore = false
    // A change that has been read already, or our own deletion.
    guard let header else { return next(incremental, hasMore: old.hasMore, at: now) }
    guard header.byteCount > 0 else {
      var whole = incremental.header ?? header
      whole.byteCount = incremental.received
      return (.ended, [.ended(.complete(whole))])
    }
    incremental.header = incremental.header ?? header
    incremental.received += header.byteCount
    guard incremental.received <= limits.byteCount else { return fail(.tooLarge, deleting: true) }
    let (state, effects) = next(incremental, hasMore: old.hasMore, at: now)
    return (state, [.progressed(received: incremental.received, expected: incremental.expected)] + effects)
  }

  private func next(_ incremental: Incremental, hasMore: Bool, at now: LoopTime) -> (State, [Effect]) {
    hasMore ? (.reading(incremental), [.readProperty]) : (.waiting(incremental, until: now + limits.stall), [])
  }

  private func fail(_ failure: TransferFailure, deleting: Bool) -> (State, [Effect]) {
    (.ended, (deleting ? [.deleteProperty] : []) + [.ended(.failed(failure))])
  }
}

/// Why content did not arrive.
enum TransferFailure: Equatable, Sendable {
  /// The owner has answered that it cannot give this.
  case refused
  /// The owner has said that the data is there, and it is not.
  case noData
  case ownerVanished
  case timedOut
  case tooLarge
  case sinkFailed
  case cancelled
}
