import DragRecording
import ScriptedClient
import ToolSupport
import XDnD

/// The common part of replaying a recorded drag as its source or its target.
final class ReplayRun {
  /// Why the replay ended early.
  enum End: Error {
    /// An expected message did not arrive in time.
    case silence(String)
    case died
    case noTarget
    case cancelled
    case timedOut
    case serverLost
  }

  let script: ReplayScript
  let recorded: Recording
  let peer: ScriptedClient
  let patience: Duration
  let reporter: Reporter
  private let evidence: Evidence
  private let isPaced: Bool
  private let limit: ContinuousClock.Instant?
  /// The time of the first step, in this run and in the recording.
  private var origin: (now: ContinuousClock.Instant, time: Int)?

  init(
    _ script: ReplayScript, of recorded: Recording, by peer: ScriptedClient, isPaced: Bool, patience: Duration,
    limit: ContinuousClock.Instant?, reporter: Reporter
  ) {
    self.script = script
    self.recorded = recorded
    self.peer = peer
    self.isPaced = isPaced
    self.patience = patience
    self.limit = limit
    self.reporter = reporter
    evidence = Evidence(script.side, of: peer)
  }

  /// The recording of this run.
  var live: Recording { evidence.recording }

  func identify(_ window: WindowID) { evidence.identify(PeerProgram(of: window, seenBy: peer).recorded(by: window)) }

  func place(_ target: Recording.Target) { evidence.place(target) }

  // MARK: Waiting

  /// Handles events until a condition is met.
  ///
  /// - Parameters:
  ///   - missing: The description of the missing event for the error; `nil` if a timeout is no error.
  ///   - patience: The timeout since the last event; `nil` for none.
  ///   - due: A time at which to check the condition at the latest.
  func wait(
    for missing: String?, within patience: Duration?, or due: ContinuousClock.Instant? = nil, until isDone: () -> Bool,
    _ handle: (WireEvent) throws(End) -> Void
  ) throws(End) {
    var deadline = patience.map { ContinuousClock.now + $0 }
    while !isDone() {
      if peer.isClosed { throw .serverLost }
      if EndSignals.haveCome { throw .cancelled }
      if let limit, limit <= .now { throw .timedOut }
      if let deadline, deadline <= .now {
        if let missing { throw .silence(missing) }
        return
      }
      // A signal interrupts the wait, but may also arrive just before it.
      let wake = [.now + .milliseconds(100), deadline, due, limit].compactMap { $0 }.min() ?? .now
      guard let event = peer.next(until: wake) else { continue }
      try handle(event)
      if let patience { deadline = .now + patience }
    }
  }

  /// Waits until a step is due, if recorded pauses are kept.
  func pace(_ step: ReplayScript.Step, _ handle: (WireEvent) throws(End) -> Void) throws(End) {
    guard isPaced else { return }
    let origin = origin ?? (.now, step.time)
    self.origin = origin
    let due = origin.now + .microseconds(step.time - origin.time)
    try wait(for: nil, within: nil, or: due, until: { due <= .now }, handle)
  }

  /// Restarts the measurement of pauses, after waiting for the peer.
  func restartPace() { origin = nil }

  // MARK: Sending

  /// Sends a recorded message with some words replaced.
  ///
  /// - Parameters:
  ///   - word: Returns the replacement for a word by its index; `nil` keeps the recorded one.
  func send(
    _ message: WireEvent.Message, to window: WindowID, via proxy: WindowID? = nil, word: (Int) -> ScriptedClient.Word?
  ) {
    let words = (0..<5).map { place in
      word(place) ?? message.names[place].map { .atom($0.rawValue) } ?? .number(message.words[place])
    }
    peer.send(message.type.rawValue, words, to: window, via: proxy)
  }

  /// Sets a recorded property on a window of this process.
  func setProperty(_ property: WireEvent.Property, of window: WindowID) {
    let type = property.type ?? AtomName(rawValue: "ATOM")
    guard property.format > 0 else { return }
    peer.setProperty(
      property.name.rawValue, of: window,
      property.names.isEmpty
        ? ScriptedClient.Content(type: type, format: property.format, bytes: property.bytes)
        : ScriptedClient.Content(type: type, words: property.names.map { $0.map { peer.atom($0.rawValue) } ?? 0 }))
  }

  /// Translates a root position by the difference of the recorded and the current window frames. Returns it packed as
  /// in XdndPosition.
  func moved(_ place: Point, from old: Rect?, to new: Rect) -> UInt32 {
    let inside =
      old.map { Point(x: place.x - $0.origin.x, y: place.y - $0.origin.y) }
      ?? Point(x: new.width / 2, y: new.height / 2)
    return PackedPair.word(inside.x + new.origin.x, inside.y + new.origin.y)
  }

  // MARK: The end

  /// Prints the differences between the recorded and the live peer, and returns the exit status.
  func compare() -> ExitStatus {
    let side = script.side.other
    let isSame = printDifference()
    reporter.print(
      Report(
        "ended", isSame ? "The \(side.rawValue) behaved as recorded." : "The \(side.rawValue) behaved differently.",
        ["outcome": isSame ? "same" : "differs"]))
    return isSame ? .dropped : .refused
  }

  private func printDifference() -> Bool {
    let side = script.side.other
    let difference = recorded.difference(of: side, in: live)
    for (place, words, lines) in [
      ("recorded", "Only in the recording", difference.missing), ("live", "Only in this run", difference.additional),
    ] {
      for line in lines {
        reporter.print(
          Report(
            "difference", "\(words): \(Humane.visible(line))", ["side": .string(place), "line": .string(line)]))
      }
    }
    return difference.isEmpty
  }

  /// Prints why the replay ended early, and returns the exit status.
  func end(_ end: End) -> ExitStatus {
    let (status, sentence): (ExitStatus, String) =
      switch end {
      case .silence(let missing): (.timedOut, "timed out waiting for \(missing)")
      case .died: (.peerDied, "the peer's window was destroyed")
      case .noTarget: (.noTarget, "the window does not accept drops")
      case .cancelled: (.cancelled, "cancelled")
      case .timedOut: (.timedOut, "--timeout expired")
      case .serverLost: (.serverLost, "the connection to the X server is lost")
      }
    if status == .timedOut || status == .peerDied { _ = printDifference() }
    reporter.print(
      Report("ended", "Ended: \(sentence).", ["outcome": .string(status.word), "reason": .string(sentence)]))
    return status
  }
}
