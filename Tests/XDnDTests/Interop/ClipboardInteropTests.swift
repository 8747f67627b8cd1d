import CX11
import Foundation
import Glibc
import Testing
import XDnD

/// Copy and paste between the tools and programs with real toolkits.
@Suite(
  "The clipboard with real toolkits", .serialized, .requiresXvfb, .requiresGTK3, .requiresQt5, .timeLimit(.minutes(5)))
struct ClipboardInteropTests {
  @Test(arguments: Toolkit.allCases)
  func `what xdnd-source has copied a toolkit pastes`(_ toolkit: Toolkit) async throws {
    try await XvfbServer.with { server in
      for content in Content.allCases {
        let prepared = try content.prepare(in: server.directory.path)
        let source = try server.launchCopy(prepared.toolArguments)
        try await source.waitFor("copied")
        try await server.paste(content, with: toolkit).expect(prepared)
        // Who copies next ends it.
        let next = try toolkit.copy(["--text", "next"], on: server)
        try await next.waitFor("copied")
        try await source.waitFor("released")
        #expect(try await source.exit() == .exited(0), "\(content)")
      }
    }
  }

  @Test(arguments: Toolkit.allCases)
  func `what a toolkit has copied xdnd-probe pastes`(_ toolkit: Toolkit) async throws {
    try await XvfbServer.with { server in
      for content in Content.allCases {
        let prepared = try content.prepare(in: server.directory.path)
        let peer = try toolkit.copy(prepared.peerArguments, on: server)
        try await peer.waitFor("copied")
        let probe = try server.launchPaste(["--accept", content.acceptedTypes])
        prepared.expectArrival(try await probe.waitFor("data"))
        #expect(try await probe.exit() == .exited(0), "\(content)")
        // Its end is the end of the content.
        peer.send(SIGTERM)
        _ = try await peer.exit()
        #expect(try await server.launchPaste([]).exit() == .exited(1), "\(content)")
      }
    }
  }

  @Test(arguments: Toolkit.allCases)
  func `the primary selection is another one`(_ toolkit: Toolkit) async throws {
    try await XvfbServer.with { server in
      let prepared = try Content.text.prepare(in: server.directory.path)
      let source = try server.launchTool(.source, ["--primary"] + prepared.toolArguments)
      try await source.waitFor("copied")
      try await server.paste(.text, with: toolkit, ["--primary"]).expect(prepared)
      let empty = try toolkit.paste([], on: server)
      try await empty.waitFor("empty")
      let peer = try toolkit.copy(["--primary"] + prepared.peerArguments, on: server)
      try await peer.waitFor("copied")
      #expect(try await source.exit() == .exited(0))
      let probe = try server.launchTool(.probe, ["--primary", "--accept", "text/plain"])
      prepared.expectArrival(try await probe.waitFor("data"))
    }
  }

  @Test(.requiresClipboardManager)
  func `a clipboard manager keeps what was copied when its program has ended`() async throws {
    try await XvfbServer.with { server in
      let manager = try await server.startClipboardManager()
      for content in [Content.text, .files, .blob] {
        let prepared = try content.prepare(in: server.directory.path)
        let source = try server.launchCopy(prepared.toolArguments)
        try await source.waitFor("copied")
        source.send(SIGTERM)
        try await source.waitFor("handed-over")
        #expect(try await source.exit() == .exited(0), "\(content)")
        for toolkit in Toolkit.allCases { try await server.paste(content, with: toolkit).expect(prepared) }
        let probe = try server.launchPaste(["--accept", content.acceptedTypes])
        prepared.expectArrival(try await probe.waitFor("data"))
      }
      #expect(manager.isRunning)
    }
  }
}

extension Toolkit {
  private func clipboardScript() -> String {
    let name = self == .gtk3 ? "gtk3_clipboard.py" : "qt5_clipboard.py"
    return BuiltProducts.package.appendingPathComponent("Tests/Peers/\(name)").path
  }

  /// Starts a program that copies, and stays.
  func copy(_ arguments: [String], on server: XvfbServer) throws -> ChildProcess {
    try server.launch("/usr/bin/python3", [clipboardScript(), "copy"] + arguments)
  }

  /// Starts a program that pastes once.
  func paste(_ arguments: [String], on server: XvfbServer) throws -> ChildProcess {
    try server.launch("/usr/bin/python3", [clipboardScript(), "paste"] + arguments)
  }
}

/// What a program with a toolkit has pasted.
private struct Paste {
  let line: JSONLine
  let status: ExitStatus

  func expect(_ content: PreparedContent, sourceLocation: SourceLocation = #_sourceLocation) {
    content.expectArrival(line, sourceLocation: sourceLocation)
    #expect(status == .exited(0), sourceLocation: sourceLocation)
  }
}

extension XvfbServer {
  fileprivate func paste(
    _ content: Content, with toolkit: Toolkit, _ arguments: [String] = []
  ) async throws -> Paste {
    let type = content == .text ? [] : ["--type", content.acceptedTypes]
    let peer = try toolkit.paste(arguments + type, on: self)
    let line = try await peer.waitFor("pasted", timeout: .seconds(60))
    return Paste(line: line, status: try await peer.exit())
  }

  /// Starts Xfce's settings daemon, which is a clipboard manager too, and returns once it is.
  func startClipboardManager() async throws -> ChildProcess {
    let connection = try DisplayConnection(displayName)
    let process = try launch("dbus-run-session", ["--", "xfsettingsd", "--disable-wm-check"])
    let isThere = try await onOwnThread {
      connection.awaitOwner(of: "CLIPBOARD_MANAGER", timeout: .seconds(60))
    }
    guard isThere else { throw process.failure("does not become a clipboard manager") }
    return process
  }
}
