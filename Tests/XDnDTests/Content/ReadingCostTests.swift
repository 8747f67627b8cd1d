import TestSupport
import Testing

@testable import XDnD
@testable import XDnDToolSupport
@testable import xdnd_probe

/// The work for content of a peer grows with its length, and no faster: a source may send megabytes, and a target reads
/// them in its event loop.
@Suite("The cost of reading what peers send", .computing)
struct ReadingCostTests {
  /// A parser, and pieces of the language that it reads.
  struct Reader: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let start: String
    let pieces: [String]
    let read: @Sendable ([UInt8]) -> Void

    init(_ name: String, from start: String = "", _ pieces: [String], _ read: @escaping @Sendable ([UInt8]) -> Void) {
      testDescription = name
      self.start = start
      self.pieces = pieces
      self.read = read
    }
  }

  /// Content is read at this length, and at ``WorkGrowth/factor`` times the length.
  private static let length = 2048

  @Test(.exhaustive, arguments: Self.readers)
  func `the work grows no faster than the content:`(_ reader: Reader) {
    // All pairs are some thousand. Each piece with its neighbour takes seconds, and finds what is quadratic in one piece.
    for (first, second) in zip(reader.pieces, reader.pieces.dropFirst() + reader.pieces.prefix(1)) {
      let short = Self.content(reader, first, second, Self.length)
      let long = Self.content(reader, first, second, WorkGrowth.factor * Self.length)
      let ratio = WorkGrowth.ratio({ reader.read(short) }, { reader.read(long) })
      if ratio > WorkGrowth.limit {
        Issue.record("\(Int(ratio)) times the work for \(first.debugDescription) and \(second.debugDescription)")
      }
    }
  }

  /// One piece again and again, and then another one. The numbers are multiples of 4, as content that is no whole number
  /// of UTF-16 or UTF-32 units is rejected at once.
  private static func content(_ reader: Reader, _ first: String, _ second: String, _ length: Int) -> [UInt8] {
    var bytes = latin1(reader.start)
    for piece in [latin1(first), latin1(second)] {
      bytes += [[UInt8]](repeating: piece, count: length / 8 / piece.count * 4).joined()
    }
    return bytes
  }

  /// The bytes of a text in which each letter stands for one byte.
  private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

  // MARK: The parsers

  private static let readers: [Reader] = [records, texts, names, pages, lists, copiedFiles, links, files, properties]
    .flatMap(\.self)

  private static let textPieces = [
    "a", " ", "\n", "\r", "\0", "\u{1B}", "\u{1B}%G", "\u{1B}%@", "\u{C3}\u{A9}", "\u{C3}", "\u{FF}", "a\0", "\0a",
    "a\0\0\0",
    "\u{ED}\u{A0}\u{BD}\u{ED}\u{B8}\u{80}", "\u{CC}\u{81}", "\u{9B}",
  ]

  private static let records: [Reader] = [
    "BEGIN:VCARD\n", "BEGIN:VCARD\nN;ENCODING=QUOTED-PRINTABLE", "BEGIN:VCARD\nVERSION:2.1\nFN;X=",
    "BEGIN:VCARD\nEMAIL:",
  ].map { start in
    Reader(
      "a vCard from \(start.debugDescription) on", from: start,
      [
        "BEGIN:VCARD\n", "END:VCARD\n", "FN:a\n", "EMAIL:a@b\n", "EMAIL;PREF=1:a\n", "=\n", "\n ", "\n", ";", ";a=b",
        ":",
        "\"", "\\", "a", "\u{C3}", " ", ".", "=C3", ",", ":=\n",
      ]
    ) { bytes in
      for card in (try? ContactCard.all(decoding: bytes, as: .vCard)) ?? [] { _ = card.text }
      _ = ClippingName.words(of: bytes, as: .vCard)
      _ = DroppedRecord.all(decoding: bytes, as: .vCard)
    }
  }

  private static let texts: [Reader] = [
    "STRING", "text/plain", "UTF8_STRING", "COMPOUND_TEXT", "text/plain;charset=utf-16", "text/unicode",
    "text/plain;charset=utf-32", "text/plain;charset=us-ascii", "text/plain;charset=windows-1252",
  ].map { type in
    Reader("text as \(type)", textPieces) { bytes in
      guard let text = try? PlainText(decoding: bytes, as: ContentType(type)).text else { return }
      _ = ClippingName.words(of: text)
      let content = DecodedContent.text(text)
      _ = (content.sentences, content.preview)
    }
  }

  private static let names: [Reader] = [
    Reader("a colour", from: "rgb(", ["#", "f", "rgb(", ")", ",", " ", "1", ".", "%", "/", "\n"]) { bytes in
      _ = try? Color(decoding: bytes, as: .plainText)
    },
    Reader("the name of a file", ["a", " ", ".", "/", "\0", ".tar", "\u{CC}\u{81}", "\u{C3}", "\u{E2}\u{80}\u{AE}"]) {
      _ = FileName.sanitized($0)
    },
    Reader("the destination of a direct save", from: "file://", uriPieces) {
      _ = DirectSavePlace(property: $0, name: [0x61], hostName: "host")
    },
  ]

  private static let pages: [Reader] = ["", "<a href=\"", "<title>", "<!--", "<p style=\"", "Version:"].map { start in
    Reader(
      "HTML from \(start.debugDescription) on", from: start,
      [
        "<", ">", "<a", "<a href=x>", "</a>", "<!--", "-->", "<title>", "</title", "<script>", "</script>", "<h1>",
        "</h1>",
        "<li>", "<ul>", "<b style='font-weight:bold'>", "&", "&#x", "&#1", "&amp;", ";", ":", "=", "\"", "'", " ", "/",
        "a",
        "a=", "\n", "<pre>", "<td>",
      ]
    ) { bytes in
      guard let page = try? StyledText(decoding: bytes, as: "text/html;charset=utf-8") else { return }
      _ = (page.plainText, ClippingName.words(of: page))
      _ = HTMLRuns(page.html).firstLine
      _ = HTMLFile.read(bytes)
      _ = try? Link.all(decoding: bytes, as: .html)
    }
  }

  private static let uriPieces = [
    "file:///a\r\n", "file:", "/", "%", "%41", "%2F", "#", "\r\n", "\n", "\0", " ", "a", "http://a\n", "\u{C3}",
    "localhost",
  ]

  private static let lists: [Reader] = [
    "text/uri-list", "application/x-kde4-urilist", "text/uri-list;charset=utf-16",
  ].map { type in
    Reader("files as \(type)", uriPieces) { bytes in
      _ = try? FileList(decoding: bytes, as: ContentType(type)).entries(hostName: "host")
    }
  }

  private static let copiedFiles: [Reader] = [
    "x-special/gnome-copied-files", "x-special/mate-copied-files", "application/x-kde-cutselection",
  ].map { type in
    Reader("files as \(type)", from: "copy\n", uriPieces + ["x-special/nautilus-clipboard\n", "cut\n", "1"]) { bytes in
      _ = try? CopiedFiles(decoding: bytes, as: ContentType(type)).files.entries()
    }
  }

  private static let links: [Reader] =
    ["text/x-moz-url", "_NETSCAPE_URL", "text/x-moz-url-data", "text/plain", "text/uri-list"].map { type in
      Reader(
        "links as \(type)", from: "http://a",
        ["http://a\n", "\n", " ", "a", "\0", "a\0", "\n\0", "/", "@", ":", "?", "\u{C3}"]
      ) {
        guard let links = try? Link.all(decoding: $0, as: ContentType(type)) else { return }
        _ = links.first.flatMap { ClippingName.words(of: $0) }
        let content = DecodedContent.links(links)
        _ = (content.sentences, content.preview)
      }
    }

  private static let files: [Reader] =
    [
      ("a desktop entry", "[Desktop Entry]\nType=Link\nURL=a", "dropped.desktop"),
      ("an internet shortcut", "[InternetShortcut]\nURL=a", "dropped.url"),
      ("a palette", "GIMP Palette\n", "dropped.gpl"),
      ("a page", "<!DOCTYPE html><meta charset=\"utf-8\"><meta name=\"xdnd-plain-text\" content=\"", "dropped.html"),
    ].map { name, start, file in
      Reader(
        name, from: start,
        [
          "[", "]", "[a]\n", "=", "a=b\n", "URL[$e]=a\n", "$", "\\", "\\s", "\n", "\r", " ", "#", ";", "1 2 3\n", "a",
          "\u{C3}", "\"",
        ]
      ) { _ = ClippingContent(fileName: Array(file.utf8), bytes: $0, database: .builtIn) }
    }

  private static let properties: [Reader] = [
    Reader(
      "the name of a type", from: "text/plain",
      [";", ";a=b", "=", "\"", "\\", " ", "A", "/", "charset=", "*", "\u{C3}"]
    ) { bytes in
      let type = ContentType(String(decoding: bytes, as: UTF8.self))
      _ = Negotiation(wanted: ["*/*", "image/*", .plainText, "text/plain;a=b"], offered: [type]).candidates
      _ = TextEncoding(impliedBy: type)
    },
    Reader("the names of an offer", ["a/a\0", "A/B;b=c\0", "text/plain\0", "X\0", "image/png;a\0", "\0"]) { bytes in
      let types = bytes.split(separator: 0).map { ContentType(String(decoding: $0, as: UTF8.self)) }
      _ = Negotiation(wanted: ["*/*", "image/*", .plainText], offered: types).candidates
    },
    Reader(
      "the settings of a desktop", from: "\0\0\0\0\0\0\0\0\u{FF}\u{FF}\u{FF}\0",
      ["\0", "\0\0\u{4}\0name\0\0\0\0\0\0\0\0", "\u{1}", "a"]
    ) {
      _ = XSettings(bytes: $0)
    },
    Reader("the descriptions of operations", ["a", "\0", "a\0", "\u{C3}"]) { _ = SourceOffer.strings(in: $0) },
    Reader("the class of a window", ["a", "\0", "a\0", "\u{C3}"]) { _ = WindowClass.program(in: $0) },
  ]
}
