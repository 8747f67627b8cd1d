import XDnDConformance
import XDnDToolSupport
import XDnD

/// The common part of replaying a recorded drag as its source or its target.
final class ReplayRun {
  struct End: Error {
    let status: ExitStatus
    let reason: String

    static func silence(_ missing: String) -> End { End(status: .timedOut, reason: "timed out waiting for \(missing)") }
    static let died = End(status: .peerDied, reason: ExitStatus.peerDied.words)
    static let noTarget = End(status: .noTarget, reason: "the window does not take drops")
    static let cancelled = End(status: .cancelled, reason: "cancelled")
    static let timedOut = End(status: .timedOut, reason: "timed out")
    static let serverLost = End(status: .serverLost, reason: "the connection to the X server is lost")
  }

  let script: ReplayScript
  let recorded: Recording
  let client: ScriptedClient
  let patience: Duration
  let reporter: Reporter
  let recorder: TrafficRecorder
  private let isPaced: Bool
  private let limit: ContinuousClock.Instant?
  /// The time of the first step since ``restartPace()``, in this run and in the recording.
  private var origin: (now: ContinuousClock.Instant, time: Int)?

  init(
    _ script: ReplayScript, of recorded: Recording, by client: ScriptedClient, isPaced: Bool, patience: Duration,
    limit: ContinuousClock.Instant?, reporter: Reporter
  ) {
    self.script = script
    self.recorded = recorded
    self.client = client
    self.isPaced = isPaced
    self.patience = patience
    self.limit = limit
    self.reporter = reporter
    recorder = TrafficRecorder(script.side, of: client)
  }

  // MARK: Waiting

  /// Handles events until a condition is met.
  ///
  /// - Parameters:
  ///   - missing: The description of the missing event for the error; `nil` if a timeout is not an error.
  ///   - patience: The timeout since the last event; `nil` for none.
  ///   - due: The time at which to check the condition even without an event.
  func wait(
    for missing: String?, within patience: Duration?, or due: ContinuousClock.Instant? = nil, until isDone: () -> Bool,
    _ handle: (WireEvent) throws(End) -> Void
  ) throws(End) {
    var deadline = patience.map { ContinuousClock.now + $0 }
    while !isDone() {
      if client.isClosed { throw .serverLost }
      if TerminationSignals.haveArrived { throw .cancelled }
      if let limit, limit <= .now { throw .timedOut }
      if let deadline, deadline <= .now {
        if let missing { throw .silence(missing) }
        return
      }
      // A signal interrupts the wait, but may also arrive just before it.
      let wake = [.now + .milliseconds(100), deadline, due, limit].compactMap { $0 }.min() ?? .now
      guard let event = client.next(until: wake) else { continue }
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

  /// - Parameter word: Returns the replacement for a word by its index; `nil` keeps the recorded one.
  func send(
    _ message: WireEvent.Message, to window: WindowID, via proxy: WindowID? = nil, word: (Int) -> ScriptedClient.Word?
  ) {
    let words = (0..<5).map { place in
      word(place) ?? message.names[place].map { .atom($0.rawValue) } ?? .number(message.words[place])
    }
    client.send(message.type.rawValue, words, to: window, via: proxy)
  }

  func setProperties(of window: WindowID) {
    for property in script.properties where property.format > 0 {
      client.setProperty(
        property.name.rawValue, of: window,
        content(property.type ?? AtomName("ATOM"), property.format, property.bytes, property.names))
    }
  }

  /// - Parameter names: The names of the recorded atoms, which have other values on this server.
  func content(_ type: AtomName, _ format: Int, _ bytes: [UInt8], _ names: [AtomName?]) -> ScriptedClient.Content {
    names.isEmpty
      ? ScriptedClient.Content(type: type, format: format, bytes: bytes)
      : ScriptedClient.Content(type: type, words: names.map { $0.map { client.atom($0.rawValue) } ?? 0 })
  }

  /// Translates a root position by the difference of the recorded and the current window frames. Returns it packed as
  /// in XdndPosition.
  func moved(_ place: Point, to frame: Rect) -> UInt32 {
    let old = recorded.target?.frame.origin
    return PackedPair.word(frame.rootPosition(of: old.map { Point(x: place.x - $0.x, y: place.y - $0.y) }))
  }

  // MARK: The end

  /// Prints the differences between the recorded and the live peer, and returns the exit status.
  func compare() -> ExitStatus {
    let side = script.side.other
    let isSame = printDifference()
    reporter.print(
      "ended", isSame ? "The \(side.rawValue) behaved as recorded." : "The \(side.rawValue) behaved differently.",
      ["outcome": isSame ? "same" : "differs"])
    return isSame ? .dropped : .refused
  }

  private func printDifference() -> Bool {
    let difference = recorded.difference(of: script.side.other, in: recorder.recording)
    for (place, words, lines) in [
      ("recorded", "Only in the recording", difference.missing), ("live", "Only in this run", difference.additional),
    ] {
      for line in lines {
        reporter.print(
          "difference", "\(words): \(Formatting.visible(line))", ["side": .string(place), "line": .string(line)])
      }
    }
    return difference.isEmpty
  }

  /// Prints why the replay ended early, and returns the exit status.
  func end(_ end: End) -> ExitStatus {
    if end.status == .timedOut || end.status == .peerDied { _ = printDifference() }
    reporter.print(
      "ended", "\(end.reason.capitalizedFirst).", ["outcome": .string(end.status.word), "reason": .string(end.reason)])
    return end.status
  }
}
