import TestSupport
import Testing
import XDnD
import XDnDToolWindow

@testable import XDnDToolSupport

@Suite("Content in words for the user")
struct ContentWordsTests {
  @Test(arguments: [
    ("text/plain;charset=utf-8", "Text"), ("UTF8_STRING", "Text"), ("STRING", "Text"), ("text/plain", "Text"),
    ("text/html", "HTML"), ("text/html;charset=utf-16", "HTML"), ("application/xhtml+xml", "HTML"),
    ("image/png", "PNG image"), ("image/svg+xml", "SVG image"), ("image/x-tga", "TGA image"),
    ("image/x-portable-pixmap", "Image"), ("image/vnd.microsoft.icon", "Image"), ("image/*", "Image"),
    ("audio/mpeg", "MPEG audio"), ("video/mp4", "MP4 video"), ("text/css", "CSS text"),
    ("text/x-script.python", "Text"), ("application/x-color", "Color"), ("_NETSCAPE_URL", "Link"),
    ("application/pdf", "PDF document"),
    ("text/vcard", "Contact card"), ("message/rfc822", "Mail message"), ("application/octet-stream", "Binary data"),
    ("text/uri-list", "List of files"),
  ])
  func `a type has a name that says what it is`(type: String, name: String) {
    #expect(ContentWords.name(of: ContentType(type)) == name)
  }

  @Test func `an unknown type keeps its name, escaped`() {
    #expect(ContentWords.name(of: "application/x-thing") == "application/x-thing")
    #expect(ContentWords.name(of: "X_THING") == "X_THING")
    #expect(ContentWords.name(of: "a/\u{1B}b") == #"a/\u{1B}b"#)
  }

  @Test func `a text is as long as it looks`() {
    #expect(ContentWords.length(of: "") == "0 characters")
    #expect(ContentWords.length(of: "x") == "1 character")
    #expect(ContentWords.length(of: "e\u{301}👩‍👩‍👧 한") == "4 characters")
    #expect(ContentWords.length(of: String(repeating: "x", count: 12_345)) == "12,345 characters")
    #expect(ContentWords.length(of: String(repeating: "x", count: 1 << 20)) == "1.0 MiB")
  }

  @Test func `a folder is called one, whatever is in it`() {
    #expect(ContentWords.folder(of: 0) == "folder")
    #expect(ContentWords.folder(of: 12 << 20) == "folder of 12.0 MiB")
  }

  @Test func `an image has a size in pixels`() {
    let png = PNG.encode(width: 40, height: 30, rgb: [UInt8](repeating: 0, count: 40 * 30 * 3))
    #expect(ContentWords.size(ofImage: png) == "40 × 30")
    #expect(ContentWords.size(ofImage: Array("no image".utf8)) == nil)
  }

  /// A JPEG file up to its frame header: an application segment, a table, a fill byte, and the frame.
  private static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xFF, 0xC2, 0, 17, 8, 0x01, 0x2C, 0x01, 0x90, 3]
  private static let gif: [UInt8] = Array("GIF89a".utf8) + [0x2C, 0x01, 0x02, 0x00, 0, 0, 0]

  @Test func `JPEG and GIF files have headers, too`() {
    #expect(ImageHeader(Self.jpeg)?.size == PixelSize(width: 400, height: 300))
    #expect(ImageHeader(Self.gif)?.size == PixelSize(width: 300, height: 2))
  }

  @Test func `a header that is cut off anywhere has no size`() {
    let png = PNG.encode(width: 1, height: 1, rgb: [0, 0, 0])
    let ends = [(png, 24), (Self.gif, 10), (Self.jpeg, 23)]
    for (file, end) in ends {
      for count in 0..<end { #expect(ImageHeader(Array(file.prefix(count))) == nil, "\(count) bytes") }
      #expect(ImageHeader(Array(file.prefix(end))) != nil)
    }
  }

  @Test func `an image without pixels has no size`() {
    #expect(ImageHeader(Array("GIF89a".utf8) + [0, 0, 1, 0, 0, 0, 0]) == nil)
  }
}
