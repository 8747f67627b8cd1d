import TestSupport
import Testing

@testable import XDnD

@Suite("What holds for all clippings", .computing, .exhaustive)
struct ClippingPropertyTests {
  private static let fallback = "Clipping 2026-11-21 14.30.05"

  /// What somebody could hope to break a format with.
  private static let pieces = [
    "=", ";", "%", "%%", "%0", "\"", "'", "\\", "\\n", "\\s", "$$", "$", "[", "]", "#", "\r\n", "\n", "\r", "\0", "\t",
    " ", "😀", "👩\u{200D}👧",
    "מילה", "مرحبا", "\u{202E}", "\u{FEFF}", "é", "日本", "[Desktop Entry]", "URL=", "Type=Application", "Title=",
    "Name[de]=", "GIMP Palette",
    "<!DOCTYPE html><meta charset=\"utf-8\">", "<meta name=\"xdnd-plain-text\" content=\"", "\">",
    "<meta charset=utf-8>", "<meta charset=iso-8859-1>",
    "<title>", "</title>", "<h1>", "&amp;", "\u{0301}", "\u{3000}", "/", "..", ".", "a", "word ", "\u{85}", "<script>",
  ]

  private func hostileText(_ random: inout SplitMix64) -> String {
    var text = random.oneIn(3) ? random.awkwardText(below: 8) : ""
    for _ in 0..<random.below(6) { text += random.pick(Self.pieces) }
    return random.oneIn(200) ? String(repeating: text, count: 500) : text
  }

  /// Names it and reads it as a file of that name.
  private func readBack(_ clipping: Clipping) -> ClippingContent? {
    if !isName(clipping.name) { Issue.record("\(clipping.name.debugDescription) is no name") }
    return ClippingContent(fileName: Array(clipping.name.utf8), bytes: clipping.bytes, database: .builtIn)
  }

  @Test func `any text comes back, to the byte`() {
    var random = SplitMix64(seed: 1200)
    for _ in 0..<CodecEffort.clippings / 4 {
      let value = hostileText(&random)
      guard case .text(let copy) = readBack(Clipping(text: value, fallbackName: Self.fallback)),
        copy.utf8.elementsEqual(value.utf8)
      else {
        Issue.record("\(value.debugDescription)")
        continue
      }
    }
  }

  @Test func `any HTML comes back, with its plain text`() {
    var random = SplitMix64(seed: 1300)
    var asItIs = 0
    for _ in 0..<CodecEffort.clippings / 4 {
      let value = StyledText(html: hostileText(&random), plain: random.oneIn(2) ? nil : hostileText(&random))
      let clipping = Clipping(value, fallbackName: Self.fallback)
      if clipping.bytes.elementsEqual(value.html.utf8) { asItIs += 1 }
      guard case .styledText(let copy) = readBack(clipping), copy.html.utf8.elementsEqual(value.html.utf8),
        copy.plain.map({ Array($0.utf8) }) == value.plain.map({ Array($0.utf8) })
      else {
        Issue.record("\(value)")
        continue
      }
    }
    #expect(asItIs > 10)
  }

  @Test func `any link comes back from both formats`() {
    var random = SplitMix64(seed: 1400)
    for number in 0..<CodecEffort.clippings / 4 {
      let link = Link(url: "a:" + hostileText(&random), title: random.oneIn(4) ? nil : hostileText(&random))
      // As it comes out of a drag: the title in one line.
      let url = URIList.escaped(link.url)
      let title = link.title.map(Link.collapsed)
      let expected = Link(url: url, title: title?.isEmpty == true || title == url ? nil : title)
      guard
        case .link(let copy) = readBack(
          Clipping(link, as: number.isMultiple(of: 2) ? .desktop : .url, fallbackName: Self.fallback)),
        copy == expected
      else {
        Issue.record("\(link)")
        continue
      }
    }
  }

  @Test func `any colour comes back exactly`() {
    var random = SplitMix64(seed: 1500)
    for _ in 0..<CodecEffort.clippings / 4 {
      let word = random.oneIn(3) ? (random.next() & 0x00FF_00FF_00FF_00FF) &* 0x0101 : random.next()
      let color = Color(
        red: UInt16(truncatingIfNeeded: word), green: UInt16(truncatingIfNeeded: word >> 16),
        blue: UInt16(truncatingIfNeeded: word >> 32), alpha: random.oneIn(3) ? .max : UInt16(word >> 48))
      if readBack(Clipping(color, fallbackName: Self.fallback)) != .color(color) { Issue.record("\(color)") }
    }
  }

  @Test func `no file traps, whatever is in it`() {
    var random = SplitMix64(seed: 1600)
    let starts = [
      "", "[Desktop Entry]\nType=Link\nURL=", "[InternetShortcut]\r\nURL=", "GIMP Palette\n", "GIMP Palette\n1 2 3 ",
      "<!DOCTYPE html><meta charset=\"utf-8\">", "<meta charset=", "\u{FEFF}",
    ]
    let names = ["x.desktop", "x.url", "x.gpl", "x.txt", "x.html", "x.png", "", "/", "\u{202E}.url", ".url"].map {
      Array($0.utf8)
    }
    for number in 0..<CodecEffort.clippings / 4 {
      var bytes = Array(random.pick(starts).utf8)
      bytes += random.oneIn(2) ? random.awkwardBytes(below: 30) : Array(hostileText(&random).utf8)
      guard let content = ClippingContent(fileName: names[number % names.count], bytes: bytes, database: .builtIn)
      else {
        continue
      }
      // What was read can be a clipping again, and then is what it was.
      let again: Clipping
      switch content {
      case .text(let text): again = Clipping(text: text, fallbackName: Self.fallback)
      case .styledText(let text): again = Clipping(text, fallbackName: Self.fallback)
      case .color(let color): again = Clipping(color, fallbackName: Self.fallback)
      case .link, .data: continue
      }
      if readBack(again) != content { Issue.record("\(bytes): \(content)") }
    }
  }

  @Test func `any suggestion for any type is a name`() {
    var random = SplitMix64(seed: 1700)
    let types: [ContentType] = [
      .png, .html, .plainText, "FOO_BAR", .data, "image/*", "a/b", "UTF8_STRING", "", "/",
      "application/x-compressed-tar",
    ]
    for number in 0..<CodecEffort.clippings / 4 {
      let name = Clipping.name(
        for: types[number % types.count], suggestedName: random.oneIn(5) ? nil : hostileText(&random),
        fallbackName: hostileText(&random),
        database: .builtIn)
      if !isName(name) { Issue.record("\(name.debugDescription)") }
    }
  }
}
