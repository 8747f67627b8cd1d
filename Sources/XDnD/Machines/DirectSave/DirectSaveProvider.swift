/// The source's half of XDS (Direct Save Protocol, version 0): one file, saved where the target asks.
///
///     hovering ─ dropped ─▶ waiting ─ a URI ───▶ saving ─ saved ─▶ saved
///                              ▲                   │ ▲
///                              └──── not saved ────┘ └─ patience expired: the target is told that it is saved
///
/// The name is on the drag window for the whole drag. The target replaces it by a URI and converts `XdndDirectSave0`;
/// the answer is S (saved), F (cannot save there) or E (error).
///
/// Where the specification is silent:
/// - *A request before the drop*, or without a URI, is refused and saves nothing. libfm sends such requests on each
///   motion.
/// - *A repeated request* for the same URI gets the same answer, or tries a failed save again.
/// - *A slow save*: GTK waits 30 seconds for an answer, and Qt five. After ``patience`` the answer is S, and the save
///   continues. Firefox and Engrampa answer S without waiting for their files at all. A target that requests something
///   else meanwhile is not blocked, so the answer may take longer. This library's target does so repeatedly, and gets
///   the answer when the file is complete.
/// - *A URI on another machine* is answered by F. The target then requests the bytes, as Caja, Nemo and ROX-Filer do.
struct DirectSaveProvider: Equatable, Sendable {
  enum Input: Equatable, Sendable {
    case begin
    /// The drag is over another target.
    case targetChanged
    case dropped
    /// `XdndDirectSave0` is being converted.
    case requested(TransferID)
    /// The answer to ``Effect/readPlace(for:)``.
    case place(DirectSavePlace, for: TransferID)
    /// The target has requested something else.
    case targetIsAwake
    /// Another program has taken `XdndSelection`, and receives the target's requests from now on.
    case selectionLost
    /// The provider has supplied more of the content.
    case progressed
    /// The answer to ``Effect/save(to:)``.
    case saved(SaveResult)
    /// The drag has ended.
    case ended
    case deadlineReached
  }

  enum SaveResult: Equatable, Sendable {
    case saved
    /// The file cannot be written there.
    case placeFailed
    /// The content could not be provided.
    case contentFailed
  }

  enum Effect: Equatable, Sendable {
    /// Write the name to the drag window.
    case publishName
    /// Remove the name or the URI from the drag window.
    case removeName
    case readPlace(for: TransferID)
    /// Save the file; see ``DirectSavePlace/local(_:)``. The answer may come much later.
    case save(to: [[UInt8]])
    case answer(TransferID, Answer)
    /// Extend the time limit of the transfer, because the answer takes longer.
    case extend(TransferID)
    /// The answer to the target: from now on it believes that the file is saved, or that it is not.
    case concluded(isSaved: Bool)
  }

  enum Answer: Equatable, Sendable {
    /// `S`
    case saved
    /// `F`: the target should request the bytes.
    case fetch
    /// `E`
    case error
    case refusal
  }

  private enum State: Equatable, Sendable {
    case hovering
    case waiting
    case saving(Saving)
    case saved(to: [[UInt8]])
    /// The drag has ended without a save.
    case ended
  }

  private struct Saving: Equatable, Sendable {
    var paths: [[UInt8]]
    var asking: [TransferID]
    /// When to answer S although the save is not finished; `nil` after that answer.
    var deadline: LoopTime?
    /// Whether the target has shown that it is not blocked by its wait.
    var isTargetAwake = false
  }

  /// How long a target waits before it gets the answer S.
  let patience: Duration
  /// How long a target that is awake waits after its last request: less than GTK waits, and more than the interval
  /// between the requests of this library's target.
  static let lease = Duration.seconds(20)
  /// How long a target that is awake waits after another program has taken `XdndSelection`. This library's target waits
  /// an hour.
  static let longestLease = Duration.seconds(3600)
  private var state = State.hovering
  private var hasEnded = false

  init(patience: Duration) {
    self.patience = patience
  }

  var nextDeadline: LoopTime? {
    if case .saving(let saving) = state { saving.deadline } else { nil }
  }

  var isSaving: Bool {
    if case .saving = state { true } else { false }
  }

  /// Whether work is left: a file to save, or a name to remove.
  var isNeeded: Bool { isSaving || !hasEnded }

  mutating func receive(_ input: Input, at now: LoopTime) -> [Effect] {
    let (next, effects) = transition(on: input, at: now)
    state = next
    if input == .ended { hasEnded = true }
    return effects
  }

  private func transition(on input: Input, at now: LoopTime) -> (State, [Effect]) {
    switch (state, input) {
    // The previous target may have replaced the name by a URI before the drop.
    case (.hovering, .begin), (.hovering, .targetChanged): return (.hovering, [.publishName])
    case (.hovering, .dropped): return (.waiting, [])
    case (.waiting, .requested(let transfer)), (.saving, .requested(let transfer)), (.saved, .requested(let transfer)):
      // The URI was removed at the end of the drag.
      return (state, [hasEnded ? .answer(transfer, .refusal) : .readPlace(for: transfer)])
    case (_, .place(.malformed, let transfer)):
      return (state, [.answer(transfer, .error), .concluded(isSaved: false)])
    case (_, .place(.elsewhere, let transfer)):
      return (state, [.answer(transfer, .fetch), .concluded(isSaved: false)])
    case (.waiting, .place(.local(let paths), let transfer)):
      return (.saving(Saving(paths: paths, asking: [transfer], deadline: now + patience)), [.save(to: paths)])
    case (.saving(let saving), .place(.local(let paths), let transfer)): return ask(transfer, paths, while: saving)
    case (.saved(let place), .place(.local(let paths), let transfer)):
      return (state, [.answer(transfer, paths == place ? .saved : .error)])
    case (_, .requested(let transfer)), (_, .place(_, let transfer)): return (state, [.answer(transfer, .refusal)])
    case (.saving(let saving), .saved(let result)): return conclude(saving, result)
    case (.saving(let saving), .progressed): return (state, saving.asking.map { .extend($0) })
    case (.saving(var saving), .targetIsAwake):
      saving.isTargetAwake = true
      saving.deadline = saving.deadline.map { max($0, now + Self.lease) }
      return (.saving(saving), [])
    case (.saving(var saving), .selectionLost) where saving.isTargetAwake:
      saving.deadline = saving.deadline.map { max($0, now + Self.longestLease) }
      return (.saving(saving), [])
    case (.saving(var saving), .deadlineReached) where saving.deadline.isDue(at: now):
      let effects = saving.asking.map { Effect.answer($0, .saved) } + [.concluded(isSaved: true)]
      (saving.asking, saving.deadline) = ([], nil)
      return (.saving(saving), effects)
    case (.saving, .ended), (.saved, .ended): return (state, [.removeName])
    case (_, .ended): return (.ended, [.removeName])
    default: return (state, [])
    }
  }

  private func ask(_ transfer: TransferID, _ paths: [[UInt8]], while old: Saving) -> (State, [Effect]) {
    var saving = old
    guard paths == saving.paths else { return (state, [.answer(transfer, .error)]) }
    guard saving.deadline != nil else { return (state, [.answer(transfer, .saved)]) }
    saving.asking.append(transfer)
    return (.saving(saving), [])
  }

  private func conclude(_ saving: Saving, _ result: SaveResult) -> (State, [Effect]) {
    let answer: Answer =
      switch result {
      case .saved: .saved
      // The target may be able to write there itself.
      case .placeFailed: .fetch
      case .contentFailed: .error
      }
    let effects = saving.asking.map { Effect.answer($0, answer) } + [.concluded(isSaved: result == .saved)]
    if result == .saved { return (.saved(to: saving.paths), effects) }
    return (hasEnded ? .ended : .waiting, effects)
  }
}
