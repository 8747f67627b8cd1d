import FuzzRuns

@testable import XDnD

extension FuzzTarget {
  static let pages = [
    FuzzTarget("html", longest: 1 << 13, run: readHTML),
    FuzzTarget("html-files", run: readHTMLFiles),
    FuzzTarget("clippings", longest: 1 << 13, run: readClippings),
    FuzzTarget("colors", run: readColors),
  ]

  private static let htmlTypes: [ContentType] = StyledText.importableTypes

  /// Plain text is no longer than its HTML allows, runs are bounded, and text that is escaped comes back.
  private static func readHTML(_ input: Input) {
    let (choice, bytes) = input.split
    let type = htmlTypes[choice % htmlTypes.count]
    if let page = try? StyledText(decoding: bytes, as: type) {
      let plain = page.plainText
      expect(plain.utf8.count <= 3 * page.html.utf8.count, "\(page.html.debugDescription) became \(plain)")
      if let words = ClippingName.words(of: page) { expect(isPlain(words), "the words \(words.debugDescription)") }
      let runs = HTMLRuns(page.html)
      let length = runs.text.utf8.count
      // One text may begin just below the limit.
      expect(length <= HTMLRuns.mostText + page.html.utf8.count * 3 + 64, "runs of \(length) bytes")
      expect(runs.runs.allSatisfy { (0...6).contains($0.heading) && !$0.text.isEmpty }, "\(runs.runs)")
      _ = try? Link.all(decoding: bytes, as: type)
    }
    guard !input.isMeasured else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    let read = HTMLPlainText.text(of: "<pre>" + HTMLReference.escaped(text))
    let copy = input.planted(read, in: Array(read.utf8)) { $0 + "\n" }
    expect(copy.utf8.elementsEqual(text.utf8), "\(text.debugDescription) became \(copy.debugDescription)")
    for type in htmlTypes.dropLast() {
      guard type == .html || !text.utf8.starts(with: "Version:".utf8) else { continue }
      let copy = (try? StyledText(html: text).encoded(as: type)).flatMap {
        try? StyledText(decoding: $0, as: type).html
      }
      expect(copy?.utf8.elementsEqual(text.utf8) == true, "\(type): \(text.debugDescription)")
    }
  }

  /// HTML with its plain text comes back from a file.
  private static func readHTMLFiles(_ input: Input) {
    let page = HTMLFile.read(input.bytes)
    let halves = input.bytes.split(separator: 0, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
    let made = StyledText(html: halves.first ?? "", plain: halves.count > 1 ? halves[1] : nil)
    for page in [page, made] {
      let read = HTMLFile.read(HTMLFile.write(page))
      let copy = input.planted(read, in: Array((page.plain ?? "").utf8)) { StyledText(html: $0.html) }
      let isSame =
        copy.html.utf8.elementsEqual(page.html.utf8)
        && copy.plain.map { Array($0.utf8) } == page.plain.map { Array($0.utf8) }
      expect(isSame, "\(page) became \(copy)")
    }
  }

  // MARK: Clippings

  private static let fileNames = [
    "x.desktop", "x.kdelnk", "x.url", "x.gpl", "x.txt", "x.html", "x.png", "", "/", "\u{202E}.url", ".url", "x.bin",
  ].map { Array($0.utf8) }

  /// What is read from a file can be a clipping again, and then is what it was.
  private static func readClippings(_ input: Input) {
    let (choice, bytes) = input.split
    let name = choice < 240 ? fileNames[choice % fileNames.count] : Array(bytes.prefix(64))
    guard let content = ClippingContent(fileName: name, bytes: bytes, database: .builtIn) else { return }
    guard !input.isMeasured else { return }
    var clippings: [(Clipping, ClippingContent)] = []
    switch content {
    case .text(let text): clippings = [(Clipping(text: text, fallbackName: "x"), content)]
    case .styledText(let text): clippings = [(Clipping(text, fallbackName: "x"), content)]
    case .color(let color): clippings = [(Clipping(color, fallbackName: "x"), content)]
    case .link(let link):
      let url = URIList.escaped(link.url)
      let title = link.title.map(Link.collapsed)
      let expected = Link(url: url, title: title?.isEmpty == true || title == url ? nil : title)
      clippings = [Clipping.LinkFormat.desktop, .url].map {
        (Clipping(link, as: $0, fallbackName: "x"), .link(expected))
      }
    case .data: return
    }
    for (clipping, expected) in clippings {
      expectName(input.planted(clipping.name, in: Array(clipping.name.utf8)) { "../" + $0 })
      let read = ClippingContent(fileName: Array(clipping.name.utf8), bytes: clipping.bytes, database: .builtIn)
      expect(read == expected, "\(expected) became \(read.debugDescription)")
    }
  }

  // MARK: Colours

  private static let colorTypes: [ContentType] = ["application/x-color", .plainText, "STRING"]

  private static func readColors(_ input: Input) {
    let (choice, bytes) = input.split
    let type = colorTypes[choice % colorTypes.count]
    var choices = input.choices
    func unit() -> UInt16 { UInt16(truncatingIfNeeded: choices.word()) }
    let made = Color(red: unit(), green: unit(), blue: unit(), alpha: choices.oneIn(2) ? .max : unit())
    for color in [try? Color(decoding: bytes, as: type), made].compactMap(\.self) {
      for type in colorTypes {
        let copy = (try? color.encoded(as: type)).flatMap { try? Color(decoding: $0, as: type) }
        let isPlanted =
          input.isPlanted && color.red >> 8 == color.green >> 8 && color.blue >> 12 == 7 && color.alpha != .max
        expect(copy == color && !isPlanted, "\(type): \(color) became \(copy.debugDescription)")
      }
      let words = ClippingName.words(of: color)
      expect([7, 9].contains(words.utf8.count), words)
    }
  }
}
