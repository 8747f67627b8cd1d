/// A minimal HTML tokeniser for finding links and plain text: tags, attributes, character references.
///
/// It makes one pass. As in browsers, an unterminated tag or comment swallows the rest.
struct HTMLReader {
  enum Token {
    case text(Range<Int>)
    /// A start tag, with the range of its attributes.
    case open(String, Range<Int>)
    case close(String)
  }

  let bytes: [UInt8]
  private var position = 0
  /// The open element whose content is not HTML and ends only at its end tag.
  private var rawElement: String?

  init(_ html: String) {
    bytes = Array(html.utf8)
  }

  /// Returns the next token. Skips comments and declarations.
  mutating func next() -> Token? {
    if let name = rawElement {
      rawElement = nil
      skipRaw(until: name)
    }
    while position < bytes.count {
      guard isTag(at: position) else { return .text(takeText()) }
      let second = bytes[position + 1]
      if second == UInt8(ascii: "!") || second == UInt8(ascii: "?") {
        skipDeclaration()
        continue
      }
      if let tag = takeTag() { return tag }
    }
    return nil
  }

  /// Returns the content of the element that the last token opened, if that is not HTML: a title, a script, a style.
  mutating func rawText() -> Range<Int>? {
    guard let name = rawElement else { return nil }
    rawElement = nil
    let start = position
    skipRaw(until: name)
    return start..<position
  }

  /// Returns the value of an attribute within `range`, with character references decoded.
  func attribute(_ wanted: String, in range: Range<Int>) -> String? {
    var index = range.lowerBound
    while index < range.upperBound {
      let isSeparator = bytes[index].isASCIISpace || bytes[index] == UInt8(ascii: "/")
      if isSeparator || bytes[index] == UInt8(ascii: "=") {
        index += 1
        continue
      }
      let name = span(from: index, to: range.upperBound) {
        !$0.isASCIISpace && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/")
      }
      index = span(from: name.upperBound, to: range.upperBound, while: \.isASCIISpace).upperBound
      var value = index..<index
      if index < range.upperBound, bytes[index] == UInt8(ascii: "=") {
        index = span(from: index + 1, to: range.upperBound, while: \.isASCIISpace).upperBound
        if index < range.upperBound, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
          let quote = bytes[index]
          value = span(from: index + 1, to: range.upperBound) { $0 != quote }
          index = min(value.upperBound + 1, range.upperBound)
        } else {
          value = span(from: index, to: range.upperBound) { !$0.isASCIISpace }
          index = value.upperBound
        }
      }
      if lowercased(name) == wanted { return text(in: value) }
    }
    return nil
  }

  func text(in range: Range<Int>) -> String {
    var result: [UInt8] = []
    var index = range.lowerBound
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "&"),
        let (reference, end) = HTMLReference.read(bytes, from: index, to: range.upperBound)
      {
        result += reference.utf8
        index = end
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the text up to the end tag of an element, or until it has at least `limit` bytes.
  mutating func textToEnd(of element: String, limit: Int = .max) -> String {
    var text = ""
    while text.utf8.count < limit, let token = next() {
      if case .close(element) = token { break }
      if case .text(let range) = token { text += self.text(in: range) }
    }
    return text
  }

  // MARK: Tokens

  private func isTag(at index: Int) -> Bool {
    guard bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count else { return false }
    return bytes[index + 1].isASCIILetter || "!?/".utf8.contains(bytes[index + 1])
  }

  private mutating func takeText() -> Range<Int> {
    let start = position
    repeat { position += 1 } while position < bytes.count && !isTag(at: position)
    return start..<position
  }

  private mutating func skipDeclaration() {
    let isComment = bytes[position...].starts(with: Array("<!--".utf8))
    position += isComment ? 4 : 2
    while position < bytes.count {
      defer { position += 1 }
      guard bytes[position] == UInt8(ascii: ">") else { continue }
      let dash = UInt8(ascii: "-")
      if !isComment || (bytes[position - 1] == dash && bytes[position - 2] == dash) { return }
    }
  }

  /// `nil` if the tag is not terminated.
  private mutating func takeTag() -> Token? {
    let isClosing = bytes[position + 1] == UInt8(ascii: "/")
    let start = position + (isClosing ? 2 : 1)
    let name = span(from: start, to: bytes.count) {
      !$0.isASCIISpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
    }
    position = name.upperBound
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), isValueStart(position - 1) {
        quote = byte
      } else if quote == nil, byte == UInt8(ascii: ">") {
        let tag = lowercased(name)
        if isClosing { return .close(tag) }
        if ["script", "style", "title"].contains(tag) { rawElement = tag }
        return .open(tag, name.upperBound..<position - 1)
      }
    }
    return nil
  }

  /// Whether a quote at `index` follows an equals sign. Elsewhere it is an ordinary character.
  private func isValueStart(_ index: Int) -> Bool {
    var before = index - 1
    // Look back over a few spaces only, so that many quotes after many spaces cannot make the scan quadratic.
    while before > index - 8, before >= 0, bytes[before].isASCIISpace { before -= 1 }
    return before >= 0 && bytes[before] == UInt8(ascii: "=")
  }

  private mutating func skipRaw(until name: String) {
    let end = Array("</\(name)".utf8)
    while position < bytes.count {
      if bytes[position] == end[0], position + end.count <= bytes.count,
        lowercased(position..<position + end.count).utf8.elementsEqual(end)
      {
        return
      }
      position += 1
    }
  }

  private func span(from start: Int, to end: Int, while isPart: (UInt8) -> Bool) -> Range<Int> {
    var index = start
    while index < end, isPart(bytes[index]) { index += 1 }
    return start..<index
  }

  /// Returns a name in lower case. Known names are ASCII and short; longer ones are truncated.
  private func lowercased(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(32), as: UTF8.self).lowercased()
  }
}
