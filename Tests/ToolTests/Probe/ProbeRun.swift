import XDnDX11
import Foundation
import TestSupport
import Testing

@testable import XDnD

/// Both tools, with what the probe writes to standard output in a file: its reports are then on standard error, and
/// this reads them.
struct ProbeRun {
  let scene: DragScene
  private let printed: String

  var source: ChildProcess { scene.source }
  var probe: ChildProcess { scene.target }

  static func set(
    on server: XServer, source: [String], probe: [String], environment: [String: String] = [:]
  ) async throws -> ProbeRun {
    let printed = server.directory("printed")
    let scene = try await DragScene.set(
      on: server, source: { try server.launchSource($0, source) },
      target: {
        try server.launch(
          "/bin/sh",
          ["-c", #"out=$1; shift; exec "$0" "$@" 2>&1 >"$out""#, BuiltProducts.executable("xdnd-probe"), printed]
            + ["--json", "--timeout", "60", "--geometry", $0] + probe, environment: environment)
      })
    return ProbeRun(scene: scene, printed: printed)
  }

  /// All that standard output has.
  var output: [UInt8] { FileManager.default.contents(atPath: printed).map(Array.init) ?? [] }
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Drags everything from the source, and drops.
  func dragAndDrop() async throws {
    try await scene.carryUntilAccepted()
    scene.pointer.release()
  }

  /// Types at the probe.
  func type(_ key: String) async throws {
    let window = try #require(probe.printed("ready").first?.integer("window"))
    try scene.type(key, into: window)
  }
}

extension DragScene {
  /// Presses a key with the focus in a window.
  func type(_ key: String, into window: Int) throws {
    let connection = try DisplayConnection(server.displayName)
    connection { display, _ in
      _ = XSetInputFocus(display, Window(window), RevertToParent, Time(CurrentTime))
    }
    try pointer.tap(key: key)
  }
}
