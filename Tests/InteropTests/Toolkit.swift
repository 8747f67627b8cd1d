import Foundation
import TestSupport
import Testing

/// A toolkit of others, and the peer program that speaks for it.
enum Toolkit: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case gtk3 = "GTK 3"
  case gtk4 = "GTK 4"
  case qt5 = "Qt 5"
  case qt6 = "Qt 6"
  case tk = "Tk"

  var testDescription: String { rawValue }

  /// Starts the peer as `source` or `target`; what it drags or takes is in the file `content`, which it reads at each
  /// drag.
  func launch(_ role: String, on server: XServer, geometry: String, _ more: [String] = []) throws -> ChildProcess {
    let arguments =
      switch self {
      case .gtk3: ["gtk3_peer.py"]
      case .gtk4: ["gtk4_peer.py"]
      case .qt5: ["qt_peer.py", "PyQt5"]
      case .qt6: ["qt_peer.py", "PyQt6"]
      case .tk: ["tk_peer.py"]
      }
    let script = BuiltProducts.package.appendingPathComponent("Tests/Peers/\(arguments[0])").path
    return try server.launch(
      "/usr/bin/python3",
      [script] + arguments.dropFirst() + [role, "--geometry", geometry, "--content", PeerTask.path(on: server)] + more)
  }

  /// What it can drag and take.
  var contents: [Content] {
    // tkdnd 2.6 knows no other types: it sends them as numbers, and takes none.
    self == .tk ? [.text, .color, .files] : Content.allCases
  }

  /// Whether it says at the end how a drag ended: tkdnd 2.6 tells its program nothing.
  var tellsOutcome: Bool { self != .tk }

  /// Whether a program hears which operation was proposed: tkdnd 2.6 answers `copy` if the program does not know better.
  var hearsProposal: Bool { self != .tk }
}

/// What a peer reads at each drag, as `Tests/Peers/peer.py` explains it.
struct PeerTask: Encodable, Sendable {
  var kind: String
  var actions: [String] = ["copy"]
  var take: String?
  var text: String?
  var html: String?
  var uri: String?
  var title: String?
  var color: [UInt16]?
  var path: String?
  var type: String?
  var uris: [String]?

  static func path(on server: XServer) -> String { server.directory("content.json") }

  /// Says what the next drag is about.
  func post(on server: XServer) throws {
    try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: Self.path(on: server)))
  }
}
