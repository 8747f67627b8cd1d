/// One file that the source of a drop saves where we tell it to: the target's half of XDS, version 0.
///
///     ready ─ begin ─▶ naming ─ named ─▶ placing ─ placed ─▶ asking ─ S ─▶ settling ─ complete ─▶ takingOver ─▶ ended
///                                                              │              └─ not whole at the first look: Finished
///                                                              └─ F or refused, data offered ─▶ fetching ─▶ ended
///
/// The place is a directory that nobody else uses. So neither the name that the source promises nor the one that it
/// saves under can do any harm (archivers promise `xds.txt` and save under the names of the members), and what is there
/// is what was saved.
///
/// Where the specification is silent:
/// - *S does not say that the file is whole.* Firefox answers with an empty file and fills it later, Engrampa answers
///   and extracts afterwards. What is there when S comes is taken if it is not empty and nobody has it open for writing.
///   What comes later has to stay the same for a while, for the next file may follow. An empty file is one at last.
/// - *When Finished is due.* Engrampa extracts when the drag is over, and not before. So if what was saved is not there, and
///   whole, when S comes, the drop is finished at once and the file is awaited after it: no peer waits for us while we wait
///   for it. What becomes of the file then the source cannot be told.
/// - *A source that ends after S.* Another program may write for it, and go on. What is there and stays the same is
///   believed. If nothing is there, S was not true: the save has failed, as for a source that stays. An empty file may be
///   one that the source did not live to fill: then the source is gone.
/// - *The property after S* is not looked at: some sources delete it.
/// - *A refusal* is taken for F: nothing is lost by asking for the data. Who answers E has tried and failed.
/// - *A source that saves before it answers* may need any time. It has it for as long as what it saves grows.
/// - *After a failure* the property is written once more, empty, as the specification has it after F.
struct DirectSaveReceiver: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case begin
    /// The answer to ``Effect/readName``; `nil` if there is none that can be used.
    case named(String?)
    /// The answer to ``Effect/makePlace(named:)``: a URI, or `nil` if there is no place.
    case placed(String?)
    case answered(Answer)
    /// The answer to ``Effect/look``.
    case looked(Look)
    /// The same, if there is no place any more: somebody has removed it.
    case placeLost
    /// The answer to ``Effect/fetch``: whether all of the data is in a file.
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
    /// Write the property: a URI, or nothing after a failure.
    case write(String)
    case convert
    case cancelConversion
    /// See what is at the place.
    case look
    /// The save goes on: the drop is not forgotten.
    case progressed
    case takeOver
    /// Say Finished: the source has done its part, and nothing more is asked of it.
    case finishDrop
    /// Load the data ourselves.
    case fetch
    case ended(Result)
  }

  /// What the conversion has come to.
  enum Answer: Equatable, Sendable {
    /// `S`.
    case saved
    /// `F`: the source cannot save there.
    case unreachable
    /// `E`.
    case failed
    case refused
    /// Something else, or nothing.
    case meaningless

    init(_ bytes: [UInt8]) {
      // One letter; C programs send the NUL after it, too.
      let letters = bytes.last == 0 ? bytes.dropLast() : bytes[...]
      self =
        switch letters {
        case [UInt8(ascii: "S")]: .saved
        case [UInt8(ascii: "F")]: .unreachable
        case [UInt8(ascii: "E")]: .failed
        default: .meaningless
        }
    }
  }

  /// What is at the place.
  struct Look: Equatable, Sendable {
    /// Files and directories, at any depth.
    var entryCount = 0
    var byteCount = 0
    /// Whether somebody has one of the files open for writing; `nil` if that cannot be found out.
    var isBeingWritten: Bool? = false
  }

  enum Result: Equatable, Sendable {
    /// The source has saved it, and it was taken over.
    case saved
    /// The data was loaded instead.
    case fetched
    case failed(Failure)
  }

  enum Failure: Equatable, Sendable {
    /// The source does not save here, and does not offer the data either.
    case refused
    /// The source has tried and failed.
    case notSaved
    case meaninglessAnswer
    /// The source says that it has saved something, and there is nothing, or it has gone and left nothing.
    case nothingSaved
    case timedOut
    case sourceVanished
    case cancelled
    /// There is no place, or what has come cannot be stored.
    case notStored
  }

  struct Timing: Equatable, Sendable {
    /// How often to look at what is there.
    var look: Duration = .milliseconds(100)
    /// How long nothing may change there before the source has answered, and while there is nothing or something
    /// unfinished afterwards.
    var silence: Duration = .seconds(30)
    /// How long what comes after the answer has to stay the same.
    var quiet: Duration = .seconds(1)
  }

  private enum State: Equatable, Sendable {
    case ready
    case naming
    case placing
    /// Waits for the source to save and to answer.
    case asking(Watch)
    /// Waits for what was saved to be complete.
    case settling(Watch)
    case fetching
    case takingOver
    case ended
  }

  /// What has been seen at the place.
  private struct Watch: Equatable, Sendable {
    /// `nil` before the first look after the answer.
    var last: Look?
    var changedAt: LoopTime
    /// When to look again.
    var lookAt: LoopTime
    /// Whether the source has gone since it answered.
    var isOrphaned = false
  }

  /// Whether the source offers `application/octet-stream`.
  let offersData: Bool
  let timing: Timing
  private var state = State.ready
  /// Whether the drop is over, although what was saved is not there yet.
  private(set) var hasFinishedDrop = false

  init(offersData: Bool, timing: Timing) {
    self.offersData = offersData
    self.timing = timing
  }

  var isEnded: Bool { state == .ended }

  private var isOrphaned: Bool { if case .settling(let watch) = state { watch.isOrphaned } else { false } }

  /// When to send ``Input/deadlineReached``; earlier calls do nothing.
  var nextDeadline: LoopTime? {
    switch state {
    case .asking(let watch), .settling(let watch): watch.lookAt
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
    case (.ended, _): (.ended, [])
    case (.ready, .begin): (.naming, [.readName])
    case (.naming, .named(let name)): (.placing, [.makePlace(named: name)])
    case (.placing, .placed(let uri?)):
      (.asking(Watch(last: Look(), changedAt: now, lookAt: now + timing.look)), [.write(uri), .convert])
    case (.placing, .placed(nil)), (.fetching, .fetched(false)), (.takingOver, .takenOver(false)): fail(.notStored)
    case (.asking, .answered(let answer)): answered(answer, at: now)
    case (.asking(let watch), .looked(let look)): watched(look, watch, at: now)
    case (.settling(let watch), .looked(let look)): settle(look, watch, at: now)
    case (.asking, .placeLost), (.settling, .placeLost): fail(.notStored)
    case (.asking(var watch), .deadlineReached) where watch.lookAt <= now:
      {
        watch.lookAt = now + timing.look
        return (.asking(watch), [.progressed, .look])
      }()
    case (.settling(var watch), .deadlineReached) where watch.lookAt <= now:
      {
        watch.lookAt = now + timing.look
        return (.settling(watch), [.progressed, .look])
      }()
    case (.fetching, .fetched(true)): (.ended, [.ended(.fetched)])
    case (.takingOver, .takenOver(true)): (.ended, [.ended(.saved)])
    case (.settling(var watch), .sourceVanished):
      {
        watch.isOrphaned = true
        // Its last words may be there since we looked.
        return (.settling(watch), [.look])
      }()
    case (_, .sourceVanished), (_, .serverLost): fail(.sourceVanished)
    case (_, .cancel): fail(.cancelled)
    default: (state, [])
    }
  }

  private func answered(_ answer: Answer, at now: LoopTime) -> (State, [Effect]) {
    switch answer {
    case .saved:
      (.settling(Watch(last: nil, changedAt: now, lookAt: now + timing.look)), [.progressed, .look])
    case .unreachable, .refused: offersData ? (.fetching, [.fetch]) : fail(.refused, isAnswered: true)
    case .failed: fail(.notSaved, isAnswered: true)
    case .meaningless: fail(.meaninglessAnswer, isAnswered: true)
    }
  }

  /// Before the answer: growth is a sign of life, and nothing more.
  private func watched(_ look: Look, _ old: Watch, at now: LoopTime) -> (State, [Effect]) {
    var watch = old
    if look != old.last { (watch.last, watch.changedAt) = (look, now) }
    return now - watch.changedAt >= timing.silence ? fail(.timedOut) : (.asking(watch), [])
  }

  private func settle(_ look: Look, _ old: Watch, at now: LoopTime) -> (State, [Effect]) {
    var watch = old
    if look != old.last { (watch.last, watch.changedAt) = (look, now) }
    let unchanged = now - watch.changedAt
    let isFirst = old.last == nil
    let isComplete =
      if look.byteCount == 0 || look.isBeingWritten == true {
        false
      } else {
        isFirst && look.isBeingWritten == false || unchanged >= timing.quiet
      }
    if isComplete { return (.takingOver, [.takeOver]) }
    if watch.isOrphaned, look.entryCount == 0 { return fail(.nothingSaved, isAnswered: true) }
    if watch.isOrphaned, look.isBeingWritten != true, unchanged >= timing.quiet { return fail(.sourceVanished) }
    guard unchanged >= timing.silence else { return (.settling(watch), hasFinishedDrop ? [] : [.finishDrop]) }
    if look.entryCount == 0 { return fail(.nothingSaved, isAnswered: true) }
    // Half a file is no file, but an empty one may be all that there is to save.
    return look.isBeingWritten == true ? fail(.timedOut, isAnswered: true) : (.takingOver, [.takeOver])
  }

  private func fail(_ failure: Failure, isAnswered: Bool = false) -> (State, [Effect]) {
    var effects: [Effect] = []
    if case .asking = state, !isAnswered { effects.append(.cancelConversion) }
    // Nobody is there to read it, or nobody has been asked for anything; or it belongs to the source's next drag.
    let isTold = failure != .sourceVanished && !isOrphaned && !hasFinishedDrop
    if isTold, state != .ready, state != .naming { effects.append(.write("")) }
    return (.ended, effects + [.ended(.failed(failure))])
  }
}
