import TestSupport
import Testing
import XDnD
import XDnDToolSupport

@testable import xdnd_probe

@Suite("What xdnd-probe decodes", .computing)
struct DecodedContentTests {
  @Test(arguments: [
    ContentType.calendarEvent, "text/calendar;charset=utf-8; method=REQUEST", "text/x-vcalendar", "application/ics",
    .emailMessage, "text/csv", "text/markdown", .json, .xml, "application/javascript", "application/x-yaml",
  ])
  func `documents of text are the text that they are`(_ type: ContentType) {
    let text = "BEGIN:VCALENDAR\nSUMMARY:Frühstück\nEND:VCALENDAR\n"
    #expect(DecodedContent.canRead(type))
    #expect(DecodedContent.decode(Array(text.utf8), requested: type, type: type)?.text == text)
  }

  @Test func `the encoding of a document is its charset, or else UTF-8, or else Latin-1`() {
    let latin: [UInt8] = [0x47, 0x72, 0xFC, 0xDF, 0x65]
    for (bytes, type) in [
      (latin, "text/csv;charset=iso-8859-1"), (Array("Grüße".utf8), "application/json"), (latin, "text/csv"),
    ] as [([UInt8], ContentType)] {
      #expect(DecodedContent.decode(bytes, requested: type, type: type)?.text == "Grüße", "\(type)")
    }
  }

  @Test(arguments: ["text/csv", "application/json", ContentType.emailMessage])
  func `bytes that are no text stay bytes, whatever their type says`(_ type: ContentType) {
    let compressed: [UInt8] = [0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x4B]
    #expect(DecodedContent.decode(compressed, requested: type, type: type)?.text == nil)
  }

  @Test(arguments: [ContentType.png, .data, .rtf, .svg, "FOO"])
  func `other documents and X targets are not decoded`(_ type: ContentType) {
    #expect(!DecodedContent.canRead(type))
    #expect(DecodedContent.decode(Array("a;b".utf8), requested: type, type: type)?.text == nil)
  }

  @Test func `what the user has cancelled has not failed`() {
    #expect(Report.failure(.cancelledByUser).sentence == "Cancelled by the user.")
    #expect(Report.failure(DropFailure("the disk is full")).sentence == "Failed: the disk is full.")
  }

  @Test func `content of any type is held only if it is to be dragged on`() {
    let part = [UInt8](repeating: 0, count: 1000)
    for (type, isHeld, count) in [("a/b", false, nil), ("a/b", true, 1000), ("text/plain", false, 1000)]
      as [(ContentType, Bool, Int?)]
    {
      let received = ReceivedContent(type, isHeld: isHeld)
      part.withUnsafeBytes { received.take($0) }
      #expect(received.bytes?.count == count)
      #expect(received.count == 1000)
    }
  }

  @Test func `a text is summed up by its first line that is not blank, and reported by its beginning`() {
    #expect(DecodedContent.text("\n \u{2028}\n  a b\r\nc").preview == "  a b")
    #expect(DecodedContent.text("a\u{85}b").preview == "a")
    #expect(DecodedContent.text(" \n\t\r\n").preview == nil)
    #expect(DecodedContent.text("").preview == nil)
    let long = String(repeating: "é", count: 200)
    #expect(DecodedContent.text(long).preview == String(repeating: "é", count: 160))
    #expect(DecodedContent.text(long).sentences == ["  " + String(repeating: "é", count: 160) + "…"])
    #expect(DecodedContent.text("short").sentences == ["  short"])
  }
}
