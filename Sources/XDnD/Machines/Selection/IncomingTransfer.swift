/// One conversion that this program requests: the requestor's half of ICCCM §2.4 and §2.7.2.
///
///     ready ─ begin ─▶ requested ─ answered ─▶ reading ─ last page of a whole property, empty part ─▶ ended
///                         │                    │ ▲  ▲ │
///                         └── refused ─▶ ended │ │  │ └─ page with more after it ─▶ reading, or held if paused
///                                   INCR, part │ │  │
///                                              ▼ │  └───────────── resume ─────────── held
///                                            waiting ─ changed ─▶ reading, or held if paused
///
///     any state ─ requestor vanished, cancel, sink failed ─▶ ended
///     any state but reading ─ owner vanished ─▶ ended
///     reading ─ owner vanished ─▶ reading, and ended instead of waiting or held
///
/// The machine counts bytes and never holds them: the driver passes them to the sink when the server has sent them.
///
/// In `reading` the server owes a page and always answers, so no deadline runs. If the owner vanishes, the transfer
/// continues, because the content is already a property of the requestor. It ends where it would have to wait for the
/// owner's next INCR part, or for this program (`held`). A part that arrived while the last one was being read is still
/// read. If the requestor vanishes, its property is lost, and the transfer ends at once.
///
/// A paused transfer reads nothing. An INCR part that is not read is not deleted either, and the owner writes the next
/// part only after the deletion. So a slow sink slows the owner down (back-pressure). In `held` the owner owes
/// nothing and no deadline runs. While the owner owes an answer or a part, its deadline runs whether the transfer is
/// paused or not.
///
/// INCR is limited in bytes, in the time per part, in the bytes per minute, and in total time: without the last two,
/// an owner could send a byte every few seconds forever. Time spent in `held` is excluded.
///
/// An owner that releases the selection (``Input/ownerWithdrew``) may have cancelled the transfer, which ICCCM §2.7.2
/// cannot express, or may complete it. After that, a refusal means a cancellation, and parts have a shorter time limit.
struct IncomingTransfer: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case begin
    /// The owner has answered; `hasData` is `false` for a refusal.
    case answered(hasData: Bool)
    /// The answer to ``Effect/readProperty(from:)``: the header of the whole property, and how many bytes of it are
    /// left to read; `nil` if the property does not exist. `announced` is the size that an `INCR` property states.
    case read(PropertyHeader?, left: Int = 0, announced: Int?)
    case propertyChanged
    /// The sink wants no more bytes for now.
    case pause
    case resume
    /// The sink cannot continue, for example because the disk is full.
    case sinkFailed
    case ownerVanished
    /// The owner is this process, and cannot provide the content. The ICCCM has no message for that.
    case ownerFailed
    /// The owner is this process, and has made more of the content.
    case providerProgressed
    /// The owner has released the selection, which has no owner now.
    case ownerWithdrew
    /// The requestor was destroyed or the server lost, and with it the property.
    case requestorVanished
    case cancel
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    case convert
    /// Read a page of the property, from this byte on. Delete the property with its last page.
    case readProperty(from: Int)
    /// The number of bytes received until now, and the expected total if known.
    case progressed(received: Int, expected: Int?)
    case deleteProperty
    case ended(Result)
  }

  enum Result: Equatable, Sendable {
    /// All data has arrived. The header's type is the owner's, which may differ from the requested target.
    case complete(PropertyHeader)
    case failed(TransferFailure)
  }

  struct Limits: Equatable, Sendable {
    /// How long the owner may take for its answer, and for each part.
    var stall: Duration = .seconds(10)
    /// The ``stall`` after ``Input/ownerWithdrew``. Mutter releases the selection before transfers are complete.
    var withdrawnStall: Duration = .seconds(5)
    /// The maximum number of bytes to accept; a longer transfer ends with ``TransferFailure/tooLarge``.
    var byteCount = 256 << 20
    /// The minimum number of bytes that INCR parts must bring within ``paceInterval``; 0 for no minimum.
    var minimumPace = 4096
    /// How long all INCR parts may take together.
    var duration: Duration = .seconds(3600)

    static let paceInterval: Duration = .seconds(60)
  }

  private enum State: Equatable, Sendable {
    case ready
    case requested(until: LoopTime)
    case reading(Progress)
    case held(Progress, since: LoopTime)
    /// Waits for the owner to write the next INCR part.
    case waiting(Progress, until: LoopTime)
    case ended
  }

  private struct Progress: Equatable, Sendable {
    var isIncremental = false
    /// The type and format of the first part.
    var header: PropertyHeader?
    /// The property that has been read in part.
    var begun: PropertyHeader?
    var offset = 0
    var received = 0
    var expected: Int?
    /// Whether the property changed while the last value was being read.
    var hasMore = false
    /// When the parts began, and when the current pace interval began. Time in `held` is added to both.
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

    /// Whether the property announces an INCR transfer.
    func isAnnounced(by header: PropertyHeader) -> Bool { header.type == .incr && begun == nil && !isIncremental }

    /// Whether this is still the partly read property: another client may have replaced it between two pages.
    func belongs(_ header: PropertyHeader) -> Bool { begun == nil || begun == header }

    func hasRoom(for header: PropertyHeader, limit: Int) -> Bool { header.byteCount - offset <= limit - received }

    /// When the transfer becomes too slow.
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
  /// The requested target; `nil` if any type is accepted.
  let target: ContentType?
  private var state = State.ready
  private(set) var isPaused = false
  /// Whether the owner vanished while its content was being read.
  private(set) var hasLostOwner = false
  private var isWithdrawn = false

  init(limits: Limits, target: ContentType? = nil) {
    self.limits = limits
    self.target = target
  }

  var isEnded: Bool { state == .ended }

  /// Whether the owner owes the next INCR part.
  var isWaiting: Bool { if case .waiting = state { true } else { false } }

  /// Whether the server owes a page.
  var isReading: Bool { if case .reading = state { true } else { false } }

  /// Whether the property being read holds the requested content, within the size limit.
  func wants(_ header: PropertyHeader) -> Bool {
    guard case .reading(let progress) = state else { return false }
    return !progress.isAnnounced(by: header) && isWanted(header, progress) && progress.belongs(header)
      && progress.hasRoom(for: header, limit: limits.byteCount)
  }

  /// Whether the property's type and format can hold the requested content. They must be the same for all INCR parts,
  /// except the empty one at the end, for which owners state any type.
  private func isWanted(_ header: PropertyHeader, _ progress: Progress) -> Bool {
    if let first = progress.header {
      return header.byteCount == 0 || (header.type, header.format) == (first.type, first.format)
    }
    guard let target else { return true }
    return target.mayArrive(as: header.type) && (header.byteCount == 0 || target.mayArrive(inFormat: header.format))
  }

  /// The time of the next ``Input/deadlineReached``. An earlier one has no effect.
  var nextDeadline: LoopTime? {
    switch state {
    case .requested(let until): until
    case .waiting(let progress, let until): min(until, progress.end(by: limits))
    case .ready, .reading, .held, .ended: nil
    }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    if input == .pause || input == .resume { isPaused = input == .pause }
    if input == .ownerVanished, isReading { hasLostOwner = true }
    if input == .ownerWithdrew { isWithdrawn = true }
    let (next, effects) = transition(on: input, at: now)
    state = next
    return effects
  }

  private func transition(on input: Input, at now: LoopTime) -> (State, [Effect]) {
    switch (state, input) {
    case (.ended, _): return (.ended, [])
    case (.ready, .begin): return (.requested(until: now + stall), [.convert])
    case (.requested, .providerProgressed): return (.requested(until: now + stall), [])
    case (.requested, .answered(hasData: false)): return fail(isWithdrawn ? .withdrawn : .refused, deleting: false)
    case (.requested, .answered(hasData: true)): return read(Progress(at: now), at: now)
    case (.reading(let progress), .read(let header?, let left, let announced)):
      return page(header, left: left, announced: announced, progress, at: now)
    case (.reading(let progress), .read(nil, _, _)): return nothing(progress, at: now)
    case (.reading(var progress), .propertyChanged):
      progress.hasMore = true
      return (.reading(progress), [])
    case (.reading, .ownerVanished): return (state, [])
    case (.held(var progress, let since), .resume):
      progress.skip(now - since)
      return read(progress, at: now)
    case (.waiting(let progress, _), .propertyChanged): return read(progress, at: now)
    case (.requested(let until), .ownerWithdrew): return (.requested(until: min(until, now + stall)), [])
    case (.waiting(let progress, let until), .ownerWithdrew):
      return (.waiting(progress, until: min(until, now + stall)), [])
    case (_, .sinkFailed): return fail(.sinkFailed, deleting: true)
    case (_, .ownerFailed): return fail(.noData, deleting: false)
    case (_, .cancel): return fail(.cancelled, deleting: true)
    case (_, .ownerVanished): return fail(.ownerVanished, deleting: true)
    case (_, .requestorVanished): return fail(.ownerVanished, deleting: false)
    case (.requested(let until), .deadlineReached) where until <= now,
      (.waiting(_, let until), .deadlineReached) where until <= now:
      return fail(isWithdrawn ? .withdrawn : .timedOut, deleting: true)
    case (.waiting(let progress, _), .deadlineReached) where progress.end(by: limits) <= now:
      return fail(.tooSlow, deleting: true)
    default: return (state, [])
    }
  }

  private func page(
    _ header: PropertyHeader, left: Int, announced: Int?, _ old: Progress, at now: LoopTime
  ) -> (State, [Effect]) {
    var progress = old
    if old.isAnnounced(by: header) { return begin(announced: announced, hasMore: old.hasMore, at: now) }
    guard isWanted(header, old) else {
      return fail(.mislabelled(header.type, format: header.format), deleting: left > 0 || old.isIncremental)
    }
    guard old.hasRoom(for: header, limit: limits.byteCount) else {
      return fail(.tooLarge(limit: limits.byteCount), deleting: left > 0 || old.isIncremental)
    }
    guard old.belongs(header) else { return fail(.noData, deleting: left > 0) }
    if old.isIncremental, header.byteCount == 0 {
      // ICCCM §2.7.2: the announced size is a lower bound, so the content is truncated.
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
    // The announced size is a 32-bit lower bound: once it is exceeded, the total is unknown.
    if let expected = progress.expected, expected < progress.received { progress.expected = nil }
    progress.begun = left > 0 ? header : nil
    progress.offset = left > 0 ? header.byteCount - left : 0
    progress.notePace(by: limits, at: now)
    let (next, effects) =
      left > 0
      ? read(progress, at: now) : progress.isIncremental ? nextPart(progress, at: now) : finish(header)
    return (next, [.progressed(received: progress.received, expected: progress.expected)] + effects)
  }

  private func finish(_ whole: PropertyHeader) -> (State, [Effect]) {
    if let target, whole.byteCount == 0, !target.canBeEmpty { return fail(.noData, deleting: false) }
    return (.ended, [.ended(.complete(whole))])
  }

  /// Begins INCR. Some owners leave the size out, or say 0. The announcement was deleted when it was read, which
  /// requests the first part.
  private func begin(announced: Int?, hasMore: Bool, at now: LoopTime) -> (State, [Effect]) {
    if let announced, announced > limits.byteCount { return fail(.tooLarge(limit: limits.byteCount), deleting: false) }
    let expected = announced.flatMap { $0 > 0 ? $0 : nil }
    let progress = Progress(at: now, isIncremental: true, expected: expected, hasMore: hasMore)
    let (state, effects) = nextPart(progress, at: now)
    return (state, [.progressed(received: 0, expected: expected)] + effects)
  }

  /// Handles a missing property. Between INCR parts, the change was about a part that has been read already. In the
  /// middle of a property, the rest of it is lost.
  private func nothing(_ progress: Progress, at now: LoopTime) -> (State, [Effect]) {
    guard progress.isIncremental, progress.begun == nil else { return fail(.noData, deleting: false) }
    return nextPart(progress, at: now)
  }

  private func nextPart(_ old: Progress, at now: LoopTime) -> (State, [Effect]) {
    var progress = old
    progress.hasMore = false
    // This also stops an owner that always has the next part ready.
    guard now < old.end(by: limits) else { return fail(.tooSlow, deleting: true) }
    if old.hasMore { return read(progress, at: now) }
    if hasLostOwner { return fail(.ownerVanished, deleting: true) }
    return (.waiting(progress, until: now + stall), [])
  }

  private var stall: Duration { isWithdrawn ? min(limits.stall, limits.withdrawnStall) : limits.stall }

  private func read(_ progress: Progress, at now: LoopTime) -> (State, [Effect]) {
    if !isPaused { return (.reading(progress), [.readProperty(from: progress.offset)]) }
    return hasLostOwner ? fail(.ownerVanished, deleting: true) : (.held(progress, since: now), [])
  }

  private func fail(_ failure: TransferFailure, deleting: Bool) -> (State, [Effect]) {
    (.ended, (deleting ? [.deleteProperty] : []) + [.ended(.failed(failure))])
  }
}

/// Why a conversion failed.
enum TransferFailure: Equatable, Sendable {
  case refused
  /// The owner reported data, but the property is missing, incomplete or empty; or this process failed to provide it.
  case noData
  /// Less content arrived than the owner had announced.
  case truncated(received: Int, announced: Int)
  /// The property's type or format cannot hold the requested content, or differs from the earlier parts.
  case mislabelled(AtomName, format: Int)
  case ownerVanished
  /// The owner has released the selection, and then refused or sent nothing: it has cancelled the transfer.
  case withdrawn
  case timedOut
  /// The parts keep coming, but bring too few bytes or take too long.
  case tooSlow
  /// There is more than this number of bytes.
  case tooLarge(limit: Int)
  case sinkFailed
  case cancelled
}
