import Foundation
import TestSupport
import Testing

@testable import XDnD

/// Names that a source promises, and which should never be the name of a file.
struct HostileName: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  /// What the file is called; `nil` if it has to be named by the time.
  let saved: String?

  init(_ description: String, _ bytes: some Sequence<UInt8>, _ saved: String?) {
    testDescription = description
    self.bytes = Array(bytes)
    self.saved = saved
  }

  private static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

  static let all: [HostileName] = [
    HostileName("a way up", "../../x".utf8, "x"),
    HostileName("an absolute path", "/etc/passwd".utf8, "passwd"),
    HostileName("a path", "a/b".utf8, "b"),
    HostileName("a path that ends with a slash", "linked/".utf8, "linked 2"),
    HostileName("nothing", [], nil),
    HostileName("a dot", ".".utf8, nil),
    HostileName("two dots", "..".utf8, nil),
    HostileName("slashes", "///".utf8, nil),
    HostileName("10 kB", letters(10_240).utf8, letters(255)),
    HostileName("more than is read", letters(200_000).utf8, nil),
    HostileName("control bytes", "a\u{1}b\u{1B}[31mc\u{7F}".utf8, "ab[31mc"),
    HostileName("a NUL in the middle", "note.txt\0.exe".utf8, "note.txt.exe"),
    HostileName("invalid UTF-8", [0x66, 0xFF, 0x2E, 0x74, 0x78, 0x74], "fÿ.txt"),
    HostileName("a slash in overlong UTF-8", [0x2E, 0x2E, 0xC0, 0xAF, 0x78], "À¯x"),
    HostileName("a newline at the end", "note.txt\n".utf8, "note.txt"),
    HostileName("a bidi override", "photo\u{202E}gpj.exe".utf8, "photogpj.exe"),
    HostileName("a hidden file", ".bashrc".utf8, "bashrc"),
    HostileName("our own staging", ".xdnd-0123456789abcdefghij".utf8, "xdnd-0123456789abcdefghij"),
    HostileName("an option", "-rf".utf8, "-rf"),
    HostileName("percent signs", "%2e%2e%2fx".utf8, "%2e%2e%2fx"),
    HostileName("the name of a file", "taken.txt".utf8, "taken 2.txt"),
    HostileName("the name of a directory", "folder".utf8, "folder 2"),
    HostileName("the name of a link to a file outside", "link".utf8, "link 2"),
    HostileName("the name of a link to a directory outside", "linked".utf8, "linked 2"),
    HostileName("the name of a link that leads nowhere", "dangling".utf8, "dangling 2"),
    HostileName("255 bytes", (letters(251) + ".txt").utf8, letters(251) + ".txt"),
    HostileName("256 bytes", (letters(252) + ".txt").utf8, letters(251) + ".txt"),
  ]

  /// Expects that one file was saved, with this content, and nothing else has happened.
  func expect(_ outcome: HostileStage.Outcome, _ content: String, isNamed: Bool = true) {
    #expect(outcome.changes == [])
    #expect(outcome.saved.count == 1)
    let name = outcome.saved.keys.first ?? ""
    if let saved, isNamed {
      #expect(name == saved)
    } else {
      #expect(name.wholeMatch(of: /Clipping [-0-9]+ [.0-9]+(\.bin)?/) != nil, "\(name)")
    }
    #expect(outcome.saved.values.first == content)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.isAccepted == true)
    #expect(outcome.events == ["dropped", "saved", "ended"])
  }
}

/// A source that promises a name and saves as it is told to.
@Suite("Hostile names of what sources save", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct HostileSaveTests {
  @Test(arguments: HostileName.all)
  func `a source saves its file under`(_ name: HostileName) async throws {
    let outcome = try await HostileStage.drop { source, _ in
      source.promise(name.bytes)
      source.save = { Saving.write("saved", to: $0) ? "S" : "E" }
    }
    name.expect(outcome, "saved")
  }

  /// What a source puts into the place is taken over under a name that can be one.
  @Test(arguments: [
    ("\u{1}\u{1B}x", "x"), (".bashrc", "bashrc"), ("...", "y"), ("-rf", "-rf"), ("taken.txt", "taken 2.txt"),
    ("link", "link 2"), ("a\nb", "a b"),
  ])
  func `a source that saves under another name than it promised`(_ name: String, _ saved: String) async throws {
    let outcome = try await HostileStage.drop { source, _ in
      source.promise(Array("y".utf8))
      source.save = { Saving.write("saved", to: Saving.parent(of: $0) + name) ? "S" : "E" }
    }
    #expect(outcome.changes == [])
    #expect(outcome.saved == [saved: "saved"])
    #expect(outcome.exit == .exited(0))
  }

  @Test(arguments: ["E", "X", "", "SS"])
  func `a source that saves, and does not say S, is told that it failed`(_ answer: String) async throws {
    let outcome = try await HostileStage.drop { source, _ in
      source.promise(Array("../../x".utf8))
      source.save = { Saving.write("saved", to: $0) ? answer : nil }
    }
    #expect(outcome.changes == [] && outcome.saved == [:])
    #expect(outcome.exit == .exited(6))
    #expect(outcome.isAccepted == false)
    #expect(outcome.property == [])
    #expect(outcome.events == ["dropped", "failed", "ended"])
  }
}

/// A source that has its data fetched.
@Suite("Hostile names of data", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct HostileDataTests {
  @Test(arguments: HostileName.all)
  func `a source does not save, and its data is fetched as`(_ name: HostileName) async throws {
    let outcome = try await HostileStage.drop { source, _ in
      source.promise(name.bytes)
      source.data = Array("fetched".utf8)
      source.save = { _ in "F" }
    }
    name.expect(outcome, "fetched")
    #expect(outcome.property != [])
  }

  /// The property counts only with the type that is about it.
  @Test(arguments: HostileName.all)
  func `a source offers nothing but data, with the property`(_ name: HostileName) async throws {
    let outcome = try await HostileStage.drop { source, _ in
      source.promise(name.bytes)
      source.offersSave = false
      source.data = Array("fetched".utf8)
    }
    name.expect(outcome, "fetched", isNamed: false)
  }
}
