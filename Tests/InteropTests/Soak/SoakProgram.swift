import Foundation
import TestSupport
import XDnD

/// What is dragged from one program to another.
enum SoakContent: Hashable, Sendable {
  case text(String)
  case file, blob

  var kind: String {
    switch self {
    case .text: "text"
    case .file: "file"
    case .blob: "blob"
    }
  }
}

/// A program of the soak: what it drags, what it takes, and how it says what has happened.
struct SoakProgram: Sendable {
  /// How it tells of a drag.
  enum Speech: Sendable {
    /// The JSON lines of the tools, and those of the toolkits' peers.
    case tool, peer
    /// The lines of the example in Swift, and of the one in C.
    case swift, c
  }

  var name: String
  var speech: Speech
  /// What it drags, of which a peer is told one; empty for a target.
  var drags: [SoakContent] = []
  /// The kinds that it takes; empty for a source.
  var takes: Set<String> = []
  var canMove = false
  /// Whether Escape ends its drag: GTK 4 and Qt hear it only with the focus, which no window manager gives them here.
  var hearsEscape = true
  /// Whether it is killed now and then. The others run from the first drag to the last.
  var isVictim = false
  var start: @Sendable (XServer, Rect) throws -> ChildProcess
  /// The title of its window, if it does not place it itself.
  var title: String?
}

extension SoakProgram {
  var isOurs: Bool { speech != .peer }

  static let words = "Words that have come a long way."
  static let blobType = "application/x-soak"
  static let kinds: Set<String> = ["text", "file", "blob"]

  /// All programs: the tools, the toolkits, and hosts of the library in Swift and, if there is one, in C.
  ///
  /// - Parameter host: The program of Examples/C, compiled.
  static func all(file: String, blob: String, host: String?) -> [SoakProgram] {
    var programs = [
      tool("xdnd-source text", .text(words), ["--text", words]),
      tool("xdnd-source file", .file, [file]),
      tool("xdnd-source blob", .blob, ["--type", "\(blobType)=@\(blob)"]),
      probe("xdnd-probe"),
    ]
    for toolkit in [Toolkit.gtk3, .gtk4, .qt5, .qt6] {
      programs.append(
        SoakProgram(
          name: "\(toolkit.rawValue) source", speech: .peer, drags: [.text(words), .file, .blob], canMove: true,
          hearsEscape: toolkit == .gtk3,
          start: { try toolkit.launch("source", on: $0, geometry: $1.description) }))
      programs.append(
        SoakProgram(
          // GTK 4 chooses among the operations itself.
          name: "\(toolkit.rawValue) target", speech: .peer, takes: kinds, canMove: toolkit != .gtk4,
          start: { try toolkit.launch("target", on: $0, geometry: $1.description) }))
    }
    programs.append(
      SoakProgram(
        name: "Swift host", speech: .swift, drags: [.text("Hello from Xlib")], takes: ["text"],
        // Line by line: Swift keeps lines for a pipe in a buffer.
        start: { server, _ in try server.launch("stdbuf", ["--output=L", BuiltProducts.executable("RawXlib")]) },
        title: "Greeting"))
    if let host {
      programs.append(
        SoakProgram(
          name: "C host", speech: .c, drags: [.text("Hello from C")], takes: ["text"],
          start: { server, _ in try server.launch(host) }, title: "Greeting"))
    }
    programs.append(tool("xdnd-source, killed", .text(words), ["--text", words], isVictim: true))
    programs.append(probe("xdnd-probe, killed", isVictim: true))
    return programs
  }

  private static func tool(
    _ name: String, _ content: SoakContent, _ arguments: [String], isVictim: Bool = false
  ) -> SoakProgram {
    SoakProgram(
      name: name, speech: .tool, drags: [content], canMove: content.kind == "text", isVictim: isVictim,
      start: { try $0.launchSource($1.description, ["--log", "debug", "--action", "copy,move"] + arguments) })
  }

  private static func probe(_ name: String, isVictim: Bool = false) -> SoakProgram {
    SoakProgram(
      name: name, speech: .tool, takes: kinds, canMove: true, isVictim: isVictim,
      start: {
        try $0.launchProbe(
          $1.description,
          [
            "--checksum", "--history-size", "1M", "--accept", "text/uri-list,\(blobType),text/plain", "--action",
            "copy,move",
          ])
      })
  }
}

/// A program of the soak that runs.
struct RunningProgram: Sendable {
  var program: SoakProgram
  var process: ChildProcess
  /// Where to press, or to let go; root coordinates.
  var place: Point

  /// Waits until it says how its drag has ended, and returns whether the content was taken; `nil` if it says nothing.
  func dragEnd() async throws -> Bool? {
    switch program.speech {
    case .tool: try await process.waitFor("ended").string("outcome") == "dropped"
    case .peer: try await process.waitFor("drag-end").boolean("success")
    case .c: try await process.waitForLine { $0.hasPrefix("dragged: ") } == "dragged: taken"
    case .swift: nil
    }
  }

  /// Waits until it says what was dropped, and returns whether it is the content.
  func takes(_ content: SoakContent, _ expected: SoakExpectation) async throws -> Bool {
    switch program.speech {
    case .tool:
      let data = try await process.waitFor("data")
      let end = try await process.waitFor("ended")
      return expected.matches(data, content) && end.string("outcome") == "dropped"
    case .peer: return expected.matches(try await process.waitFor("drop"), content)
    case .swift, .c:
      guard case .text(let text) = content else { return false }
      let line = (program.speech == .c ? "dropped: " : "") + text
      try await process.waitForLine { $0 == line }
      return true
    }
  }
}

/// What must arrive.
struct SoakExpectation: Sendable {
  var file: String
  var blob: Digest

  func matches(_ line: JSONLine, _ content: SoakContent) -> Bool {
    switch content {
    case .text(let text): Digest(line) == Digest(Array(text.utf8))
    case .blob: Digest(line) == blob
    case .file:
      (line.strings("uris") ?? line.objects("files")?.compactMap { $0.string("uri") }) == ["file://\(file)"]
    }
  }
}
