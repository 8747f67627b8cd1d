import XDnDX11
import Foundation
import TestSupport
import Testing

@testable import XDnD

/// Drops on windows of real toolkits that are given by their number, while the pointer and the keyboard are somewhere else.
@Suite(
  "Drops without a pointer on windows of real toolkits", .serialized, .requiresXvfb, .requiresOpenbox, .requiresGTK3,
  .requiresGTK4, .requiresQt5, .requiresQt6, .requiresTk, .timeLimit(.minutes(5)))
struct PointerlessInteropTests {
  /// What is dropped.
  enum Cargo: String, CaseIterable, Sendable {
    case text, files, image, fourTypes
  }

  /// Where the hand has left the pointer.
  private static let rest = Point(x: 1000, y: 700)

  @Test(arguments: Toolkit.allCases)
  func `a toolkit takes what is dropped on its window, covered or not, and the pointer and the focus stay`(
    _ toolkit: Toolkit
  ) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let directory = try TemporaryDirectory("content")
      // Nothing is a target for tkdnd 2.6 but text, colours and files.
      let cargos = Cargo.allCases.filter { toolkit != .tk || $0 != .image }
      try PeerTask(kind: "text", text: "none").post(on: server)
      let peer = try toolkit.launch("target", on: server, geometry: PeerStage.right)
      let ready = try await peer.waitFor("ready", timeout: .seconds(60))
      let window = WindowID(rawValue: UInt32(try #require(ready.integer("window"))))
      let bystander = try XlibPeer(server)
      let focused = bystander.makeWindow(Rect(x: 900, y: 600, width: 200, height: 200))
      XSetInputFocus(bystander.display, focused.xid, RevertToParent, Time(CurrentTime))
      let pointer = try Pointer(server)
      pointer.move(to: Self.rest)
      bystander.sync()
      for isCovered in [false, true] {
        if isCovered { _ = bystander.makeTarget(Rect(x: 500, y: 0, width: 500, height: 500)) }
        for cargo in cargos {
          let (item, task) = try Self.cargo(cargo, in: directory)
          try task.post(on: server)
          let outcome = try await onOwnThread { [name = server.displayName] in
            try Self.drop(item(), on: window, display: name)
          }
          let label: Comment = "\(cargo), covered: \(isCovered)\n\(peer.errors.text)"
          #expect(outcome == .dropped(.copy), label)
          let drop = try await peer.waitFor("drop")
          #expect(drop.string("action") == "copy", label)
          switch cargo {
          case .text, .fourTypes: #expect(drop.string("text") == Sample.words, label)
          case .files: #expect(drop.strings("uris") == task.uris, label)
          case .image: #expect(Digest(drop) == Digest(Array(try Self.png(in: directory).opaque)), label)
          }
          #expect(pointer.position == Self.rest, label)
          #expect(bystander.focus == focused, label)
        }
      }
      peer.send(SIGTERM)
      #expect(try await peer.exit() == .exited(0))
    }
  }

  @Test(arguments: Toolkit.allCases.filter(\.hearsProposal), [DragOperation.copy, .move, .link])
  func `a toolkit is asked for what was asked for, at each place of the path`(
    _ toolkit: Toolkit, _ operation: DragOperation
  ) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      try PeerTask(kind: "text", text: Sample.words).post(on: server)
      let peer = try toolkit.launch("target", on: server, geometry: PeerStage.right)
      let ready = try await peer.waitFor("ready", timeout: .seconds(60))
      let window = WindowID(rawValue: UInt32(try #require(ready.integer("window"))))
      let answers = try await onOwnThread { [name = server.displayName] in
        let watcher = Watcher()
        let driver = try DragAndDrop(connectingTo: name)
        var item = DragItem(Sample.words)
        // GTK 4 copies where it may, whatever it is asked for.
        item.operations = toolkit == .gtk4 ? [operation] : [.copy, .move, .link]
        let drag = driver.drop(
          [item], on: window, at: Point(x: 200, y: 200), along: [Point(x: 20, y: 20), Point(x: 100, y: 100)],
          asking: operation, delegate: watcher)
        try driver.run { drag.outcome == nil }
        #expect(drag.outcome == .dropped(operation))
        return watcher.answers
      }
      let x = try #require(ready.integer("x"))
      #expect(answers.map { $0.point.x - x } == [20, 100, 200])
      #expect(answers.allSatisfy { $0.operation == operation })
      #expect(try await peer.waitFor("drop").string("action") == operation.description)
    }
  }

  private final class Watcher: DragDelegate {
    private(set) var answers: [(point: Point, operation: DragOperation?)] = []

    func drag(_ drag: DragSession, answeredAt point: Point, with operation: DragOperation?) {
      answers.append((point, operation))
    }
  }

  private static func drop(_ item: DragItem, on window: WindowID, display: String) throws -> DragOutcome? {
    guard DisplayConnection.threadsAreReady else { throw HarnessError("this libX11 has no threads") }
    let driver = try DragAndDrop(connectingTo: display)
    let drag = driver.drop([item], on: window)
    let deadline = ContinuousClock.now + .seconds(20)
    try driver.run(wakingAt: { deadline }) { drag.outcome == nil && .now < deadline }
    return drag.outcome
  }

  // MARK: Cargo

  private static func png(in directory: TemporaryDirectory) throws -> (path: String, opaque: [UInt8]) {
    let pixels = Sample.noise(64 * 48 * 3)
    let path = directory("picture.png")
    if access(path, F_OK) != 0 {
      _ = try directory.write(PNG.encode(width: 64, height: 48, rgb: pixels), to: "picture.png")
    }
    return (path, stride(from: 0, to: pixels.count, by: 3).flatMap { pixels[$0..<$0 + 3] + [0xFF] })
  }

  /// What to drop, and what the peer is told to take. The item is made where it is used.
  private static func cargo(
    _ cargo: Cargo, in directory: TemporaryDirectory
  ) throws -> (@Sendable () -> DragItem, PeerTask) {
    switch cargo {
    case .text: return ({ DragItem(Sample.words) }, PeerTask(kind: "text", text: Sample.words))
    case .files:
      let paths = [directory("a b.txt"), directory("c.txt")]
      for path in paths where access(path, F_OK) != 0 { try Sample.makeEmptyFile(Array(path.utf8)) }
      let uris = paths.map { "file://" + $0.replacingOccurrences(of: " ", with: "%20") }
      return ({ DragItem(files: paths) }, PeerTask(kind: "files", uris: uris))
    case .image:
      let path = try png(in: directory).path
      return (
        {
          var item = DragItem()
          item.promise("image/png", contentsOfFile: path)
          return item
        }, PeerTask(kind: "image", path: path)
      )
    case .fourTypes:
      return (
        {
          var item = DragItem(Sample.words)
          for type in ["application/x-one", "application/x-two", "application/x-three"] {
            item.promise(ContentType(type), bytes: Array(type.utf8))
          }
          return item
        }, PeerTask(kind: "text", text: Sample.words)
      )
    }
  }
}
