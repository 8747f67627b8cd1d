import TestSupport
import Testing

@testable import XDnD

@Suite("What holds for all texts", .computing, .exhaustive)
struct TextPropertyTests {
  /// Types that can hold every text.
  private static let universal: [ContentType] = [
    .plainText, "UTF8_STRING", "text/plain", "TEXT", .html, "text/unicode", "text/x-moz-url", "_NETSCAPE_URL",
    "text/plain;charset=utf-16", "text/plain;charset=utf-16le", "text/plain;charset=utf-16be",
    "text/plain;charset=utf-32",
  ]
  private static let narrow: [ContentType] = [
    "STRING", "COMPOUND_TEXT", "text/plain;charset=us-ascii", "text/plain;charset=iso-8859-1",
    "text/plain;charset=windows-1252", "text/plain;charset=koi8-r",
  ]

  @Test(arguments: 0..<4)
  func `what is written is read back, or not written`(part: Int) {
    var random = SplitMix64(seed: UInt64(100 + part))
    let types = Self.universal + Self.narrow
    var refused = 0
    for number in 0..<CodecEffort.text / 4 {
      let type = types[number % types.count]
      let text = random.awkwardText(below: 6)
      guard let bytes = TextCodec.encode(text, as: type) else {
        refused += 1
        if number % types.count < Self.universal.count { Issue.record("\(type) refuses \(text.debugDescription)") }
        continue
      }
      let copy = try? TextCodec.decode(bytes, as: type).text
      if copy?.utf8.elementsEqual(text.utf8) != true { Issue.record("\(type): \(text.debugDescription), \(bytes)") }
    }
    #expect(refused > 0)
  }

  @Test(arguments: 0..<2)
  func `no bytes trap, and the reader drops none of them silently`(part: Int) {
    var random = SplitMix64(seed: UInt64(200 + part))
    let types = Self.universal + Self.narrow
    for number in 0..<CodecEffort.textBytes / 2 {
      let type = types[number % types.count]
      let bytes = random.awkwardBytes(below: 12)
      guard let decoded = try? TextCodec.decode(bytes, as: type) else { continue }
      // Written in the encoding that was found, it is as long as it was, but for a mark and a NUL.
      guard let copy = decoded.encoding.bytes(of: decoded.text) else { continue }
      if copy.count + 4 + decoded.encoding.unitSize < bytes.count, !bytes.contains(0xED), !bytes.contains(0xC0) {
        Issue.record("\(type): \(bytes) became \(decoded)")
      }
    }
  }
}

@Suite("What holds for all URIs", .computing, .exhaustive)
struct URIPropertyTests {
  @Test(arguments: 0..<2)
  func `any path comes back through a list`(part: Int) {
    var random = SplitMix64(seed: UInt64(300 + part))
    for _ in 0..<CodecEffort.paths / 10 {
      let paths = (0..<5).map { _ in
        [0x2F] + random.awkwardBytes(below: 10).map { $0 == 0 ? 0x2F : $0 }
      }
      let entries = FileList(decoding: FileList(rawPaths: paths).encoded).entries(hostName: "here")
      if entries != paths.map({ .local(path: $0) }) { Issue.record("\(paths)") }
    }
  }

  private static let pieces = [
    "file:", "FILE:", "file", ":", "/", "//", "///", "localhost", "LOCALHOST", "here", "Here", "there", "here.org",
    "user@", ":80", "%2F", "%2f", "%00", "%", "%6", "%41", "%6Cocalhost", "..", "etc", " ", "\t", "\r", "\n", "\0", "#",
    "?", "é", "\u{FEFF}", "http:", "\\", "[::1]", "@localhost", "localhost.", "\u{212A}", "a",
  ]

  /// The shortest thing to say, and by other means than the code: all of it as one prefix.
  private static let localPrefixes = ["file://localhost/", "file://here/", "file:///"]

  @Test(arguments: 0..<2)
  func `no path comes from a URI that is not local`(part: Int) {
    var random = SplitMix64(seed: UInt64(400 + part))
    var (local, other) = (0, 0)
    for _ in 0..<CodecEffort.adversarialURIs / 2 {
      var uri = random.oneIn(3) ? "" : "file:"
      for _ in 0..<random.below(6) { uri += random.pick(Self.pieces) }
      guard case .local(let path) = FileURI.entry(of: uri, hostName: "here") else {
        other += 1
        continue
      }
      local += 1
      let small = uri.lowercased().utf8
      let isPlain = small.starts(with: "file:/".utf8) && !small.starts(with: "file://".utf8)
      let isLocal = isPlain || Self.localPrefixes.contains { small.starts(with: $0.utf8) }
      if !isLocal || path.first != 0x2F || path.contains(0) || path.count > uri.utf8.count {
        Issue.record("\(uri.debugDescription) gave \(path)")
      }
    }
    #expect(local > 1000 && other > 1000)
  }

  @Test func `any bytes are a list, and writing it again changes nothing`() {
    var random = SplitMix64(seed: 500)
    for _ in 0..<CodecEffort.lists {
      let list = FileList(decoding: random.awkwardBytes(below: 24))
      let written = list.encoded
      let copy = FileList(decoding: written)
      if copy.uris.count != list.uris.count || copy.encoded != written { Issue.record("\(list.uris)") }
      _ = copy.entries(hostName: "here")
    }
  }
}

@Suite("What holds for all values", .computing, .exhaustive)
struct ValuePropertyTests {
  @Test func `any link comes back, with its title in one line`() throws {
    var random = SplitMix64(seed: 600)
    let types: [ContentType] = ["text/x-moz-url", "_NETSCAPE_URL", .html, "text/html;charset=utf-16"]
    for number in 0..<CodecEffort.links / 2 {
      let link = Link(
        url: "a:" + random.awkwardText(below: 4), title: random.oneIn(4) ? nil : random.awkwardText(below: 6))
      let type = types[number % types.count]
      let url = URIList.escaped(link.url)
      let title = link.title.map(Link.collapsed)
      let expected = Link(url: url, title: title?.isEmpty == true || title == url ? nil : title)
      let copy = try Link(decoding: link.encoded(as: type), as: type)
      if copy != expected { Issue.record("\(type): \(expected) became \(copy)") }
      let bytes = random.awkwardBytes(below: 20)
      for type in [types[number % types.count], .uriList, "text/plain"] { _ = try? Link.all(decoding: bytes, as: type) }
    }
  }

  @Test func `any colour comes back, in bytes and in letters`() throws {
    var random = SplitMix64(seed: 700)
    let types: [ContentType] = ["application/x-color", .plainText, "STRING"]
    for number in 0..<CodecEffort.colors / 2 {
      let word = random.oneIn(3) ? (random.next() & 0x00FF_00FF_00FF_00FF) &* 0x0101 : random.next()
      let color = Color(
        red: UInt16(truncatingIfNeeded: word), green: UInt16(truncatingIfNeeded: word >> 16),
        blue: UInt16(truncatingIfNeeded: word >> 32), alpha: random.oneIn(3) ? .max : UInt16(word >> 48))
      let type = types[number % types.count]
      let copy = try Color(decoding: color.encoded(as: type), as: type)
      if copy != color { Issue.record("\(type): \(color) became \(copy)") }
      _ = try? Color(decoding: random.awkwardBytes(below: 12), as: type)
      let letters =
        "rgb(" + String((0..<random.below(10)).map { _ in random.pick(Array("0123456789.,%/- enax)")) }) + ")"
      _ = try? Color(decoding: Array(letters.utf8), as: .plainText)
    }
  }

  @Test func `any HTML comes back, and any text survives being written as HTML`() throws {
    var random = SplitMix64(seed: 800)
    let types: [ContentType] = [
      .html, "text/html;charset=utf-8", "text/html;charset=utf-16", "text/html;charset=utf-16be",
    ]
    for number in 0..<CodecEffort.html / 3 {
      let type = types[number % types.count]
      let html = String(decoding: random.awkwardBytes(below: 20), as: UTF8.self)
      // Without a mark in front, what looks like the header of Windows goes.
      if type == .html || !html.utf8.starts(with: "Version:".utf8) {
        let copy = try StyledText(decoding: StyledText(html: html).encoded(as: type), as: type).html
        if !copy.utf8.elementsEqual(html.utf8) { Issue.record("\(type): \(html.debugDescription)") }
      }
      if HTMLPlainText.text(of: html).utf8.count > 3 * html.utf8.count { Issue.record("\(html.debugDescription)") }
      let text = random.awkwardText(below: 10)
      let page = "<pre>" + HTMLReference.escaped(text)
      if !HTMLPlainText.text(of: page).utf8.elementsEqual(text.utf8) { Issue.record("\(text.debugDescription)") }
      _ = try? StyledText(decoding: random.awkwardBytes(below: 20), as: type)
    }
  }

  @Test func `any list of files comes back with its operation`() throws {
    var random = SplitMix64(seed: 900)
    let type: ContentType = "x-special/gnome-copied-files"
    for _ in 0..<CodecEffort.copiedFiles / 2 {
      let paths = (0..<random.below(3)).map { _ in [0x2F] + random.awkwardBytes(below: 8) }
      let files = CopiedFiles(files: FileList(rawPaths: paths), operation: random.oneIn(2) ? .copy : .move)
      if try CopiedFiles(decoding: files.encoded(as: type), as: type) != files { Issue.record("\(files)") }
      _ = try? CopiedFiles(decoding: Array("copy\n".utf8) + random.awkwardBytes(below: 20), as: type)
      _ = try? CopiedFiles(decoding: random.awkwardBytes(below: 4), as: "application/x-kde-cutselection")
    }
  }
}
