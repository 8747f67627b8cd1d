import Glibc
package import XDnD

/// The tools' event loop: a `poll` over the X connection, signals, timers and other descriptors.
///
/// It drives the library as any host with its own loop does: with ``DragAndDrop/fileDescriptor``,
/// ``DragAndDrop/nextDeadline`` and ``DragAndDrop/process()``.
package final class EventLoop {
  private let driver: DragAndDrop
  /// Created with the loop: a program that reads the tool's output may send a signal before ``run(onSignal:)``.
  private let signals = SignalPipe()
  /// The pending timers, the earliest first.
  private var timers: [(deadline: ContinuousClock.Instant, action: () -> Void)] = []
  private var status: ExitStatus?
  private var watches: [CInt: () -> Void] = [:]
  private var children: [pid_t: (CInt) -> Void] = [:]
  /// Work in slices that is not finished.
  private var unfinished: [() -> Bool] = []
  /// The actions that wait for a buffer's reader.
  private var writers: [(buffer: OutputBuffer, limit: Int, action: () -> Void)] = []

  package init(_ driver: DragAndDrop) {
    self.driver = driver
  }

  /// Calls `action` once after a time.
  ///
  /// - Parameter seconds: `nil` for never.
  package func after(_ seconds: Double?, _ action: @escaping () -> Void) {
    guard let seconds else { return }
    let deadline = ContinuousClock.now + .milliseconds(Int64((seconds * 1000).rounded(.up)))
    // Thousands of deliveries may each set a timer of the same length, so a new one belongs near the end.
    let index = timers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? timers.startIndex
    timers.insert((deadline, action), at: index)
  }

  /// Calls `action` whenever a descriptor is readable, until ``unwatch(_:)``.
  ///
  /// - Parameter descriptor: The caller owns it and keeps it open until then.
  package func watch(_ descriptor: CInt, _ action: @escaping () -> Void) { watches[descriptor] = action }

  /// Ends ``watch(_:_:)``. Call it before closing the descriptor; the watch's own action may call it, too.
  package func unwatch(_ descriptor: CInt) { watches[descriptor] = nil }

  /// Calls `action` once when a child process of the tool has ended, with its `waitpid` status.
  package func onEnd(of child: CInt, _ action: @escaping (CInt) -> Void) {
    children[child] = action
    signals.watchChildren()
  }

  /// Does long work in slices of about 10 ms, between which the loop handles events, signals and timers.
  ///
  /// The first slice runs before this method returns, so short work is then finished.
  ///
  /// - Parameter step: Does a part of the work of at most a few milliseconds and returns whether there is more.
  package func work(_ step: @escaping () -> Bool) {
    let end = ContinuousClock.now + .milliseconds(10)
    while step() {
      if ContinuousClock.now >= end { return unfinished.append(step) }
    }
  }

  /// Calls `action` once when at most `limit` bytes wait in a buffer, or when its reader is gone.
  package func when(_ buffer: OutputBuffer, keepsAtMost limit: Int, _ action: @escaping () -> Void) {
    writers.append((buffer, limit, action))
  }

  /// Writes as many waiting bytes as the readers take, and calls the actions that wait for this.
  private func advance(_ buffers: [OutputBuffer]) {
    for buffer in buffers { buffer.advance() }
    let ready = writers.filter { $0.buffer.waitingCount <= $0.limit }
    writers.removeAll { $0.buffer.waitingCount <= $0.limit }
    for writer in ready { writer.action() }
  }

  private func reap() {
    for (child, action) in children {
      var status: CInt = 0
      guard waitpid(child, &status, WNOHANG) == child else { continue }
      children[child] = nil
      action(status)
    }
  }

  /// Ends the loop. If called repeatedly, the first status is kept.
  package func stop(_ status: ExitStatus) { self.status = self.status ?? status }

  package var isStopping: Bool { status != nil }

  /// Runs the loop until ``stop(_:)``, the loss of the X connection, or a second signal (SIGINT, SIGTERM or SIGHUP).
  ///
  /// If the last drag's image is still settling or sliding back at ``stop(_:)``, the loop returns after that animation,
  /// unless a signal has arrived.
  ///
  /// - Parameter onSignal: Called for the first signal.
  package func run(onSignal: () -> Void) -> ExitStatus {
    // The closures retain objects that often retain this loop.
    defer { (timers, watches, children, unfinished, writers) = ([], [:], [:], [], []) }
    var signalCount = 0
    while true {
      do { try driver.process() } catch { return .serverLost }
      if let status {
        if signalCount == 0 { showEndOfDrag() }
        // The tools end by `_exit`, after which the server may not read the last requests.
        if !driver.isClosed { driver.synchronize() }
        return status
      }
      let now = ContinuousClock.now
      let due = Array(timers.prefix { $0.deadline <= now })
      if !due.isEmpty {
        // All at once: each removal moves the timers behind it.
        timers.removeFirst(due.count)
        for timer in due where status == nil { timer.action() }
        continue
      }
      var descriptors = ([driver.fileDescriptor, signals.reader] + watches.keys).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let firstWriter = descriptors.count
      let buffers = ([.standardOutput, .standardError] + writers.map(\.buffer)).filter { $0.waitingCount > 0 }
      descriptors += buffers.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
      let wake =
        unfinished.isEmpty
        ? [driver.nextDeadline, timers.first?.deadline].compactMap { $0 }.min() : ContinuousClock.now
      _ = poll(&descriptors, nfds_t(descriptors.count), wake?.pollTimeout ?? -1)
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
      // An earlier action may have removed the watch.
      for descriptor in descriptors[2..<firstWriter] where descriptor.revents != 0 { watches[descriptor.fd]?() }
      if status == nil, !unfinished.isEmpty { work(unfinished.removeFirst()) }
    }
  }

  /// The maximum time by which the last animation of a drag image delays the end of the tool: the wait for the places
  /// of the items (100 ms), and the longest animation.
  private static let longestEnd = Duration.milliseconds(500)

  /// Shows the last animation of a drag image. A signal or the loss of the X connection ends it.
  ///
  /// Timers, watches and unfinished work no longer run: the outcome has been reported.
  private func showEndOfDrag() {
    let limit = ContinuousClock.now + Self.longestEnd
    while driver.isAnimatingDragEnd, .now < limit {
      var descriptors = [driver.fileDescriptor, signals.reader].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      _ = poll(&descriptors, nfds_t(descriptors.count), min(driver.nextDeadline ?? limit, limit).pollTimeout)
      guard signals.drain().isSubset(of: [SIGCHLD]) else { return }
      for buffer in [OutputBuffer.standardOutput, .standardError] { buffer.advance() }
      do { try driver.process() } catch { return }
    }
  }
}
