import Foundation
import Glibc
import TestSupport
import Testing

@testable import XDnD

/// Lists of more entries than a person drags, dropped on `xdnd-probe` while another drag is over its window.
@Suite("Long lists", .serialized, .requiresXvfb, .timeLimit(.minutes(4)))
struct LongListTests {
  /// How many entries of a list are read, as documented.
  private static let limit = 100_000
  private static let million = 1_000_000
  /// A window that answers later stands still. Much more than the tool allows itself, for debug builds and busy machines; to
  /// read the list at once takes those minutes.
  private static let patience = Duration.seconds(10)
  /// How often a hand that moves asks, in milliseconds.
  private static let handInterval: Int32 = 50

  /// What has come of a drop.
  private struct Outcome: Sendable {
    let isAccepted: Bool
    /// How long the other drag has waited for an answer at most.
    let longestAnswer: Duration
    /// Everything that the probe has printed, by event.
    private let lines: [String: [Substring]]

    init(isAccepted: Bool, longestAnswer: Duration, output: [UInt8]) {
      self.isAccepted = isAccepted
      self.longestAnswer = longestAnswer
      lines = Dictionary(grouping: String(decoding: output, as: UTF8.self).split(separator: "\n")) {
        JSONLine.event(of: $0) ?? ""
      }
    }

    func lines(_ event: String) -> [Substring] { lines[event, default: []] }
  }

  /// What a line lists. A line of a thousand files is read at once this way, and not with a value for each word.
  private struct Listing: Decodable {
    struct File: Decodable { let uri: String }

    let files: [File]
    let more: Bool?

    init(_ line: Substring) throws { self = try JSONDecoder().decode(Self.self, from: Data(line.utf8)) }
  }

  /// Drops a list of so many entries.
  private func drop(_ count: Int, _ entry: String, _ arguments: [String]) async throws -> Outcome {
    try await XServer.with { server in
      let probe = try server.launch(
        "/bin/sh",
        // What is printed is not looked at; where nothing is, reports are there.
        [
          "-c",
          arguments.contains { $0.hasPrefix("--print") } ? #"exec "$0" "$@" 2>&1 >/dev/null"# : #"exec "$0" "$@""#,
          BuiltProducts.executable("xdnd-probe"), "--json", "--geometry",
        ]
          + ["300x300+100+100"] + arguments)
      let window = WindowID(rawValue: UInt32(try #require(try await probe.waitFor("ready").integer("window"))))
      let name = server.displayName
      let (isAccepted, longest) = try await onOwnThread { try Self.drag(count, entry, to: window, on: name) }
      probe.send(SIGTERM)
      _ = try await probe.exit()
      return Outcome(isAccepted: isAccepted, longestAnswer: longest, output: probe.output.bytes)
    }
  }

  /// Drops from one client, and asks from another as fast as it is answered, until the drop is over.
  private static func drag(
    _ count: Int, _ entry: String, to window: WindowID, on display: String
  ) throws -> (isAccepted: Bool, longestAnswer: Duration) {
    let connections = try (0..<2).map { _ in try XlibConnection(connectingTo: display) }
    let sources = connections.map { SavingSource($0, window: $0.dragWindow, target: window) }
    guard connections[0].own(.xdndSelection, at: connections[0].serverTime()) else {
      throw HarnessError("no selection")
    }
    let list = [AtomName("text/uri-list"): Array(String(repeating: entry + "\r\n", count: count).utf8)]
    for source in sources {
      source.offersSave = false
      source.contents = list
    }
    let deadline = ContinuousClock.now + .seconds(200)
    func take(while condition: () -> Bool) throws {
      for source in sources { source.takeEvents() }
      while condition() {
        guard .now < deadline else { throw HarnessError("the drop does not end") }
        var descriptors = connections.map { pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0) }
        poll(&descriptors, 2, 100)
        for source in sources { source.takeEvents() }
      }
    }
    sources[0].enter()
    sources[0].position(at: Point(x: 200, y: 200))
    try take { sources[0].statuses.isEmpty }
    sources[0].drop()
    // The server serves clients in any order. After a round trip of the first one, the drop has been sent.
    _ = connections[0].serverTime()
    sources[1].enter()
    var longest = Duration.zero
    while sources[0].finished.isEmpty {
      let (asked, answers) = (ContinuousClock.now, sources[1].statuses.count)
      sources[1].position(at: Point(x: 200, y: 200))
      try take { sources[1].statuses.count == answers }
      longest = max(longest, .now - asked)
      var descriptor = pollfd(fd: connections[0].fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, handInterval)
      sources[0].takeEvents()
    }
    return (sources[0].finished.first?.result == .accepted(.copy), longest)
  }

  @Test func `a million entries hold up nothing, and are read as far as is documented`() async throws {
    let outcome = try await drop(Self.million, "file:///x", [])
    #expect(outcome.isAccepted)
    #expect(outcome.longestAnswer < Self.patience)
    let data = try outcome.lines("data").map { try Listing($0) }
    #expect(data.count == 1)
    #expect(data.first?.more == true)
    let others = try outcome.lines("files").map { try Listing($0) }
    #expect((data + others).reduce(0) { $0 + $1.files.count } == Self.limit)
  }

  @Test(arguments: [["--print0"], ["--print", "shell"]])
  func `a million entries are printed as far as is documented, and hold up nothing`(
    _ arguments: [String]
  ) async throws {
    let outcome = try await drop(Self.million, "file:///x", arguments)
    #expect(outcome.isAccepted)
    #expect(outcome.longestAnswer < Self.patience)
    let printed = try #require(outcome.lines("printed").first.flatMap { JSONLine(String($0)) })
    #expect(printed.integer("entries") == Self.limit)
  }

  @Test func `a million entries that are no files are counted and not listed`() async throws {
    let outcome = try await drop(Self.million, "-rf", ["--print0"])
    #expect(!outcome.isAccepted)
    #expect(outcome.longestAnswer < Self.patience)
    let leftOut = try #require(outcome.lines("left-out").first.flatMap { JSONLine(String($0)) })
    #expect(leftOut.integer("count") == Self.limit)
    #expect(leftOut.objects("entries")?.count == 100)
    #expect(outcome.lines("failed").count == 1)
  }

  @Test func `a million files that are not there are not saved, and hold up nothing`() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await drop(Self.million, "file:///x", ["--save", directory.path])
    #expect(!outcome.isAccepted)
    #expect(outcome.longestAnswer < Self.patience)
    // One line tells of all beyond the limit.
    #expect(outcome.lines("not-saved").count == Self.limit + 1)
  }

  @Test func `a list that is longer than what is held in memory is not printed, and that is said`() async throws {
    try await XServer.with { server in
      let list = try server.directory.write(
        Array(String(repeating: "file:///etc/hostname\r\n", count: 1_000_000).utf8), to: "list")
      let run = try await ProbeRun.set(
        on: server, source: ["--once", "--exact", "--type", "text/uri-list=@\(list)"], probe: ["--once", "--print0"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit(timeout: .seconds(60)) == .exited(6))
      #expect(run.output == [])
      #expect(run.probe.printed("failed").first?.string("reason")?.contains("16.0 MiB") == true)
    }
  }
}
