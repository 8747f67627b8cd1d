package import Foundation
import Glibc

/// How a process ended.
package enum ExitStatus: Hashable, Sendable {
  /// By itself, with this code.
  case exited(Int32)
  /// By this signal.
  case signalled(Int32)
}

/// A program that runs beside the test: its output is read all the time, its end is awaited, and it never outlives this
/// object (nor the test run, see `Watchdog`).
package final class ChildProcess: Sendable {
  /// The process, also the process group of all it starts.
  package let pid: pid_t
  /// What it writes to its standard output.
  package let output = CapturedOutput()
  /// What it writes to its standard error.
  package let errors = CapturedOutput()

  private let commandLine: String
  /// `nil` while it runs.
  private let ending = Awaitable<ExitStatus?>(nil)
  /// The first line that `waitForLine` has not seen.
  private let cursor = Awaitable(0)
  /// What must live as long as the process does, such as its X server.
  private let support: [any Sendable]

  /// Starts `program`, a path or a name in `PATH`.
  ///
  /// - Parameters:
  ///   - environment: the whole environment; by default that of the test run.
  ///   - directory: its working directory.
  ///   - support: objects that must not go away while this one lives.
  ///   - atEnd: runs when the process has ended, before anybody is told, to remove what it leaves.
  package init(
    _ program: String, _ arguments: [String] = [],
    environment: [String: String] = ProcessInfo.processInfo.environment, directory: String? = nil,
    support: [any Sendable] = [], atEnd: @escaping @Sendable () -> Void = {}
  ) throws {
    guard let executable = path(ofProgram: program) else { throw HarnessError("there is no program \(program)") }
    var environment = environment
    environment[Watchdog.variable] = try Watchdog.shared.get().token
    // Tools with Swift's libraries inside do not find its backtracer, which `swift test` asks for, and complain.
    if BuiltProducts.areElsewhere { environment["SWIFT_BACKTRACE"] = nil }
    let out = try Pipe()
    let err = try Pipe()
    defer {
      close(out.writeEnd)
      close(err.writeEnd)
    }
    do {
      pid = try spawn(
        executable, arguments, environment: environment, directory: directory, output: out.writeEnd,
        error: err.writeEnd)
    } catch {
      close(out.readEnd)
      close(err.readEnd)
      throw error
    }
    commandLine = ([program] + arguments).joined(separator: " ")
    self.support = support
    output.readAll(from: out.readEnd)
    errors.readAll(from: err.readEnd)
    Thread.detachNewThread { [pid, ending] in
      let status = Self.awaitEnd(of: pid, beforeReaping: atEnd)
      ending.update { $0 = status }
    }
  }

  /// Blocks until `pid` ends, and ends what it left in its group before the number can be used again.
  private static func awaitEnd(of pid: pid_t, beforeReaping: () -> Void) -> ExitStatus {
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    _ = Glibc.kill(-pid, SIGKILL)
    beforeReaping()
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  deinit {
    kill()
  }

  // MARK: Signals and the end

  /// Whether it has not ended yet.
  package var isRunning: Bool { ending.current == nil }

  /// Sends `signal` to the process alone.
  package func send(_ signal: Int32) {
    if isRunning { _ = Glibc.kill(pid, signal) }
  }

  /// Ends it and all it started, at once.
  package func kill() {
    if isRunning { _ = Glibc.kill(-pid, SIGKILL) }
  }

  /// Its end, with its output read to the last byte.
  package func exit(timeout: Duration = .seconds(20)) async throws -> ExitStatus {
    let status = try await within(timeout) { [ending, output, errors] () -> ExitStatus? in
      await ending.wait { $0 != nil }
      await output.end()
      await errors.end()
      return ending.current
    }
    guard case .some(.some(let status)) = status else { throw failure("has not ended within \(timeout)") }
    return status
  }

  // MARK: Lines

  /// All lines of the standard output, from the first.
  package var lines: AsyncStream<String> { output.lines }

  /// The first line that fulfils `condition`, among those after the one that the last call returned.
  @discardableResult
  package func waitForLine(
    timeout: Duration = .seconds(20), where condition: @escaping @Sendable (String) -> Bool = { _ in true }
  ) async throws -> String {
    let found = try await within(timeout) { [output, cursor] () -> String? in
      while let line = await output.line(at: cursor.current) {
        // The time may be over meanwhile: the line counts as seen only when the caller has it.
        if condition(line) { return line }
        cursor.update { $0 += 1 }
      }
      return nil
    }
    if case .some(.some(let line)) = found {
      cursor.update { $0 += 1 }
      return line
    }
    throw failure(found == nil ? "did not print the line within \(timeout)" : "ended without the line")
  }

  /// An error that says what happened and holds everything printed so far.
  package func failure(_ what: String) -> HarnessError {
    let state = ending.current.map { "\($0)" } ?? "still running"
    return HarnessError(
      """
      \(commandLine) \(what) (\(state))
      --- standard output
      \(output.text)
      --- standard error
      \(errors.text)
      ---
      """)
  }
}
