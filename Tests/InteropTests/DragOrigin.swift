import Glibc
import TestSupport
import Testing
import XDnD

/// What is dragged from, in a window on the left: a toolkit's peer, or `xdnd-source`.
enum DragOrigin: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case gtk3 = "GTK 3"
  case gtk4 = "GTK 4"
  case qt5 = "Qt 5"
  case qt6 = "Qt 6"
  case tool = "xdnd-source"

  var testDescription: String { rawValue }

  /// `nil` for `xdnd-source`.
  var toolkit: Toolkit? { Toolkit(rawValue: rawValue) }

  /// Whether it finds that the window of `XdndProxy` is gone, and then drops on the window itself. GTK drops nothing there.
  var checksProxies: Bool { self != .gtk3 && self != .gtk4 }
}

/// Drags copies of one content after the other: a toolkit's peer serves all drags, and `xdnd-source` is started for each.
struct DragOriginStage {
  private let origin: DragOrigin
  private let server: XServer
  private let pointer: Pointer
  /// A second connection: waiting for the cursor blocks it.
  private let eyes: Pointer
  /// A toolkit's peer, and the middle of its window.
  private let peer: (source: ChildProcess, start: Point)?

  /// - Parameter content: What a peer reads before its first drag.
  init(_ origin: DragOrigin, on server: XServer, first content: PreparedContent) async throws {
    self.origin = origin
    self.server = server
    pointer = try Pointer(server)
    eyes = try Pointer(server)
    try content.task.post(on: server)
    guard let process = try origin.toolkit?.launch("source", on: server, geometry: PeerStage.left) else {
      peer = nil
      return
    }
    peer = (process, try await DragScene.readyPoint(of: process))
  }

  /// Drags to a place and drops as soon as the source has been told that its content would be copied.
  ///
  /// - Parameter isReached: Returns when the target has seen enough of the drag.
  func drag(
    _ content: PreparedContent, to end: Point, until isReached: @escaping @Sendable () async throws -> Void = {}
  ) async throws -> OriginDrag {
    let (source, start) = try await beginning(with: content)
    try await pointer.drag(along: [start, end])
    let begin = try await source.waitFor(origin == .tool ? "drag-began" : "drag-begin")
    try await pointer.hover { [eyes, origin] in
      try await isReached()
      if origin == .tool {
        try await source.waitFor("proposal") { $0.string("operation") == "copy" }
      } else {
        try await eyes.awaitCursor("dnd-copy")
      }
    }
    pointer.release()
    return OriginDrag(origin: origin, source: source, begin: begin)
  }

  /// The program that is going to drag the content, and where to press.
  private func beginning(with content: PreparedContent) async throws -> (source: ChildProcess, start: Point) {
    if let peer {
      try content.task.post(on: server)
      return peer
    }
    let source = try content.launchSource(on: server, PeerStage.left, operation: "copy")
    return (source, DragScene.everything(in: try await source.waitFor("ready", timeout: .seconds(60))))
  }

  func end() { peer?.source.kill() }
}

/// A drag of a ``DragOriginStage`` that was dropped.
struct OriginDrag {
  fileprivate let origin: DragOrigin
  fileprivate let source: ChildProcess
  /// What the source has said when it began.
  let begin: JSONLine

  /// Requires that the source is told of a success.
  func requireSuccess() async throws {
    if origin == .tool {
      try #require(try await source.waitFor("ended").string("outcome") == "dropped")
      source.send(SIGTERM)
      _ = try await source.exit()
    } else {
      try #require(try await source.waitFor("drag-end").boolean("success") == true)
    }
  }
}
