package import XDnDConformance
import Foundation
import Testing
import XDnD

/// Recordings that the tools make on a display of their own.
package struct RecordingScene {
  package let server: XServer

  package init(server: XServer) { self.server = server }

  package static let left = DragScene.sourceGeometry
  package static let right = DragScene.targetGeometry

  package func path(_ name: String) -> String { server.directory(name) }

  /// Starts `xdnd-probe` with JSON lines.
  package func probe(_ arguments: String...) throws -> ChildProcess {
    try server.launch(BuiltProducts.executable("xdnd-probe"), arguments + ["--json"])
  }

  /// Starts something with a window, and says which.
  package func open(_ process: ChildProcess) async throws -> String {
    let ready = try await process.waitFor("ready", timeout: .seconds(60))
    return String(try #require(ready.integer("window")))
  }

  /// Drops on a window without a pointer.
  package func drop(on window: String, _ arguments: String...) async throws -> ExitStatus {
    let source = try server.launch(
      BuiltProducts.executable("xdnd-source"), ["--to", window] + arguments)
    return try await source.exit()
  }

  /// Records what `xdnd-source` does in a drop without a pointer.
  package func recordSource(_ name: String, _ arguments: String...) async throws {
    let recorder = try probe("record", "--once", "-o", path(name), "--geometry", Self.left)
    let window = try await open(recorder)
    let source = try server.launch(
      BuiltProducts.executable("xdnd-source"), ["--to", window, "--once"] + arguments)
    #expect(try await source.exit() == .exited(0))
    #expect(try await recorder.exit() == .exited(0))
  }

  package func recording(_ name: String) throws -> Recording {
    try Recording(text: Data(contentsOf: URL(fileURLWithPath: path(name))))
  }
}

extension Recording {
  /// The messages and requests of one end, in order, as they differ from no run to the next.
  package func steps(of side: Role) -> [String] {
    ReplayScript(self, as: side).steps.compactMap { step in
      switch step.action {
      case .send(let message):
        message.type.rawValue + " "
          + message.names.sorted { $0.key < $1.key }.map(\.value.rawValue).joined(separator: " ")
      case .convert(let conversion): "asks for \(conversion.target?.rawValue ?? "None")"
      case .receive, .disown, .destroyWindow: nil
      }
    }
  }
}
