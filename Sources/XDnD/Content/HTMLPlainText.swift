/// Converts HTML to plain text, for targets that accept nothing else.
///
/// Block elements and `<br>` begin a line, and table cells are separated by tabs. Runs of spaces collapse except in
/// `<pre>`. Scripts, styles and the page title are omitted.
struct HTMLPlainText {
  private var output: [UInt8] = []
  private var needsLine = false
  private var needsSpace = false
  private var preformatted = 0

  static func text(of html: String) -> String {
    var reader = HTMLReader(html)
    var result = HTMLPlainText()
    while let token = reader.next() {
      switch token {
      case .text(let range): result.append(reader.text(in: range))
      case .open(let name, _): result.tag(name, isOpening: true)
      case .close(let name): result.tag(name, isOpening: false)
      }
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  private mutating func append(_ text: String) {
    for byte in text.utf8 {
      if preformatted == 0, byte.isASCIISpace {
        needsSpace = true
        continue
      }
      flush()
      output.append(byte)
    }
  }

  private mutating func tag(_ name: String, isOpening: Bool) {
    switch name {
    case "br":
      flush()
      output.append(0x0A)
    case "pre":
      needsLine = true
      preformatted = max(0, preformatted + (isOpening ? 1 : -1))
    case "td", "th":
      guard isOpening, !needsLine, let last = output.last, last != 0x0A else { return }
      needsSpace = false
      output.append(0x09)
    case "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
      "blockquote", "section", "article", "header", "footer", "body", "html":
      needsLine = true
    default: break
    }
  }

  /// Writes the pending separator before the next character.
  private mutating func flush() {
    let isAtLineStart = output.last.map { $0 == 0x0A } ?? true
    if needsLine, !isAtLineStart {
      output.append(0x0A)
    } else if needsSpace, !isAtLineStart, !needsLine, output.last != 0x09 {
      output.append(0x20)
    }
    needsLine = false
    needsSpace = false
  }
}
