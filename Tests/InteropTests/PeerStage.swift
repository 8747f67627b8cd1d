import Glibc
import TestSupport
import Testing
import XDnD

/// A display with a peer on it that serves one drag after the other: a toolkit takes long to start.
struct PeerStage {
  let server: XServer
  let pointer: Pointer

  static let left = DragScene.sourceGeometry
  static let right = DragScene.targetGeometry

  /// Runs `drag` for each cell with the same peer. A cell that fails is recorded, and the next one gets a new peer.
  ///
  /// - Parameters:
  ///   - isRenewing: whether each cell gets a new peer in any case.
  ///   - launch: starts the peers.
  ///   - drag: one cell; it throws what went wrong.
  static func perform(
    _ cells: [Cell], isRenewing: Bool = false, launch: (XServer) throws -> [ChildProcess],
    drag: (PeerStage, [ChildProcess], [Point], Cell) async throws -> Void
  ) async throws {
    try await XServer.with(windowManager: .openbox) { server in
      let stage = PeerStage(server: server, pointer: try Pointer(server))
      var peers: [ChildProcess] = []
      var places: [Point] = []
      for cell in cells {
        if peers.isEmpty {
          peers = try launch(server)
          places = []
          for peer in peers { places.append(try await DragScene.readyPoint(of: peer)) }
        }
        do {
          try await drag(stage, peers, places, cell)
          if isRenewing {
            try await end(peers)
            peers = []
          }
        } catch {
          let output = peers.map { "\($0.failure("was not as expected"))" }.joined(separator: "\n")
          Issue.record("\(cell): \(error)\n\(output)")
          stage.pointer.release()
          for peer in peers { peer.kill() }
          peers = []
        }
      }
      try await end(peers)
    }
  }

  private static func end(_ peers: [ChildProcess]) async throws {
    for peer in peers {
      peer.send(SIGTERM)
      let status = try await peer.exit()
      #expect(status == .exited(0))
    }
  }
}
