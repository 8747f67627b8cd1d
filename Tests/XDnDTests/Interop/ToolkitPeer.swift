import Foundation
import XDnD

/// One thing that a peer program said, as `Tests/Peers/peer.py` prints it; what an event does not carry is `nil`.
struct PeerEvent: Decodable, Sendable {
  /// What happened: `ready`, `drag-begin`, `data-requested`, `drag-end`, `enter`, `motion`, `leave`, `drop`, …
  let event: String

  // The window, in root coordinates.
  let window: UInt?
  let x: Int?
  let y: Int?
  let width: Int?
  let height: Int?

  // The data.
  let type: String?
  let types: [String]?
  let bytes: Int?
  let sha256: String?
  let text: String?
  let uris: [String]?
  let paths: [String]?

  // The outcome.
  let action: String?
  let success: Bool?
  let deleted: Bool?
  let reason: String?
}

/// A program with a real toolkit as one side of a drag.
final class ToolkitPeer: Sendable {
  /// The toolkits there are programs for.
  enum Toolkit: String, Sendable, CaseIterable {
    case gtk3, qt5
  }

  /// Which side it is.
  enum Role: String, Sendable {
    case source, target
  }

  /// The program.
  let process: ChildProcess
  /// The area of its window in root coordinates, without a frame.
  let area: Rect
  /// Its window.
  let window: UInt

  /// The place to aim at.
  var centre: Point { Point(x: area.origin.x + area.width / 2, y: area.origin.y + area.height / 2) }

  /// Starts the program and returns once its window is on the screen; `arguments` are those of `Tests/Peers/peer.py`.
  init(
    _ toolkit: Toolkit, _ role: Role, on server: XvfbServer, in place: Rect, _ arguments: [String] = []
  ) async throws {
    let script = BuiltProducts.package.appendingPathComponent("Tests/Peers/\(toolkit.rawValue)_peer.py").path
    let geometry = "\(place.width)x\(place.height)+\(place.origin.x)+\(place.origin.y)"
    process = try server.launch("/usr/bin/python3", [script, role.rawValue, "--geometry", geometry] + arguments)
    let ready = try await Self.event("ready", of: process, timeout: .seconds(60))
    guard let window = ready.window, let x = ready.x, let y = ready.y, let width = ready.width,
      let height = ready.height
    else { throw process.failure("does not say where its window is") }
    self.window = window
    area = Rect(x: x, y: y, width: width, height: height)
  }

  /// The next event with one of these names, after the one that the last call returned.
  @discardableResult
  func event(_ names: String..., timeout: Duration = .seconds(20)) async throws -> PeerEvent {
    try await event(timeout: timeout) { names.contains($0.event) }
  }

  /// The next event that fulfils `condition`, after the one that the last call returned.
  @discardableResult
  func event(
    timeout: Duration = .seconds(20), where condition: @escaping @Sendable (PeerEvent) -> Bool
  ) async throws -> PeerEvent {
    try Self.decode(try await process.waitForLine(timeout: timeout) { (try? Self.decode($0)).map(condition) ?? false })
  }

  private static func event(_ name: String, of process: ChildProcess, timeout: Duration) async throws -> PeerEvent {
    try decode(try await process.waitForLine(timeout: timeout) { (try? decode($0))?.event == name })
  }

  private static func decode(_ line: String) throws -> PeerEvent {
    try JSONDecoder().decode(PeerEvent.self, from: Data(line.utf8))
  }
}
