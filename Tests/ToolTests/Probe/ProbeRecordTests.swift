import Foundation
import TestSupport
import Testing

@testable import XDnD

/// What `xdnd-probe` makes of contacts, calendars and mail messages.
@Suite("Contacts and other records on xdnd-probe", .serialized, .requiresXvfb, .timeLimit(.minutes(2)))
struct ProbeRecordTests {
  private static let card = "BEGIN:VCARD\nVERSION:4.0\nFN:Ada Lovelace\nEMAIL:ada@example.org\nEND:VCARD\n"
  private static let source = ["--type", "text/vcard=\(card)"]

  @Test func `the row has the name, and the preview the rest`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: Self.source + ["--timeout", "60"])
      try await scene.carryUntilAccepted()
      let data = try await scene.drop().data
      #expect(data.string("type") == "text/vcard")
      let read = try #require(data.objects("records"))
      #expect(read.map { $0.string("title") } == ["Ada Lovelace"])
      #expect(read.first?.strings("facts")?.contains("Mail: ada@example.org") == true)
      #expect(try DocumentedFields().unknown(in: data) == [])
      let rows = try #require(try await scene.target.waitFor("draggable").objects("rows"))
      #expect(rows.map { $0.string("title") } == ["Ada Lovelace"])
      let window = try #require(scene.target.printed("ready").first?.integer("window"))
      try scene.type("Up", into: window)
      #expect(try await scene.target.waitFor("preview").string("kind") == "text")
    }
  }

  @Test func `the row of a document has the name of its type, and the preview its text`() async throws {
    try await XServer.with { server in
      let scene = try await DragScene.tools(
        on: server, source: ["--type", #"application/json={"a": 1}"#, "--timeout", "60"])
      try await scene.carryUntilAccepted()
      let data = try await scene.drop().data
      #expect(data.string("text") == #"{"a": 1}"#)
      let rows = try #require(try await scene.target.waitFor("draggable").objects("rows"))
      #expect(rows.map { $0.string("title") } == ["JSON data"])
      let window = try #require(scene.target.printed("ready").first?.integer("window"))
      try scene.type("Up", into: window)
      #expect(try await scene.target.waitFor("preview").string("kind") == "text")
    }
  }

  @Test(arguments: ["clipping", "direct-save"])
  func `it is saved unchanged, under its name:`(_ how: String) async throws {
    try await XServer.with { server in
      let directory = server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      let accepted = how == "clipping" ? ["--accept", "text/vcard"] : []
      let scene = try await DragScene.tools(
        on: server, source: Self.source + ["--once"], probe: ["--once", "--save", directory] + accepted)
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      let saved = try await scene.target.waitFor("saved")
      #expect(saved.string("how") == how)
      #expect(saved.string("path") == "\(directory)/Ada Lovelace.vcf")
      #expect(try await scene.target.exit() == .exited(0))
      #expect(FileManager.default.contents(atPath: "\(directory)/Ada Lovelace.vcf") == Data(Self.card.utf8))
    }
  }

  @Test func `of a contact that is printed, the name and the address come`() async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: Self.source, probe: ["--print", "text", "--once"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == "Ada Lovelace <ada@example.org>\n")
    }
  }

  @Test func `a contact whose name commands terminals and leads elsewhere is shown and saved without that`()
    async throws
  {
    try await XServer.with { server in
      let directory = server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      let content = "BEGIN:VCARD\nFN:\u{1B}]0;x\u{7}Mal\u{202E}lory/../../etc\\n\u{9B}2J\nEND:VCARD\n"
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "text/vcard=\(content)", "--once"],
        probe: ["--once", "--save", directory, "--accept", "text/vcard"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      #expect(try await scene.target.exit() == .exited(0))
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(names == ["]0;xMallory .. .. etc 2J.vcf"])
      #expect(!scene.target.output.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{7}" })
    }
  }

  @Test(arguments: [
    ("text/calendar", "BEGIN:VCALENDAR\nSUMMARY:Lunch\nEND:VCALENDAR\n"),
    ("message/rfc822", "Subject: Lunch\n\nAt noon.\n"),
  ])
  func `a calendar or a mail message is printed as the text that it is:`(
    _ type: String, _ text: String
  ) async throws {
    try await XServer.with { server in
      let run = try await ProbeRun.set(
        on: server, source: ["--type", "\(type)=\(text)"], probe: ["--print", "text", "--once"])
      try await run.dragAndDrop()
      #expect(try await run.probe.exit() == .exited(0))
      #expect(run.text == text)
    }
  }

  @Test func `a calendar is saved unchanged, as what it is`() async throws {
    try await XServer.with { server in
      let directory = server.directory("saved")
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
      let calendar = "BEGIN:VCALENDAR\r\nSUMMARY:Lunch\r\nEND:VCALENDAR\r\n"
      let scene = try await DragScene.tools(
        on: server, source: ["--type", "text/calendar=\(calendar)", "--once"],
        probe: ["--once", "--save", directory, "--accept", "text/calendar"])
      try await scene.carryUntilAccepted()
      scene.pointer.release()
      let path = try #require(try await scene.target.waitFor("saved").string("path"))
      #expect(path.hasSuffix(".ics"))
      #expect(try await scene.target.exit() == .exited(0))
      #expect(FileManager.default.contents(atPath: path) == Data(calendar.utf8))
    }
  }
}
