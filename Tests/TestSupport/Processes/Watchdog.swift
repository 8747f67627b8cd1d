import Foundation
import Glibc

/// Ends whatever this test run started once the run is gone, however it ended: a crash and `kill -9` included.
///
/// A shell waits at the read end of a pipe whose only write end is in this process. When the kernel closes that end, the
/// shell kills every process that carries the run's token in its environment and removes the run's directory.
/// The token reaches every descendant, also one in a group of its own, and needs no bookkeeping that a crash could
/// interrupt.
final class Watchdog: Sendable {
  /// The one of this process, started by the first use.
  static let shared = Result { try Watchdog() }

  /// The name of the environment variable that carries the token.
  static let variable = "XDND_TEST_RUN"

  /// What `variable` must be for everything this run starts.
  let token: String
  /// The directory of this run, for everything temporary.
  let directory: String
  /// Open for as long as this process lives.
  private let lifeline: Int32

  private static let script = """
    cat >/dev/null
    for signal in TERM KILL KILL; do
      for entry in $(grep -lF "$1" /proc/[0-9]*/environ 2>/dev/null); do
        pid=${entry#/proc/}
        kill -s "$signal" "${pid%/environ}" 2>/dev/null
      done
      sleep 0.5
    done
    rm -rf -- "$2"
    """

  private init() throws {
    token = "\(getpid())-\(randomSuffix())"
    directory = "\(FileManager.default.temporaryDirectory.path)/xdnd-tests-\(token)"
    guard mkdir(directory, 0o700) == 0 else { throw HarnessError("cannot make \(directory)", code: errno) }
    let pipe = try Pipe()
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer {
      close(pipe.readEnd)
      close(null)
    }
    _ = try spawn(
      "/bin/sh", ["-c", Self.script, "xdnd-test-watchdog", "\(Self.variable)=\(token)", directory],
      environment: ["PATH": "/usr/bin:/bin"], input: pipe.readEnd, output: null, error: null)
    lifeline = pipe.writeEnd
  }
}

/// The end of a unique name: short, because programs put sockets there, and always of the same length, so that a path that
/// is too long for them does not depend on chance.
private func randomSuffix() -> String {
  String((0..<8).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz".randomElement() ?? "0" })
}

/// A directory that goes with this object, or with the test run at the latest.
package final class TemporaryDirectory: Sendable {
  /// Where it is.
  package let path: String

  /// A new empty directory that only this user can read; `name` helps whoever looks at it.
  package init(_ name: String = "scratch") throws {
    path = "\(try Watchdog.shared.get().directory)/\(name)-\(randomSuffix())"
    guard mkdir(path, 0o700) == 0 else { throw HarnessError("cannot make \(path)", code: errno) }
  }

  /// The path of `name` in this directory.
  package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes `bytes` to the file `name` in this directory and returns its path.
  package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
