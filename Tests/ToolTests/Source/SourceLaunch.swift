import XDnDX11
import Foundation
import Glibc
import TestSupport

@testable import XDnD

/// Other ways to run `xdnd-source` than to drag out of its window with nothing on its standard input.
extension XServer {
  /// Starts `xdnd-source --json`, without a place for its window.
  func launchBareSource(_ arguments: [String], environment: [String: String] = [:]) throws -> ChildProcess {
    try launch(BuiltProducts.executable("xdnd-source"), ["--json"] + arguments, environment: environment)
  }

  /// Starts `xdnd-source --json` with what is fed to `feed` as its standard input.
  func launchSource(reading feed: NameFeed, _ arguments: [String]) throws -> ChildProcess {
    let tool = try BuiltProducts.executable("xdnd-source")
    return try launch("bash", ["-c", #"exec "$@" < "$0""#, feed.path, tool, "--json"] + arguments)
  }

  /// Starts `xdnd-probe --json` and says which window it has.
  func launchTarget(_ arguments: [String] = []) async throws -> (process: ChildProcess, window: Int) {
    let probe = try launchProbe(DragScene.targetGeometry, arguments)
    let ready = try await probe.waitFor("ready")
    guard let window = ready.integer("window") else { throw probe.failure("has no window") }
    return (probe, window)
  }
}

/// A pipe with a name that a test writes into while a tool reads it.
final class NameFeed: Sendable {
  let path: String
  private let descriptor: CInt

  init(in directory: TemporaryDirectory) throws {
    path = directory("feed")
    guard mkfifo(path, 0o600) == 0 else { throw HarnessError("mkfifo", code: errno) }
    // For reading, too: nobody reads yet, and to open it must not wait for that.
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw HarnessError("open", code: errno) }
  }

  deinit { close(descriptor) }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}

extension JSONLine {
  /// The titles of the rows that it tells of.
  var titles: [String] { (objects("rows") ?? []).compactMap { $0.string("title") } }
}

extension XlibPeer {
  /// Returns when somebody else holds the pointer. The keyboard is left alone: who takes both takes it last.
  func awaitGrab() async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while XGrabPointer(display, root, False, 0, GrabModeAsync, GrabModeAsync, 0, 0, Time(CurrentTime)) == GrabSuccess {
      XUngrabPointer(display, Time(CurrentTime))
      sync()
      guard .now < deadline else { throw HarnessError("nobody has taken the pointer") }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}
