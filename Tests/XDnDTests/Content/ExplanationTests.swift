import Testing

@testable import XDnD

@Suite struct ExplanationTests {
  @Test func `who wants text learns what becomes of what Chromium offers`() {
    let offered: [ContentType] = [
      .mozURL, "UTF8_STRING", "STRING", "TEXT", "text/plain", .directSave, .data, "chromium/x-renderer-taint", .html,
    ]
    let expected = """
      text/x-moz-url: not taken, because no accepted type covers it
      UTF8_STRING: taken, another name for text/plain;charset=utf-8
      STRING: fourth choice, another name for text/plain;charset=utf-8; letters beyond Latin-1 are lost or garbled
      TEXT: third choice, another name for text/plain;charset=utf-8; in an encoding that the source chooses
      text/plain: second choice, another name for text/plain;charset=utf-8; in an encoding that has to be guessed
      XdndDirectSave0: not taken, the key to direct save: the source writes the file where the target says
      application/octet-stream: not taken, because no accepted type covers it
      chromium/x-renderer-taint: not taken, no content: says that the content comes from a page
      text/html: fifth choice, a special case of text/plain
      """
    #expect(Negotiation(wanted: [.plainText], offered: offered).description == expected)
  }

  @Test func `what is wanted in vain comes last, and what serves a better wish does not`() {
    let negotiation = Negotiation(wanted: [.pdf, .png, "image/*", .html], offered: [.png, "image/bmp", "text/x-log"])
    let expected = """
      image/png: taken, because it is accepted
      image/bmp: second choice, because image/* covers it
      text/x-log: not taken, because no accepted type covers it
      application/pdf: not offered, and neither is a substitute
      text/html: not offered, and neither is a substitute
      """
    #expect(negotiation.description == expected)
    let single = Negotiation(wanted: [.png, "image/*"], offered: [.png]).explain()
    #expect(single.map(\.verdict) == [.taken])
  }

  @Test func `keys to other protocols and companions are named as such`() {
    let offered: [ContentType] = [
      "application/vnd.portal.filetransfer", "application/x-kde-ark-dndextract-path", "application/x-kde-cutselection",
      "text/x-moz-url-desc", "TARGETS", "image/pjpeg", "image/pjpeg", "text/html;charset=utf-16",
    ]
    let expected = """
      application/vnd.portal.filetransfer: not taken, a key to files in a sandbox; needs the document portal (D-Bus), \
      which is not spoken here
      application/x-kde-ark-dndextract-path: not taken, an address on D-Bus, where the archiver waits to extract; \
      D-Bus is not spoken here
      application/x-kde-cutselection: not taken, because it only tells whether the URIs beside it were cut
      text/x-moz-url-desc: not taken, because it only tells the title of the text/x-moz-url beside it
      TARGETS: not taken, no content: asks which types there are
      image/pjpeg: taken, another name for image/jpeg in the type database
      image/pjpeg: not taken, because it is listed twice
      text/html;charset=utf-16: second choice, a form of text/html
      """
    #expect(Negotiation(wanted: [.jpeg, .html], offered: offered).description == expected)
  }

  @Test func `places have words up to ten`() {
    let offered = (1...12).map { ContentType("image/x-\($0)") }
    let lines = Negotiation(wanted: ["image/*"], offered: offered).explain().map(\.description)
    #expect(lines[9] == "image/x-10: tenth choice, because image/* covers it")
    #expect(lines[11] == "image/x-12: choice 12, because image/* covers it")
  }
}
