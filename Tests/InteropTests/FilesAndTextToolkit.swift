import Foundation
import TestSupport
import Testing

/// A toolkit whose programs take files and text and nothing else, and the peer program that speaks for it.
enum FilesAndTextToolkit: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case sdl2 = "SDL 2"
  case fltk = "FLTK"
  case wx = "wxWidgets"

  var testDescription: String { rawValue }

  /// Starts the peer as target.
  ///
  /// - Parameter declines: whether its widget says no at the drop, after a yes; FLTK alone.
  func launch(on server: XServer, geometry: String, declines: Bool = false) async throws -> ChildProcess {
    let peers = BuiltProducts.package.appendingPathComponent("Tests/Peers")
    let arguments = ["target", "--geometry", geometry, "--content", PeerTask.path(on: server)]
    switch self {
    case .sdl2, .wx:
      let script = self == .sdl2 ? "sdl2_peer.py" : "wx_peer.py"
      return try server.launch("/usr/bin/python3", [peers.appendingPathComponent(script).path] + arguments)
    case .fltk:
      let program = server.directory("fltk_peer")
      let compiler = try ChildProcess(
        "clang++", [peers.appendingPathComponent("fltk_peer.cpp").path, "-o", program, "-lfltk", "-lX11"])
      guard try await compiler.exit(timeout: .seconds(60)) == .exited(0) else {
        throw compiler.failure("did not compile")
      }
      return try server.launch(program, arguments + (declines ? ["--declines"] : []))
    }
  }

  /// The paths that a peer says it got: FLTK has them in a text, as the source wrote them.
  func files(in drop: JSONLine) -> [String]? {
    guard self == .fltk else { return drop.strings("files") }
    return drop.string("text")?.split(separator: "\n").map { line in
      let line = line.trimmingCharacters(in: .newlines)
      return URL(string: line)?.scheme == "file" ? URL(string: line)?.path ?? line : line
    }
  }
}
