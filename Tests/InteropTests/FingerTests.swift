import Glibc
import TestSupport
import Testing
import XDnD

/// A finger on a touchscreen drags. No window here selects touches for its drags, so the server makes it a pointer.
@Suite(
  "Drags with a finger", .requiresXorg, .requiresOpenbox, .requiresGTK3, .requiresGTK4, .requiresQt5, .requiresQt6,
  .timeLimit(.minutes(3)))
struct FingerTests {
  /// GTK 3.24.38 and 4.8.3 begin a drag, and do not move it: they follow the pointer, and the touch remains their window's.
  @Test(arguments: [DragOrigin.qt5, .qt6, .tool])
  func `from a source to xdnd-probe`(_ origin: DragOrigin) async throws {
    let directory = try TemporaryDirectory("content")
    let content = try Content.text.prepare(in: directory)
    try await XServer.withHandDevices(windowManager: .openbox) { server, devices in
      try content.task.post(on: server)
      let probe = try server.launchProbe(PeerStage.right, ["--accept", "text/plain", "--checksum"])
      let end = try await DragScene.readyPoint(of: probe)
      let source =
        try origin.toolkit?.launch("source", on: server, geometry: PeerStage.left)
        ?? content.launchSource(on: server, PeerStage.left, operation: "copy")
      let start = try await DragScene.readyPoint(of: source)
      try devices.touchscreen.touch(start)
      try await devices.touchscreen.glide(to: end)
      let begin = try await source.waitFor(origin == .tool ? "drag-began" : "drag-begin")
      try await devices.touchscreen.hover {
        try await probe.waitFor("position") { $0.string("proposed") == "copy" }
      }
      try devices.touchscreen.lift()
      try content.require(try await probe.waitFor("data"), from: origin.toolkit, begin: begin)
      try await probe.waitFor("ended") { $0.string("outcome") == "dropped" }
      if origin == .tool {
        #expect(try await source.waitFor("ended").string("outcome") == "dropped")
      } else {
        #expect(try await source.waitFor("drag-end").boolean("success") == true)
      }
    }
  }

  @Test(arguments: [Toolkit.gtk3, .gtk4, .qt5, .qt6])
  func `from xdnd-source to a toolkit`(_ toolkit: Toolkit) async throws {
    let directory = try TemporaryDirectory("content")
    let content = try Content.text.prepare(in: directory)
    try await XServer.withHandDevices(windowManager: .openbox) { server, devices in
      try content.task.post(on: server)
      let target = try toolkit.launch("target", on: server, geometry: PeerStage.right)
      let end = try await DragScene.readyPoint(of: target)
      let source = try content.launchSource(on: server, PeerStage.left, operation: "copy")
      let start = try await DragScene.readyPoint(of: source)
      try devices.touchscreen.touch(start)
      try await devices.touchscreen.glide(to: end)
      try await source.waitFor("drag-began")
      try await devices.touchscreen.hover {
        try await source.waitFor("proposal") { $0.string("operation") == "copy" }
      }
      try devices.touchscreen.lift()
      try content.require(try await target.waitFor("drop"), isFromTool: true)
      #expect(try await source.waitFor("ended").string("outcome") == "dropped")
    }
  }
}
