import Dispatch

extension DragAndDrop {
  /// Runs until the task is cancelled, suspended between events, on the caller's actor. Not for a borrowed display.
  ///
  /// Other code of the same actor may call this object meanwhile.
  ///
  /// - Throws: ``XDnDError/Code/displayClosed``.
  public func run() async throws(XDnDError) {
    while !Task.isCancelled {
      try process()
      await readiness()
    }
  }

  /// Waits until something arrives, a deadline passes, or somebody calls the library: a call may make a round trip,
  /// and that may take events off the connection, so that the descriptor stays quiet although there is work to do.
  private func readiness() async {
    let (ready, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let queue = DispatchQueue.global(qos: .userInteractive)
    let source = DispatchSource.makeReadSource(fileDescriptor: fileDescriptor, queue: queue)
    source.setEventHandler { signal.finish() }
    source.activate()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { signal.finish() }
    if let deadline = nextDeadline {
      let (seconds, attoseconds) = max(.zero, deadline - .now).components
      timer.schedule(deadline: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000)))
    }
    timer.activate()
    reactor.onActivity = { signal.finish() }
    for await _ in ready {}
    reactor.onActivity = {}
    source.cancel()
    timer.cancel()
  }
}
