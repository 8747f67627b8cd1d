/// HTML as runs of styled text, for a preview: bold, italic, underlined, coloured, links, headings, lists and line
/// breaks.
///
/// It does no layout and loads nothing: pictures become their alternative texts, and scripts, style sheets and the page
/// title are left out. The work is bounded for any HTML.
package struct HTMLRuns {
  package struct Style: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Style(rawValue: 1 << 0)
    package static let italic = Style(rawValue: 1 << 1)
    package static let underlined = Style(rawValue: 1 << 2)
    package static let struckThrough = Style(rawValue: 1 << 3)
    package static let monospaced = Style(rawValue: 1 << 4)
    package static let link = Style(rawValue: 1 << 5)
  }

  /// Text of one style.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var style: Style
    /// The level of the heading, from 1 to 6; 0 outside of headings.
    package var heading: Int
    /// The colour that is set for the text; `nil` if none is.
    package var color: Color?
  }

  package private(set) var runs: [Run] = []

  /// The maximum length of the HTML that is read, in bytes of UTF-8.
  package static let mostHTML = 1 << 18
  /// The length of the text at which reading stops, in bytes of UTF-8.
  package static let mostText = 1 << 14
  /// The maximum number of nested elements that change the style. Deeper ones are ignored.
  private static let deepest = 32
  private static let deepestList = 8

  /// An open element, and its changes to the style.
  private struct Element {
    let name: String
    var added: Style = []
    var removed: Style = []
    var color: Color?
  }

  private var elements: [Element] = []
  private var style: Style = []
  private var color: Color?
  private var heading = 0
  /// The open lists: the number of the last item, or `nil` in a list without numbers.
  private var lists: [Int?] = []
  /// The number of open lists beyond ``deepestList``.
  private var ignoredLists = 0
  private var preformatted = 0
  private var length = 0
  /// The number of line breaks before the next text.
  private var breaks = 0
  private var needsSpace = false
  /// The bullet or number that begins the next line.
  private var lineStart = ""
  /// The last byte of the text in ``runs``.
  private var last: UInt8 = 0x0A

  package init(_ html: String) {
    var reader = HTMLReader(String(decoding: html.utf8.prefix(Self.mostHTML), as: UTF8.self))
    while length < Self.mostText, let token = reader.next() {
      switch token {
      case .text(let range): append(reader.text(in: range))
      case .open(let name, let attributes): open(name) { reader.attribute($0, in: attributes) }
      case .close(let name): close(name)
      }
    }
  }

  package var text: String { runs.map(\.text).joined() }

  // MARK: Text

  private mutating func append(_ text: String) {
    var pending: [UInt8] = []
    for byte in text.utf8 {
      if preformatted == 0, byte.isASCIISpace {
        needsSpace = true
        continue
      }
      guard byte != 0x0D else { continue }
      if pending.isEmpty {
        separate()
      } else if needsSpace {
        pending.append(0x20)
      }
      needsSpace = false
      pending.append(byte)
      if length + pending.count >= Self.mostText { break }
    }
    write(String(decoding: pending, as: UTF8.self), style, heading, color)
  }

  /// Writes the pending line breaks, bullet or space before the next character.
  private mutating func separate() {
    if breaks > 0 || !lineStart.isEmpty {
      // No empty line before the first one.
      write(String(repeating: "\n", count: length == 0 ? 0 : breaks) + lineStart, [], 0)
    } else if needsSpace, last != 0x0A, last != 0x09 {
      // The space before a link is not underlined.
      write(" ", style.intersection(runs.last?.style ?? []), runs.last?.heading ?? 0, runs.last?.color)
    }
    (needsSpace, breaks, lineStart) = (false, 0, "")
  }

  private mutating func write(_ text: String, _ style: Style, _ heading: Int, _ color: Color? = nil) {
    guard let end = text.utf8.last else { return }
    last = end
    length += text.utf8.count
    if let run = runs.last, run.style == style, run.heading == heading, run.color == color {
      runs[runs.count - 1].text += text
    } else {
      runs.append(Run(text: text, style: style, heading: heading, color: color))
    }
  }

  /// Ends a block: the next text begins after at least `count` line breaks.
  private mutating func breakLine(_ count: Int = 1) {
    breaks = max(breaks, count)
    needsSpace = false
  }

  // MARK: Elements

  private mutating func open(_ name: String, _ attribute: (String) -> String?) {
    // Cells and list terms often have no end tag: the next one ends them, too.
    if ["td", "th", "tr"].contains(name) { endStyle(of: "th") }
    if ["dt", "dd"].contains(name) { endStyle(of: "dt") }
    switch name {
    case "br": breaks = min(breaks + 1, 2)
    case "p", "blockquote", "table", "hr", "dl": breakLine(2)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      breakLine(2)
      heading = Int(name.utf8.last ?? 0x31) - 0x30
    case "pre":
      breakLine(2)
      preformatted += 1
    case "ul", "ol":
      breakLine(lists.isEmpty ? 2 : 1)
      if lists.count < Self.deepestList { lists.append(name == "ol" ? 0 : nil) } else { ignoredLists += 1 }
    case "li": beginItem()
    case "td", "th": if breaks == 0, last != 0x0A { separateCell() }
    case "img":
      if let alternative = attribute("alt") { append(alternative) }
    case _ where Self.blocks.contains(name): breakLine()
    default: break
    }
    let css = attribute("style").map { Declarations($0) }
    // An `a` element without an address is a target of links, not a link.
    let isPlace = name == "a" && attribute("href") == nil
    let added = (isPlace ? [] : Self.styles[name] ?? []).union(css?.added ?? [])
    let removed = css?.removed ?? []
    let color = css?.color ?? (name == "font" ? attribute("color").flatMap(ColorNotation.read) : nil)
    guard !Self.empty.contains(name), added != [] || removed != [] || color != nil, elements.count < Self.deepest else {
      return
    }
    elements.append(Element(name: name, added: added.subtracting(removed), removed: removed, color: color))
    updateStyle()
  }

  private mutating func separateCell() {
    needsSpace = false
    write("\t", [], 0)
  }

  private mutating func beginItem() {
    breakLine()
    guard let index = lists.indices.last else {
      lineStart = "• "
      return
    }
    if let number = lists[index] { lists[index] = number + 1 }
    lineStart = String(repeating: "    ", count: index) + (lists[index].map { "\($0). " } ?? "• ")
  }

  private mutating func close(_ name: String) {
    switch name {
    case "p", "blockquote", "table", "dl": breakLine(2)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      breakLine(2)
      heading = 0
    case "pre":
      breakLine(2)
      preformatted = max(0, preformatted - 1)
    case "ul", "ol":
      if ignoredLists > 0 { ignoredLists -= 1 } else { _ = lists.popLast() }
      breakLine(lists.isEmpty ? 2 : 1)
    case _ where Self.blocks.contains(name): breakLine()
    default: break
    }
    endStyle(of: name)
  }

  private mutating func endStyle(of name: String) {
    guard let index = elements.lastIndex(where: { $0.name == name }) else { return }
    elements.remove(at: index)
    updateStyle()
  }

  private mutating func updateStyle() {
    style = elements.reduce(into: []) { $0 = $0.union($1.added).subtracting($1.removed) }
    color = elements.last { $0.color != nil }?.color
  }

  private static let styles: [String: Style] = [
    "b": .bold, "strong": .bold, "th": .bold, "dt": .bold,
    "h1": .bold, "h2": .bold, "h3": .bold, "h4": .bold, "h5": .bold, "h6": .bold,
    "i": .italic, "em": .italic, "cite": .italic, "var": .italic, "dfn": .italic, "address": .italic,
    "u": .underlined, "ins": .underlined, "s": .struckThrough, "strike": .struckThrough, "del": .struckThrough,
    "code": .monospaced, "kbd": .monospaced, "samp": .monospaced, "tt": .monospaced, "pre": .monospaced,
    "a": [.link, .underlined],
  ]

  private static let blocks: Set<String> = [
    "div", "li", "dt", "dd", "tr", "section", "article", "header", "footer", "main", "nav", "aside", "figure",
    "figcaption", "address", "form", "fieldset", "body", "html",
  ]

  /// Elements without an end tag.
  private static let empty: Set<String> = ["br", "hr", "img", "input", "meta", "link", "col", "wbr"]

  /// The declarations of a `style` attribute that a run can show. Word processors and browsers write these.
  private struct Declarations {
    var added: Style = []
    var removed: Style = []
    var color: Color?
    private static let longest = 4096

    init(_ css: String) {
      for declaration in String(css.unicodeScalars.prefix(Self.longest)).lowercased().split(separator: ";") {
        let parts = declaration.split(separator: ":", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
        guard parts.count == 2 else { continue }
        let (name, value) = (parts[0], parts[1])
        switch name {
        case "font-weight":
          let isBold = value.hasPrefix("bold") || Int(value).map { $0 >= 600 } == true
          if isBold { added.insert(.bold) } else { removed.insert(.bold) }
        case "font-style":
          if value.hasPrefix("italic") || value.hasPrefix("oblique") {
            added.insert(.italic)
          } else {
            removed.insert(.italic)
          }
        case "text-decoration", "text-decoration-line":
          if value.contains("underline") { added.insert(.underlined) }
          if value.contains("line-through") { added.insert(.struckThrough) }
          if value.hasPrefix("none") { removed.formUnion([.underlined, .struckThrough]) }
        case "color": color = ColorNotation.read(value)
        default: break
        }
      }
    }
  }
}
