import TestSupport
import Testing
import XDnD

@testable import xdnd_probe

@Suite("What xdnd-probe decodes", .computing)
struct DecodedContentTests {
  @Test(arguments: [
    ContentType.calendarEvent, "text/calendar;charset=utf-8; method=REQUEST", "text/x-vcalendar", "application/ics",
    .emailMessage,
  ])
  func `calendars and mail messages are the text that they are`(_ type: ContentType) {
    let text = "BEGIN:VCALENDAR\nSUMMARY:Frühstück\nEND:VCALENDAR\n"
    #expect(DecodedContent.canRead(type))
    #expect(DecodedContent.decode(Array(text.utf8), requested: type, type: type)?.text == text)
  }

  @Test(arguments: [ContentType.png, .data, "text/csv", "FOO"])
  func `other documents and X targets are not decoded`(_ type: ContentType) {
    #expect(!DecodedContent.canRead(type))
    #expect(DecodedContent.decode(Array("a;b".utf8), requested: type, type: type)?.text == nil)
  }
}
