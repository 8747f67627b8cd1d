import XDnDX11
import Foundation
import Glibc
import TestSupport
import Testing
import XDnD

/// One side is killed, in each phase of a drag: the other ends with its documented code, soon, and nothing is left behind.
@Suite("Killing one side of a drag", .requiresXvfb, .timeLimit(.minutes(2)))
struct DeathTests {
  /// How far the drag has got when it happens.
  enum Phase: CaseIterable {
    /// The target has its Enter and its first Position, and has answered neither.
    case entered
    /// The target has said yes.
    case hovering
    /// The Drop has been sent, and the data is about to be asked for.
    case dropped
    /// Some of the data has gone over.
    case transferring
  }

  @Test(arguments: Phase.allCases)
  func `the source ends well when the target is killed`(_ phase: Phase) async throws {
    try await XServer.with { server in
      let scene = try await bring(to: phase, on: server)
      scene.target.kill()
      _ = try await scene.target.exit()
      if phase == .entered || phase == .hovering {
        // The user still holds the drag, and sees that there is nothing under the pointer any more.
        var line = try await scene.source.waitFor("target")
        while line.integer("window") != nil { line = try await scene.source.waitFor("target") }
        scene.pointer.release()
      }
      let expected: Int32 = phase == .entered || phase == .hovering ? 3 : 5
      #expect(try await scene.source.exit() == .exited(expected))
      try expectNothingLeft(on: server)
    }
  }

  @Test(arguments: Phase.allCases)
  func `the probe ends well when the source is killed`(_ phase: Phase) async throws {
    try await XServer.with { server in
      let scene = try await bring(to: phase, on: server, output: server.directory("out.bin"))
      scene.source.kill()
      _ = try await scene.source.exit()
      scene.target.send(SIGCONT)  // Stopped in the phase `entered`.
      #expect(try await scene.target.exit() == .exited(5))
      let left = try FileManager.default.contentsOfDirectory(atPath: server.directory.path)
      #expect(!left.contains { $0.hasPrefix("out.bin") || $0.hasPrefix(".xdnd-") })
      scene.pointer.release()
      try expectNothingLeft(on: server)
    }
  }

  @Test(arguments: Phase.allCases)
  func `both tools end with a sentence when the server is killed`(_ phase: Phase) async throws {
    let server = try await XServer.start()
    let scene = try await bring(to: phase, on: server)
    try await server.kill()
    scene.target.send(SIGCONT)
    for tool in [scene.source, scene.target] {
      #expect(try await tool.exit() == .exited(74))
      #expect(tool.errors.text.hasSuffix(": the connection to the X server is lost\n"))
      #expect(tool.errors.text.split(separator: "\n").count == 1)
    }
  }

  /// Starts both tools and a drag of a file that takes long, and stops it in the given phase.
  private func bring(to phase: Phase, on server: XServer, output: String? = nil) async throws -> DragScene {
    let path = server.directory("big.bin")
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(truncate(path, 4 << 30) == 0)
    let type = "application/x-xdnd-blob"
    let scene = try await DragScene.set(
      on: server,
      source: { try server.launchSource($0, ["--once", "--timeout", "60", "--type", "\(type)=@\(path)"]) },
      target: {
        try server.launchProbe(
          $0, ["--once", "--timeout", "60", "--accept", type] + (output.map { ["--output", $0] } ?? []))
      })
    if phase == .entered { scene.target.send(SIGSTOP) }
    try await scene.carry()
    guard phase != .entered else {
      try await scene.source.waitFor("target")
      return scene
    }
    try await scene.source.waitFor("target")
    try await scene.source.waitFor("proposal")
    guard phase != .hovering else { return scene }
    scene.pointer.release()
    try await scene.source.waitFor("drop-sent")
    if phase == .transferring { try await scene.target.waitFor("progress") }
    return scene
  }

  /// Pointer and keyboard are free, nobody owns the selection, and no window carries a property of a transfer.
  private func expectNothingLeft(on server: XServer) throws {
    let connection = try DisplayConnection(server.displayName)
    connection { display, root in
      let pointer = XGrabPointer(display, root, 0, 0, GrabModeAsync, GrabModeAsync, 0, 0, Time(CurrentTime))
      #expect(pointer == GrabSuccess)
      #expect(XGrabKeyboard(display, root, 0, GrabModeAsync, GrabModeAsync, Time(CurrentTime)) == GrabSuccess)
      #expect(XGetSelectionOwner(display, XInternAtom(display, "XdndSelection", 0)) == 0)
    }
  }
}
