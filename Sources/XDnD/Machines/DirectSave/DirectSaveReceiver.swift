/// The target's half of XDS (Direct Save Protocol, version 0): one file that the source saves where the target asks.
/// The source answers S (saved), F (cannot save there) or E (error).
///
///     ready ─ begin ─▶ naming ─ named ─▶ placing ─ placed ─▶ asking ─ S ─▶ settling ─ complete ─▶ takingOver ─▶ ended
///                                                              │              └─ incomplete at first look: Finished
///                                                              └─ F or refused, data offered ─▶ fetching ─▶ ended
///
/// The destination is a private directory. So neither the promised name nor the name that the source saves under can do
/// any harm, and everything in the directory was saved by the source. (Archivers promise `xds.txt` and save under the
/// names of the archive's members.)
///
/// Where the specification is silent:
/// - *S does not mean that the file is complete.* Firefox answers with an empty file and fills it later; Engrampa
///   answers and extracts afterwards. A file that exists then is taken over if it is not empty and no program has it
///   open for writing. A file that appears later must stay unchanged for a while, because another may follow. An empty
///   file is taken over in the end.
/// - *When Finished is due.* Engrampa extracts only after the end of the drag. So if no complete file exists when S
///   arrives, the drop is finished at once and the file is awaited afterwards; neither peer then waits for the other.
///   The source cannot be told the later result.
/// - *A source that exits after S.* Another program may write on its behalf. Content that stays unchanged is taken
///   over. If there is none, S was false and the save has failed, as with a running source. An empty file may be one
///   that the source could no longer fill, so the save fails with ``Failure/sourceVanished``.
/// - *The property after S* is not read: some sources delete it.
/// - *A refusal* is treated like F: requesting the data loses nothing. E means that the source has tried and failed.
/// - *A source that saves before it answers* has no time limit while the saved content grows. Without growth it may
///   take an hour while it answers other requests: this library's source writes to an unnamed file, which is not in the
///   directory.
/// - *After a failure* the property is written again, empty, as XDS requires after F.
struct DirectSaveReceiver: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case begin
    /// The answer to ``Effect/readName``; `nil` if there is no usable name.
    case named(String?)
    /// The answer to ``Effect/makePlace(named:)``: a URI, or `nil` if the directory could not be created.
    case placed(String?)
    case answered(Answer)
    /// The answer to ``Effect/look``.
    case looked(Look)
    /// The answer to ``Effect/renewLease``.
    case sourceIsAwake
    /// The answer to ``Effect/look`` if the directory has been removed, or holds more than is accepted.
    case placeLost
    /// The answer to ``Effect/look`` if the directory cannot be read now, usually for lack of a descriptor.
    case unreadable
    /// The answer to ``Effect/fetch``: whether all of the data was stored in a file.
    case fetched(Bool)
    /// The answer to ``Effect/takeOver``.
    case takenOver(Bool)
    case sourceVanished
    case serverLost
    case cancel
    case deadlineReached
  }

  enum Effect: Equatable, Sendable {
    case readName
    case makePlace(named: String?)
    /// Write the direct-save property: a URI, or nothing after a failure.
    case write(String)
    case convert
    case cancelConversion
    /// Request a cheap conversion. It shows the source that this program is not blocked; the answer shows that the
    /// source is alive.
    case renewLease
    /// Examine the content of the directory.
    case look
    /// The save is in progress, which extends the deadline of the drop.
    case progressed
    case takeOver
    /// Send Finished: the source has done its part.
    case finishDrop
    /// Load the data from the selection instead.
    case fetch
    case ended(Result)
  }

  /// The result of the conversion of `XdndDirectSave0`.
  enum Answer: Equatable, Sendable {
    /// `S`.
    case saved
    /// `F`: the source cannot save there.
    case unreachable
    /// `E`.
    case failed
    case refused
    /// The source has given up `XdndSelection`, and has not saved its file.
    case withdrawn
    /// Any other value, or none.
    case meaningless

    init(_ bytes: [UInt8], isWithdrawn: Bool = false) {
      // Some C programs send a terminating NUL after the letter.
      let letters = bytes.last == 0 ? bytes.dropLast() : bytes[...]
      self =
        switch letters {
        case [UInt8(ascii: "S")]: .saved
        case _ where isWithdrawn: .withdrawn
        case [UInt8(ascii: "F")]: .unreachable
        case [UInt8(ascii: "E")]: .failed
        default: .meaningless
        }
    }
  }

  /// The content of the private directory.
  struct Look: Equatable, Sendable {
    /// The number of files and directories, at any depth.
    var entryCount = 0
    var byteCount = 0
    /// Whether a program has one of the files open for writing; `nil` if unknown.
    var isBeingWritten: Bool? = false
  }

  enum Result: Equatable, Sendable {
    /// The source has saved the file, and it was taken over.
    case saved
    /// The data was loaded from the selection instead.
    case fetched
    case failed(Failure)
  }

  enum Failure: Equatable, Sendable {
    /// The source cannot save here and does not offer the data.
    case refused
    /// The source tried to save and failed.
    case notSaved
    case meaninglessAnswer
    /// The source reported success, but saved nothing.
    case nothingSaved
    case timedOut
    case sourceVanished
    /// The source has cancelled the save.
    case withdrawn
    case cancelled
    /// No directory could be created, or the content could not be stored.
    case notStored
  }

  struct Timing: Equatable, Sendable {
    var look: Duration = .milliseconds(100)
    /// How long the directory may stay unchanged before the source has answered, and afterwards while it is empty or
    /// incomplete.
    var silence: Duration = .seconds(30)
    /// How long content must stay unchanged after the answer to count as complete.
    var quiet: Duration = .seconds(1)
    /// How long after the conversion the first ``Effect/renewLease`` is due. This library's source waits three seconds
    /// for it, but within a second the user may begin another drag, whose source then gets all requests.
    var firstRenewal: Duration = .milliseconds(300)
    /// How often ``Effect/renewLease`` is repeated.
    var renewal: Duration = .seconds(10)
    /// How long a source that is awake may take.
    var duration: Duration = .seconds(3600)
  }

  private enum State: Equatable, Sendable {
    case ready
    case naming
    case placing
    /// Waits for the source to save and to answer.
    case asking(Watch, Lease)
    /// Waits for the saved content to be complete.
    case settling(Watch)
    case fetching
    case takingOver
    case ended
  }

  /// The observations of the directory.
  private struct Watch: Equatable, Sendable {
    /// The last observation; `nil` before the first one after the answer.
    var last: Look?
    var changedAt: LoopTime
    var lookAt: LoopTime
    /// Whether the source has exited after its answer.
    var isOrphaned = false

    /// A look at a thousand files takes milliseconds, so the next one is later.
    func noting(_ look: Look, at now: LoopTime, pause: Duration) -> Watch {
      var watch = self
      if look != last { (watch.last, watch.changedAt) = (look, now) }
      watch.lookAt = max(lookAt, now + min(pause * (look.entryCount / 100), .seconds(10)))
      return watch
    }
  }

  /// The times of ``Effect/renewLease`` while the source saves.
  private struct Lease: Equatable, Sendable {
    var renewAt: LoopTime
    /// When ``Input/sourceIsAwake`` stops extending the wait.
    let end: LoopTime
  }

  /// Whether the source offers `application/octet-stream`.
  let offersData: Bool
  let timing: Timing
  private var state = State.ready
  /// Whether Finished was sent before the file was complete.
  private(set) var hasFinishedDrop = false

  init(offersData: Bool, timing: Timing) {
    self.offersData = offersData
    self.timing = timing
  }

  var isEnded: Bool { state == .ended }

  /// Whether the source has gone after it has reported the file as saved.
  var isOrphaned: Bool { if case .settling(let watch) = state { watch.isOrphaned } else { false } }

  /// The time of the next ``Input/deadlineReached``. An earlier one has no effect.
  var nextDeadline: LoopTime? {
    switch state {
    case .asking(let watch, _), .settling(let watch): watch.lookAt
    case .ready, .naming, .placing, .fetching, .takingOver, .ended: nil
    }
  }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    let (next, effects) = transition(on: input, at: now)
    state = next
    if effects.contains(.finishDrop) { hasFinishedDrop = true }
    return effects
  }

  private func transition(on input: Input, at now: LoopTime) -> (State, [Effect]) {
    switch (state, input) {
    case (.ended, _): return (.ended, [])
    case (.ready, .begin): return (.naming, [.readName])
    case (.naming, .named(let name)): return (.placing, [.makePlace(named: name)])
    case (.placing, .placed(let uri?)):
      let lease = Lease(renewAt: now + timing.firstRenewal, end: now + timing.duration)
      return (.asking(Watch(last: Look(), changedAt: now, lookAt: now + timing.look), lease), [.write(uri), .convert])
    case (.placing, .placed(nil)), (.fetching, .fetched(false)), (.takingOver, .takenOver(false)),
      (.asking, .placeLost), (.settling, .placeLost):
      return fail(.notStored)
    case (.asking, .answered(let answer)): return answered(answer, at: now)
    case (.asking(let watch, let lease), .looked(let look)):
      // Before the answer, growth only proves that the source is alive.
      let watch = watch.noting(look, at: now, pause: timing.look)
      return now - watch.changedAt >= timing.silence ? fail(.timedOut) : (.asking(watch, lease), [])
    case (.asking(var watch, let lease), .sourceIsAwake):
      if now < lease.end { watch.changedAt = now }
      return (.asking(watch, lease), [])
    case (.settling(let watch), .looked(let look)):
      return settle(look, watch.noting(look, at: now, pause: timing.look), isFirst: watch.last == nil, at: now)
    case (.asking(let watch, _), .unreadable):
      return now - watch.changedAt >= timing.silence ? fail(.timedOut) : (state, [])
    case (.settling(let watch), .unreadable):
      // Before Finished the source still waits, and learns from a failure that the file was not taken.
      let isDue = hasFinishedDrop && now - watch.changedAt < timing.silence
      return isDue ? (state, []) : fail(.notStored)
    case (.asking(var watch, var lease), .deadlineReached) where watch.lookAt <= now:
      watch.lookAt = now + timing.look
      guard lease.renewAt <= now else { return (.asking(watch, lease), [.progressed, .look]) }
      lease.renewAt = now + timing.renewal
      return (.asking(watch, lease), [.progressed, .renewLease, .look])
    case (.settling(var watch), .deadlineReached) where watch.lookAt <= now:
      watch.lookAt = now + timing.look
      return (.settling(watch), [.progressed, .look])
    case (.fetching, .fetched(true)): return (.ended, [.ended(.fetched)])
    case (.takingOver, .takenOver(true)): return (.ended, [.ended(.saved)])
    case (.settling(var watch), .sourceVanished):
      watch.isOrphaned = true
      // The source may have written since the last look.
      return (.settling(watch), [.look])
    case (_, .sourceVanished), (_, .serverLost): return fail(.sourceVanished)
    case (_, .cancel): return fail(.cancelled)
    default: return (state, [])
    }
  }

  private func answered(_ answer: Answer, at now: LoopTime) -> (State, [Effect]) {
    switch answer {
    case .saved:
      (.settling(Watch(last: nil, changedAt: now, lookAt: now + timing.look)), [.progressed, .look])
    case .unreachable, .refused: offersData ? (.fetching, [.fetch]) : fail(.refused, isAnswered: true)
    case .failed: fail(.notSaved, isAnswered: true)
    case .withdrawn: fail(.withdrawn, isAnswered: true)
    case .meaningless: fail(.meaninglessAnswer, isAnswered: true)
    }
  }

  private func settle(_ look: Look, _ watch: Watch, isFirst: Bool, at now: LoopTime) -> (State, [Effect]) {
    let unchanged = now - watch.changedAt
    let isClosedAtOnce = isFirst && look.isBeingWritten == false
    if look.byteCount > 0, look.isBeingWritten != true, isClosedAtOnce || unchanged >= timing.quiet {
      return (.takingOver, [.takeOver])
    }
    if watch.isOrphaned, look.entryCount == 0 { return fail(.nothingSaved, isAnswered: true) }
    if watch.isOrphaned, look.isBeingWritten != true, unchanged >= timing.quiet { return fail(.sourceVanished) }
    guard unchanged >= timing.silence else { return (.settling(watch), hasFinishedDrop ? [] : [.finishDrop]) }
    if look.entryCount == 0 { return fail(.nothingSaved, isAnswered: true) }
    // An incomplete file is a failure, but an empty file may be the complete content.
    return look.isBeingWritten == true ? fail(.timedOut, isAnswered: true) : (.takingOver, [.takeOver])
  }

  private func fail(_ failure: Failure, isAnswered: Bool = false) -> (State, [Effect]) {
    var effects: [Effect] = []
    if case .asking = state, !isAnswered { effects.append(.cancelConversion) }
    // Do not write the property if the source has vanished, before its name is read, or if the property may already
    // belong to the source's next drag.
    let isTold = failure != .sourceVanished && !isOrphaned && !hasFinishedDrop
    if isTold, state != .ready, state != .naming { effects.append(.write("")) }
    return (.ended, effects + [.ended(.failed(failure))])
  }
}
