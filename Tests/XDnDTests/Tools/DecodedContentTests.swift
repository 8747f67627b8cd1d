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
}
