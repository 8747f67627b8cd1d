import Glibc
import TestSupport
import Testing

/// The part of the harness that runs programs.
@Suite("Child processes of the tests", .timeLimit(.minutes(1)))
struct ChildProcessTests {
  @Test func `lines arrive in order, and a wait goes on after the line of the last one`() async throws {
    let child = try ChildProcess("sh", ["-c", "echo one; echo two; echo one; printf end; echo why >&2; exit 7"])
    #expect(try await child.waitForLine { $0 == "one" } == "one")
    #expect(try await child.waitForLine { $0 != "two" } == "one")
    #expect(try await child.exit() == .exited(7))
    #expect(await child.lines.reduce(into: []) { $0.append($1) } == ["one", "two", "one", "end"])
    #expect(child.output.text == "one\ntwo\none\nend")
    #expect(child.errors.text == "why\n")
  }

  @Test func `full pipes do not stop a child`() async throws {
    let child = try ChildProcess("sh", ["-c", "head -c 3000000 /dev/zero >&2; head -c 3000000 /dev/zero"])
    #expect(try await child.exit() == .exited(0))
    #expect(child.output.bytes.count == 3_000_000)
    #expect(child.errors.bytes.count == 3_000_000)
  }

  @Test func `a failed wait tells everything that was printed`() async throws {
    let child = try ChildProcess("sh", ["-c", "echo said; echo complained >&2; exec sleep 100"])
    try await child.waitForLine()
    let error = await #expect(throws: HarnessError.self) {
      try await child.waitForLine(timeout: .milliseconds(50)) { $0 == "never" }
    }
    #expect(error?.description.contains("said") == true)
    child.send(SIGTERM)
    #expect(try await child.exit() == .signalled(SIGTERM))
    #expect(child.failure("is looked at").description.contains("complained"))
  }

  @Test func `a line that comes as the wait for it is given up is there for the next wait`() async throws {
    let child = try ChildProcess("sh", ["-c", "for n in $(seq 400); do echo $n; done"])
    #expect(try await child.exit() == .exited(0))
    for number in 1...400 {
      // All lines are there, and there is no time: now the one is faster and now the other.
      if let line = try? await child.waitForLine(timeout: .zero) {
        #expect(line == String(number))
      } else {
        #expect(try await child.waitForLine() == String(number))
      }
    }
  }

  @Test func `what a child started ends with it`() async throws {
    let child = try ChildProcess("sh", ["-c", "sleep 100 & echo $!; wait"])
    let grandchild = try #require(pid_t(try await child.waitForLine()))
    #expect(kill(grandchild, 0) == 0)
    child.kill()
    #expect(try await child.exit() == .signalled(SIGKILL))  // and the pipe that the grandchild held is at its end
  }

  @Test func `a program that is not there is an error`() {
    #expect(throws: HarnessError.self) { try ChildProcess("no-such-program") }
  }
}
