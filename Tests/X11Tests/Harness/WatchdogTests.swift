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
    let reader = Task {
      try await onOwnThread {
        let descriptor = open(fifo, O_RDONLY)
        defer { close(descriptor) }
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1)
      }
    }
    await #expect(processExitsWith: .signal(SIGKILL)) { [fifo = fifo as String] in
      let child = try ChildProcess("sh", ["-c", "exec 9>'\(fifo)'; echo open; exec sleep 1000"])
      try await child.waitForLine { $0 == "open" }
      raise(SIGKILL)
    }
    #expect(try await within(.seconds(20)) { try await reader.value } == 0)
  }
}
