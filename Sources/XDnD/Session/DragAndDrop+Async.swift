import Dispatch

extension DragAndDrop {
  /// Runs until the task is cancelled, on the caller's actor, and suspends between events. Not for a borrowed
  /// connection, whose events the host reads.
  ///
  /// Other code on the same actor may call this object while the method is suspended.
  ///
  /// - Throws: ``XDnDError/Code/displayClosed`` once the connection is lost.
  public func run() async throws(XDnDError) {
    while !Task.isCancelled {
      try process()
      await readiness()
    }
  }

  /// Waits until something arrives, a deadline passes, or the library is called. A call may make a round trip, which
  /// may move events into Xlib's queue; the descriptor then stays quiet although there is work to do.
  private func readiness() async {
    let (ready, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let queue = DispatchQueue.global(qos: .userInteractive)
    let source = DispatchSource.makeReadSource(fileDescriptor: fileDescriptor, queue: queue)
    source.setEventHandler { signal.finish() }
    source.activate()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { signal.finish() }
    if let deadline = nextDeadline { timer.schedule(deadline: .now() + .milliseconds(Int(deadline.pollTimeout))) }
    timer.activate()
    reactor.onActivity = { signal.finish() }
    for await _ in ready {}
    reactor.onActivity = {}
    timer.cancel()
    // Dispatch watches the descriptor until the source is cancelled. The number may belong to another file once this
    // object is released.
    await withCheckedContinuation { cancelled in
      source.setCancelHandler { cancelled.resume() }
      source.cancel()
    }
  }
}
