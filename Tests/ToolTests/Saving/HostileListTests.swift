import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Lists of URIs, pages and links whose entries are not what one would want to have.
@Suite("Hostile lists and clippings", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct HostileListTests {
  /// A list of which nothing can be saved.
  struct List: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// With `ROOT` for the directory around the one that is saved in.
    let text: String
    var exit: Int32 = 6
  }

  static let useless: [List] = [
    List(testDescription: "an escaped NUL", text: "file:///etc/passwd%00", exit: 1),
    List(testDescription: "an escaped slash", text: "file:///etc%2Fpasswd", exit: 1),
    List(testDescription: "a name alone", text: "canary", exit: 1),
    List(testDescription: "a way up", text: "../canary", exit: 1),
    List(testDescription: "a relative URI", text: "file:canary", exit: 1),
    List(testDescription: "a path", text: "ROOT/canary", exit: 1),
    List(testDescription: "a URI of another host", text: "file://elsewhere.example/etc/passwd", exit: 1),
    // No list at all, and not one without files: the transfer has failed.
    List(testDescription: "nothing", text: ""),
    List(testDescription: "comments", text: "# file://ROOT/canary\r\n#\r\n", exit: 1),
    List(testDescription: "NUL bytes", text: "\0\0\0", exit: 1),
    List(testDescription: "a way up from the root", text: "file:///../../x-that-is-not-there"),
    List(testDescription: "the root", text: "file:///"),
    List(testDescription: "something with two dots at the end", text: "file://ROOT/directory/.."),
    List(testDescription: "something with a dot at the end", text: "file://ROOT/directory/."),
    List(testDescription: "the memory of a process", text: "file:///proc/self/mem"),
    List(testDescription: "a device", text: "file:///dev/zero"),
    List(testDescription: "the directory itself", text: "file://ROOT/directory"),
    List(testDescription: "the directory around it", text: "file://ROOT"),
    List(testDescription: "a name that is too long", text: "file:///" + String(repeating: "a", count: 70_000)),
    List(testDescription: "a very deep path", text: "file://" + String(repeating: "/a", count: 50_000)),
  ]

  private static let list = AtomName("text/uri-list")

  /// Drops a list for one of the operations.
  private func drop(
    _ text: String, as operation: DragOperation = .copy, _ arguments: [String] = ["--existing", "keep-both"]
  ) async throws -> HostileStage.Outcome {
    try await HostileStage.drop(arguments) { source, stage in
      source.offersSave = false
      source.operation = operation
      source.contents = [Self.list: Array(text.replacing("ROOT", with: stage.root.path).utf8)]
    }
  }

  @Test(arguments: useless, [DragOperation.copy, .move])
  func `nothing is saved of a list with`(_ list: List, _ operation: DragOperation) async throws {
    let outcome = try await drop(list.text, as: operation)
    #expect(outcome.changes == [])
    #expect(outcome.saved == [:])
    #expect(outcome.exit == .exited(list.exit))
    #expect(outcome.isAccepted == false)
    #expect(outcome.events.first == "dropped" && outcome.events.suffix(2) == ["failed", "ended"])
  }

  /// Moving it is another matter: then it has a new name, and nobody reads it.
  @Test func `a pipe is not copied, for that would never end`() async throws {
    let outcome = try await drop("file://ROOT/pipe")
    #expect(outcome.changes == [] && outcome.saved == [:])
    #expect(outcome.exit == .exited(6) && outcome.isAccepted == false)
  }

  @Test func `a file of the directory is copied beside itself, and not moved`() async throws {
    let copied = try await drop("file://ROOT/directory/taken.txt")
    #expect(copied.saved == ["taken 2.txt": "untouched directory/taken.txt"] && copied.changes == [])
    let moved = try await drop("file://ROOT/directory/taken.txt", as: .move)
    #expect(moved.saved == [:] && moved.changes == [])
    // Whoever moves may delete what he has: so he must not hear that it is somewhere else now.
    #expect(moved.events == ["dropped", "not-saved", "ended"])
  }

  @Test func `a link is copied as a link, and what it leads to is not touched`() async throws {
    let outcome = try await drop("file://ROOT/directory/linked\r\nfile://ROOT/directory/dangling\r\n")
    #expect(outcome.saved == ["linked 2": "../outside", "dangling 2": "../outside/new"])
    #expect(outcome.changes == [])
  }

  @Test func `what is on this machine is saved, and of the rest it is said that it is not`() async throws {
    let outcome = try await drop(
      """
      file://ROOT/canary\r
      https://example.org/\r
      file://elsewhere.example/x\r
      file:///etc/passwd%00\r
      file://ROOT/not-there\r

      """)
    #expect(outcome.saved == ["canary": "untouched canary"])
    #expect(outcome.changes == [])
    #expect(outcome.events == ["dropped", "saved"] + Array(repeating: "not-saved", count: 4) + ["ended"])
    #expect(outcome.exit == .exited(0))
  }

  @Test func `a list of a hundred thousand files comes to its end`() async throws {
    let outcome = try await drop(String(repeating: "file:///nowhere/x\r\n", count: 99_999) + "file://ROOT/canary\r\n")
    #expect(outcome.saved == ["canary": "untouched canary"])
    #expect(outcome.changes == [])
    #expect(outcome.events.filter { $0 == "not-saved" }.count == 99_999)
    #expect(outcome.exit == .exited(0))
  }

  @Test func `a hundred thousand links are a list, and not as many files`() async throws {
    let outcome = try await drop(String(repeating: "https://example.org/\r\n", count: 100_000))
    #expect(outcome.changes == [])
    #expect(outcome.saved.count == 1)
    #expect(outcome.saved.values.first?.split(separator: "\n").count == 100_000)
    #expect(outcome.exit == .exited(0))
  }

  // MARK: Clippings

  struct Content: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let type: String
    let text: String
    /// `nil` if it has to be named by the time.
    let saved: String?
  }

  static let contents: [Content] = [
    Content(
      testDescription: "a title with a way up", type: "text/html", text: "<title>../../x</title>", saved: "x.html"),
    Content(
      testDescription: "a title that is a path", type: "text/html", text: "<title>/etc/passwd</title>",
      saved: "etc passwd.html"),
    Content(
      testDescription: "a title with escapes", type: "text/html", text: "<title>&#46;&#46;&#47;x&#0;&#10;y</title>",
      saved: "x y.html"),
    Content(
      testDescription: "a title without an end", type: "text/html",
      text: "<title>" + String(repeating: "a/", count: 100_000), saved: nil),
    Content(testDescription: "a page of nothing", type: "text/html", text: "<", saved: nil),
    Content(
      testDescription: "a link with slashes and newlines", type: "_NETSCAPE_URL",
      text: "https://x.example/\n../a/\u{1}b", saved: "a b.desktop"),
    Content(
      testDescription: "a link that would be a program", type: "_NETSCAPE_URL",
      text: "https://x.example/\nx\\nType=Application\\nExec=xeyes", saved: nil),
    Content(testDescription: "spaces", type: "text/plain;charset=utf-8", text: " \t\n \u{3000}\n", saved: nil),
    Content(testDescription: "nothing", type: "text/plain;charset=utf-8", text: "", saved: nil),
    Content(testDescription: "text that is a path", type: "text/plain;charset=utf-8", text: "../../x", saved: "x.txt"),
    Content(testDescription: "text that hides", type: "text/plain;charset=utf-8", text: ".bashrc", saved: "bashrc.txt"),
    Content(
      testDescription: "text that is turned round", type: "text/plain;charset=utf-8", text: "photo\u{202E}gpj.exe",
      saved: "photogpj.exe.txt"),
    Content(
      testDescription: "the name of a file", type: "text/plain;charset=utf-8", text: "taken", saved: "taken 2.txt"),
    Content(testDescription: "a type with slashes", type: "text/../../x", text: "x", saved: nil),
    Content(testDescription: "a type with a way up", type: "../..", text: "x", saved: nil),
  ]

  @Test(arguments: contents)
  func `content becomes one file in the directory:`(_ content: Content) async throws {
    let outcome = try await HostileStage.drop { source, _ in
      source.offersSave = false
      source.contents = [AtomName(content.type): Array(content.text.utf8)]
    }
    #expect(outcome.changes == [])
    #expect(outcome.saved.count == 1)
    let name = outcome.saved.keys.first ?? ""
    if let saved = content.saved { #expect(name == saved) }
    #expect(!name.contains("/") && !name.hasPrefix("."))
    #expect(outcome.saved.values.first?.contains("\nType=Application") != true)
    #expect(outcome.exit == .exited(0))
    #expect(outcome.isAccepted == true)
    #expect(outcome.events == ["dropped", "saved", "ended"])
  }
}
