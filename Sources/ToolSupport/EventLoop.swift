import Glibc
public import XDnD

/// The tools' event loop: a `poll` of their own, over the connection, and over signals.
///
/// It uses the library the way that any other program with a loop does: ``DragAndDrop/fileDescriptor``,
/// ``DragAndDrop/nextDeadline``, ``DragAndDrop/process()``.
public final class EventLoop {
  private let driver: DragAndDrop
  /// From the beginning: who reads what the tool prints may send a signal before the loop runs.
  private let signals = SignalPipe()
  /// What is to be done later, the earliest first.
  private var timers: [(deadline: ContinuousClock.Instant, action: () -> Void)] = []
  private var status: ExitStatus?
  /// Other things that are waited for, by their descriptors.
  private var watches: [CInt: () -> Void] = [:]
  /// The processes whose end is waited for.
  private var children: [pid_t: (CInt) -> Void] = [:]
  /// Long work that is under way, to be gone on with in turns.
  private var chores: [() -> Bool] = []
  /// How long work may keep the loop from everything else.
  private static let choreTime = Duration.milliseconds(10)
  /// Who waits for a reader.
  private var writers: [(buffer: OutputBuffer, limit: Int, action: () -> Void)] = []

  /// A loop around a driver with its own connection.
  public init(_ driver: DragAndDrop) {
    self.driver = driver
  }

  /// Calls `action` once, after `seconds`.
  public func after(_ seconds: Double, _ action: @escaping () -> Void) {
    let deadline = ContinuousClock.now + .milliseconds(Int64((seconds * 1000).rounded(.up)))
    timers.insert((deadline, action), at: timers.firstIndex { $0.deadline > deadline } ?? timers.endIndex)
  }

  /// Calls `action` each time that a descriptor can be read, until ``unwatch(_:)``.
  ///
  /// - Parameter descriptor: Has to stay open until then.
  public func watch(_ descriptor: CInt, _ action: @escaping () -> Void) { watches[descriptor] = action }

  /// Ends ``watch(_:_:)``; to be called before the descriptor is closed, also from its own action.
  public func unwatch(_ descriptor: CInt) { watches[descriptor] = nil }

  /// Calls `action` once, when a process has ended that the tool has started: with its status as `waitpid` has it.
  public func onEnd(of child: CInt, _ action: @escaping (CInt) -> Void) {
    children[child] = action
    signals.watchChildren()
  }

  /// Does long work in slices of some milliseconds, between which events, signals and timers have their turn.
  ///
  /// The first slice is done at once, so that short work is over when this returns.
  ///
  /// - Parameter step: A small part of the work: a millisecond or two. Called until it returns `false`.
  public func work(_ step: @escaping () -> Bool) {
    if performSlice(of: step) { chores.append(step) }
  }

  /// - Returns: Whether there is more to do.
  private func performSlice(of step: () -> Bool) -> Bool {
    let end = ContinuousClock.now + Self.choreTime
    while step() {
      if ContinuousClock.now >= end { return true }
    }
    return false
  }

  /// Calls `action` once, when at most `limit` bytes wait in a buffer for their reader, or when the reader has gone.
  public func when(_ buffer: OutputBuffer, keepsAtMost limit: Int, _ action: @escaping () -> Void) {
    writers.append((buffer, limit, action))
  }

  /// Writes to those who read again, and tells those who waited for it.
  private func advance(_ buffers: [OutputBuffer]) {
    for buffer in buffers { buffer.advance() }
    let ready = writers.filter { $0.buffer.waitingCount <= $0.limit }
    writers.removeAll { $0.buffer.waitingCount <= $0.limit }
    for writer in ready { writer.action() }
  }

  /// Reaps those that have ended.
  private func reap() {
    for (child, action) in children {
      var status: CInt = 0
      guard waitpid(child, &status, WNOHANG) == child else { continue }
      children[child] = nil
      action(status)
    }
  }

  /// Ends the loop; the first status counts.
  public func stop(_ status: ExitStatus) { self.status = self.status ?? status }

  /// Whether ``stop(_:)`` has been called.
  public var isStopping: Bool { status != nil }

  /// Runs until ``stop(_:)``, the loss of the server, or SIGINT, SIGTERM or SIGHUP.
  ///
  /// - Parameter onSignal: Called instead of stopping; a second signal stops.
  public func run(onSignal: () -> Void) -> ExitStatus {
    var signalCount = 0
    while true {
      do {
        try driver.process()
      } catch {
        return .serverLost
      }
      if let status { return status }
      if let first = timers.first, first.deadline <= .now {
        timers.removeFirst().action()
        continue
      }
      var descriptors = [
        pollfd(fd: driver.fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: signals.reader, events: Int16(POLLIN), revents: 0),
      ]
      descriptors += watches.keys.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let firstWriter = descriptors.count
      let buffers = ([.standardOutput, .standardError] + writers.map(\.buffer)).filter { $0.awaitedDescriptor != nil }
      descriptors += buffers.compactMap { buffer in
        buffer.awaitedDescriptor.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
      }
      let wake =
        chores.isEmpty ? [driver.nextDeadline, timers.first?.deadline].compactMap { $0 }.min() : ContinuousClock.now
      _ = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(until: wake))
      if descriptors[1].revents != 0 {
        let numbers = signals.drain()
        if numbers.contains(SIGCHLD) { reap() }
        if numbers.contains(where: { $0 != SIGCHLD }) {
          signalCount += 1
          if signalCount > 1 { return .cancelled }
          onSignal()
        }
      }
      if descriptors[firstWriter...].contains(where: { $0.revents != 0 }) || !writers.isEmpty { advance(buffers) }
      // An action may end the watch of another.
      for descriptor in descriptors[2..<firstWriter] where descriptor.revents != 0 { watches[descriptor.fd]?() }
      if status == nil, !chores.isEmpty { work(chores.removeFirst()) }
    }
  }

  /// For `poll`: rounded up, for waking a moment too early would be a turn for nothing; -1 waits for ever.
  private static func milliseconds(until instant: ContinuousClock.Instant?) -> CInt {
    guard let instant else { return -1 }
    let (seconds, attoseconds) = max(.zero, instant - .now).components
    return CInt(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

/// Turns signals into something that `poll` sees.
private final class SignalPipe {
  let reader: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    reader = ends[0]
    EndSignals.take(writingTo: ends[1])
  }

  /// From now on the end of a process is a signal too, as are those before.
  func watchChildren() {
    signal(SIGCHLD, EndSignals.note)
    EndSignals.note(SIGCHLD)
  }

  /// The signals that have come.
  func drain() -> Set<CInt> {
    var numbers: Set<CInt> = []
    var bytes = [UInt8](repeating: 0, count: 64)
    while case let count = read(reader, &bytes, bytes.count), count > 0 {
      numbers.formUnion(bytes[..<count].map(CInt.init))
    }
    return numbers
  }
}
