/// One conversion that we asked for: the requestor's half of ICCCM sections 2.4 and 2.7.2.
///
///     ready ─ begin ─▶ requested ─ answered ─▶ reading ─ last page of a whole property, empty part ─▶ ended
///                         │                    │ ▲  ▲ │
///                         └── refused ─▶ ended │ │  │ └─ page with more after it ─▶ reading, or held if paused
///                                   INCR, part │ │  │
///                                              ▼ │  └───────────── resume ─────────── held
///                                            waiting ─ changed ─▶ reading, or held if paused
///
/// Bytes never pass through here: the driver hands them to whoever asked while it reads, and the machine hears how
/// many they were.
///
/// A paused transfer reads nothing. A part of INCR that is not read is not deleted either, and its owner waits for
/// that before it writes the next: so a slow reader slows the owner down. In `held` nobody owes us anything, and no
/// deadline runs; an owner that owes us an answer or a part has its time whether we are paused or not.
///
/// INCR is bounded in bytes, in the time for each part, in the pace over a minute, and in time altogether: a byte every
/// few seconds would otherwise go on for ever. The time that we hold the transfer up does not count.
struct IncomingTransfer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case begin
    /// The owner has answered; `hasData` is false for a refusal.
    case answered(hasData: Bool)
    /// The answer to ``Effect/readProperty(from:)``: what the whole property is, and how many bytes of it are left to
    /// read; `nil` if there is nothing. For INCR the size is what it says.
    case read(PropertyHeader?, left: Int = 0, announced: Int?)
    /// The property has a new value.
    case propertyChanged
    /// Whoever takes the bytes wants no more for now.
    case pause
    case resume
    /// Whoever takes the bytes cannot go on, for example because the disk is full.
    case sinkFailed
    case ownerVanished
    case cancel
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    case convert
    /// Read a page of the property, from this byte on, and delete the property with its last page.
    case readProperty(from: Int)
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
    /// The least bytes that the parts of INCR have to bring within ``paceInterval``; 0 for any.
    var minimumPace = 4096
    /// How long the parts of INCR may take in all.
    var duration: Duration = .seconds(3600)

    static let paceInterval: Duration = .seconds(60)
  }

  private enum State: Equatable, Sendable {
    case ready
    case requested(until: LoopTime)
    /// Waits for the driver to have read a page.
    case reading(Progress)
    /// Paused, with something to read.
    case held(Progress, since: LoopTime)
    /// Waits for the owner to write the next part of INCR.
    case waiting(Progress, until: LoopTime)
    case ended
  }

  private struct Progress: Equatable, Sendable {
    var isIncremental = false
    /// Type and format of the first part.
    var header: PropertyHeader?
    /// The property of which some pages have been read.
    var begun: PropertyHeader?
    /// Where its next page begins.
    var offset = 0
    var received = 0
    var expected: Int?
    /// A new value was announced while the last one was being read.
    var hasMore = false
    /// When the parts began to come, and where the current interval of the pace began. Pauses of ours move both.
    var startedAt: LoopTime
    var paceFrom: LoopTime
    var paceReceived = 0

    init(at now: LoopTime, isIncremental: Bool = false, expected: Int? = nil, hasMore: Bool = false) {
      self.isIncremental = isIncremental
      self.expected = expected
      self.hasMore = hasMore
      self.startedAt = now
      self.paceFrom = now
    }

    /// Whether the property says that the content will come by INCR.
    func isAnnounced(by header: PropertyHeader) -> Bool { header.type == .incr && begun == nil && !isIncremental }

    /// Whether this is still the property that was begun: somebody may have replaced it between two pages.
    func belongs(_ header: PropertyHeader) -> Bool { begun == nil || begun == header }

    func hasRoom(for header: PropertyHeader, limit: Int) -> Bool {
      header.byteCount - offset <= limit - received
    }

    /// When the parts have been too slow.
    func end(by limits: Limits) -> LoopTime {
      let end = startedAt + limits.duration
      return limits.minimumPace > 0 ? min(end, paceFrom + Limits.paceInterval) : end
    }

    mutating func notePace(by limits: Limits, at now: LoopTime) {
      guard received - paceReceived >= limits.minimumPace else { return }
      (paceReceived, paceFrom) = (received, now)
    }

    mutating func skip(_ pause: Duration) {
      startedAt = startedAt + pause
      paceFrom = paceFrom + pause
    }
  }

  let limits: Limits
  /// What was asked for; `nil` if whatever comes will do.
  let target: ContentType?
  private var state = State.ready
  private(set) var isPaused = false

  init(limits: Limits, target: ContentType? = nil) {
    self.limits = limits
    self.target = target
  }

  var isEnded: Bool { state == .ended }

  /// Whether the owner has not answered yet.
  var awaitsAnswer: Bool { if case .requested = state { true } else { false } }

  /// Whether the bytes of the property that is being read are content, and within the limit.
  func wants(_ header: PropertyHeader) -> Bool {
    guard case .reading(let progress) = state else { return false }
    return !progress.isAnnounced(by: header) && isWanted(header, progress) && progress.belongs(header)
      && progress.hasRoom(for: header, limit: limits.byteCount)
  }

  /// Whether the property can hold what was asked for. The first part of INCR speaks for all.
  private func isWanted(_ header: PropertyHeader, _ progress: Progress) -> Bool {
    progress.header != nil || target?.mayArrive(as: header.type) ?? true
  }

  /// When to send ``Input/deadlineReached``; earlier calls do nothing.
  var nextDeadline: LoopTime? {
    switch state {
    case .requested(let until): until
    case .waiting(let progress, let until): min(until, progress.end(by: limits))
    case .ready, .reading, .held, .ended: nil
    }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    if input == .pause || input == .resume { isPaused = input == .pause }
    let (next, effects) = transition(on: input, at: now)
    state = next
    return effects
  }

  private func transition(on input: Input, at now: LoopTime) -> (State, [Effect]) {
    switch (state, input) {
    case (.ended, _): (.ended, [])
    case (.ready, .begin): (.requested(until: now + limits.stall), [.convert])
    case (.requested, .answered(hasData: false)): fail(.refused, deleting: false)
    case (.requested, .answered(hasData: true)): read(Progress(at: now), at: now)
    case (.reading(let progress), .read(let header?, let left, let announced)):
      page(header, left: left, announced: announced, progress, at: now)
    case (.reading(let progress), .read(nil, _, _)): nothing(progress, at: now)
    case (.reading(var progress), .propertyChanged):
      {
        progress.hasMore = true
        return (.reading(progress), [])
      }()
    case (.held(var progress, let since), .resume):
      {
        progress.skip(now - since)
        return read(progress, at: now)
      }()
    case (.waiting(let progress, _), .propertyChanged): read(progress, at: now)
    case (_, .sinkFailed): fail(.sinkFailed, deleting: true)
    case (_, .cancel): fail(.cancelled, deleting: true)
    case (_, .ownerVanished): fail(.ownerVanished, deleting: true)
    case (.requested(let until), .deadlineReached) where until <= now,
      (.waiting(_, let until), .deadlineReached) where until <= now:
      fail(.timedOut, deleting: true)
    case (.waiting(let progress, _), .deadlineReached) where progress.end(by: limits) <= now:
      fail(.tooSlow, deleting: true)
    default: (state, [])
    }
  }

  private func page(
    _ header: PropertyHeader, left: Int, announced: Int?, _ old: Progress, at now: LoopTime
  ) -> (State, [Effect]) {
    var progress = old
    if old.isAnnounced(by: header) { return begin(announced: announced, hasMore: old.hasMore, at: now) }
    guard isWanted(header, old) else { return fail(.mislabelled(header.type), deleting: left > 0 || old.isIncremental) }
    guard old.hasRoom(for: header, limit: limits.byteCount) else {
      return fail(.tooLarge, deleting: left > 0 || old.isIncremental)
    }
    guard old.belongs(header) else { return fail(.noData, deleting: left > 0) }
    if old.isIncremental, header.byteCount == 0 {
      // ICCCM section 2.7.2: what was announced is a lower bound, so this is not all of it.
      if let announced = old.expected, old.received < announced {
        return fail(.truncated(received: old.received, announced: announced), deleting: false)
      }
      var whole = old.header ?? header
      whole.byteCount = old.received
      return finish(whole)
    }
    if !old.isIncremental { progress.expected = header.byteCount }
    progress.header = old.header ?? header
    progress.received += header.byteCount - left - old.offset
    // What was announced is a lower bound and has 32 bits: once there is more, nothing is known.
    if let expected = progress.expected, expected < progress.received { progress.expected = nil }
    progress.begun = left > 0 ? header : nil
    progress.offset = left > 0 ? header.byteCount - left : 0
    progress.notePace(by: limits, at: now)
    let next =
      if left > 0 {
        read(progress, at: now)
      } else if progress.isIncremental {
        nextPart(progress, at: now)
      } else {
        finish(header)
      }
    return (next.0, [.progressed(received: progress.received, expected: progress.expected)] + next.1)
  }

  private func finish(_ whole: PropertyHeader) -> (State, [Effect]) {
    if let target, whole.byteCount == 0, !target.canBeEmpty { return fail(.noData, deleting: false) }
    return (.ended, [.ended(.complete(whole))])
  }

  /// Some owners leave the size out, and one that cannot be said in 32 bits is as good as none. Reading has deleted
  /// the announcement, which asks for the first part.
  private func begin(announced: Int?, hasMore: Bool, at now: LoopTime) -> (State, [Effect]) {
    if let announced, announced > limits.byteCount { return fail(.tooLarge, deleting: false) }
    let expected = announced.flatMap { $0 > 0 && $0 < UInt32.max ? $0 : nil }
    let (state, effects) = nextPart(
      Progress(at: now, isIncremental: true, expected: expected, hasMore: hasMore), at: now)
    return (state, [.progressed(received: 0, expected: expected)] + effects)
  }

  /// In INCR a change that has been read already is nothing to worry about. The rest of a property is.
  private func nothing(_ progress: Progress, at now: LoopTime) -> (State, [Effect]) {
    guard progress.isIncremental, progress.begun == nil else { return fail(.noData, deleting: false) }
    return nextPart(progress, at: now)
  }

  private func nextPart(_ old: Progress, at now: LoopTime) -> (State, [Effect]) {
    var progress = old
    progress.hasMore = false
    // Also one that never lets us wait.
    guard now < old.end(by: limits) else { return fail(.tooSlow, deleting: true) }
    return old.hasMore ? read(progress, at: now) : (.waiting(progress, until: now + limits.stall), [])
  }

  private func read(_ progress: Progress, at now: LoopTime) -> (State, [Effect]) {
    isPaused ? (.held(progress, since: now), []) : (.reading(progress), [.readProperty(from: progress.offset)])
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
  /// What has come is less than what the owner had announced.
  case truncated(received: Int, announced: Int)
  /// The property has a type that cannot be what was asked for.
  case mislabelled(AtomName)
  case ownerVanished
  case timedOut
  /// The parts go on, and bring too little or for too long.
  case tooSlow
  case tooLarge
  case sinkFailed
  case cancelled
}
