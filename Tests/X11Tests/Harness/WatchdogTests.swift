import Glibc
import TestSupport
import Testing

/// What must hold even when the test run is killed.
@Suite("The watchdog of the test run", .timeLimit(.minutes(1)))
struct WatchdogTests {
  @Test func `a child ends when the test run is killed`() async throws {
    let directory = try TemporaryDirectory()
    let fifo = directory("held-by-child")
    try #require(mkfifo(fifo, 0o600) == 0)
    // The child opens its end at once, whatever the test run does meanwhile.
    let reader = open(fifo, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { close(reader) }
    await #expect(processExitsWith: .signal(SIGKILL)) { [fifo = fifo as String] in
      let child = try ChildProcess("sh", ["-c", "exec 9>'\(fifo)'; echo open; exec sleep 1000"])
      try await child.waitForLine { $0 == "open" }
      raise(SIGKILL)
    }
    let events = try await onOwnThread {
      var end = pollfd(fd: reader, events: 0, revents: 0)
      return poll(&end, 1, 20_000) == 1 ? Int32(end.revents) : 0
    }
    #expect(events == POLLHUP, "Whoever had the child's end is gone.")
  }
}
