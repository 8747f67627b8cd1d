import ArgumentParser
import Synchronization
import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The value of a content option with its position on the command line. Earlier options have higher fidelity.
struct OfferedContent: Sendable {
  enum Value: Sendable {
    case text(String)
    case html(String)
    case link(Link)
    case color(Color)
    case typed(TypedContent)
  }

  let value: Value
  private let position: Int

  /// The parser collects the options of each kind in a separate array, but reads them from left to right. Numbering
  /// them as they are read restores the order among all kinds.
  private static let count = Atomic<Int>(0)

  private init(_ value: Value) {
    self.value = value
    position = Self.count.add(1, ordering: .relaxed).newValue
  }

  /// Returns the values in command line order.
  static func sorted(_ contents: [OfferedContent]) -> [Value] {
    contents.sorted { $0.position < $1.position }.map(\.value)
  }

  @Sendable static func text(_ argument: String) -> OfferedContent { OfferedContent(.text(decoded(argument))) }

  @Sendable static func html(_ argument: String) -> OfferedContent { OfferedContent(.html(decoded(argument))) }

  /// Parses `https://example.org/ Title`: a URI contains no spaces, so the rest is the title.
  @Sendable static func link(_ argument: String) throws -> OfferedContent {
    let words = decoded(argument).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
    guard let uri = words.first, let colon = uri.firstIndex(of: ":"), colon != uri.startIndex,
      uri[..<colon].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw ValidationError("expected a URI such as https://example.org/, optionally followed by a space and a title")
    }
    return OfferedContent(.link(Link(url: uri, title: words.count > 1 ? words[1] : nil)))
  }

  @Sendable static func color(_ argument: String) throws -> OfferedContent {
    let color = try? Color(decoding: Array(decoded(argument).utf8), as: .plainText)
    return OfferedContent(
      .color(try parsed(color, or: "expected a color such as #3584e4, #3584e480 or rgb(53, 132, 228)")))
  }

  @Sendable static func typed(_ argument: String) throws -> OfferedContent {
    OfferedContent(.typed(try TypedContent(argument: argument)))
  }

  private static func decoded(_ argument: String) -> String {
    String(decoding: RawArgument.bytes(of: argument), as: UTF8.self)
  }
}

extension [OfferedContent.Value] {
  /// Merges all options into one item.
  ///
  /// The requested types come first, in command line order. Derived types, such as the plain text of HTML, follow
  /// where no option gave them.
  func item(running commands: CommandQueue) -> DragItem {
    var item = DragItem()
    for value in self { item.append(representationsOf: value.item(running: commands), of: value.mainTypes) }
    for value in self { item.append(representationsOf: value.item(running: commands)) }
    return item
  }

  /// Returns the file promise for targets that want a file, made from the first option.
  ///
  /// - Parameter name: The file's name, from `--save-as`.
  /// - Returns: `nil` if there is no name and the first option cannot stand alone as a file.
  func file(named name: String?, running commands: CommandQueue) -> FilePromise? {
    guard let first, name != nil || first.isContent else { return nil }
    return first.file(named: name, running: commands)
  }

  /// Returns the content with all streams already read, because they can be read only once but requested repeatedly.
  func ready() throws -> [OfferedContent.Value] {
    try map { if case .typed(let content) = $0 { .typed(try content.ready()) } else { $0 } }
  }

  /// The first link, which a double click opens in the browser.
  var opened: [UInt8]? {
    for case .link(let link) in self { return [UInt8](link.url.utf8) }
    return nil
  }

  var title: String {
    for case .text(let text) in self {
      return text.clipped(to: LabelLimit(scalarCount: 200, keepsEnd: false)).onOneLine
    }
    return first?.title ?? ""
  }

  /// The kind and size of the content, or the number of its formats: `Text, 24 characters`.
  var words: String {
    guard let first else { return "" }
    return count > 1 ? Formatting.count(count, "format") : first.words
  }

  /// The drag image instead of a card: styled text, or a color swatch. For images see ``image``.
  var picture: ContentPicture? {
    switch first {
    case .text(let text): .text([Scene.TextRun(text.clipped(to: .text))])
    case .html(let html): .text(HTMLRuns(html).textRuns)
    case .link: .text([Scene.TextRun(title)])
    case .color(let color): .color(color)
    case .typed, nil: nil
    }
  }

  /// The content's image; `nil` if the content is not an image, or if a command makes it, which runs only after the
  /// drop.
  var image: EncodedPicture? {
    guard case .typed(let content) = first, content.type.type == "image" else { return nil }
    return switch content.source {
    case .bytes(let bytes): .bytes(bytes)
    case .file(let path): .file(SourceFile(path).path)
    case .command: nil
    }
  }

  /// The size of the file that provides the content, if any.
  var fileSize: Int? {
    guard case .typed(let content) = first, case .file(let path) = content.source else { return nil }
    return SourceFile(path).size
  }
}

extension OfferedContent.Value {
  fileprivate func item(running commands: CommandQueue) -> DragItem {
    switch self {
    case .text(let text): return DragItem(text)
    case .html(let html): return DragItem(StyledText(html: html))
    case .link(let link): return DragItem(link)
    case .color(let color): return DragItem(color)
    case .typed(let content):
      var item = DragItem()
      content.promise(in: &item, running: commands)
      return item
    }
  }

  /// Whether the content is meaningful alone. Types that only annotate other content, or that belong to a separate
  /// protocol, do not make a file.
  fileprivate var isContent: Bool {
    guard case .typed(let content) = self else { return true }
    return Negotiation(wanted: ["*/*"], offered: [content.type], database: .system).best != nil
  }

  fileprivate func file(named name: String?, running commands: CommandQueue) -> FilePromise {
    let fallback = Formatting.clippingName()
    let clipping: Clipping
    switch self {
    case .text(let text): clipping = Clipping(text: text, fallbackName: fallback)
    case .html(let html): clipping = Clipping(StyledText(html: html), fallbackName: fallback)
    case .link(let link):
      let format: Clipping.LinkFormat = name?.lowercased().hasSuffix(".url") ?? false ? .url : .desktop
      clipping = Clipping(link, as: format, fallbackName: fallback)
    case .color(let color): clipping = Clipping(color, fallbackName: fallback)
    case .typed(let content): return content.file(named: name, fallbackName: fallback, running: commands)
    }
    return FilePromise(named: name ?? clipping.name, type: clipping.type, bytes: clipping.bytes)
  }

  /// The types that the option asks for, without derived ones; `nil` for all.
  fileprivate var mainTypes: [ContentType]? {
    switch self {
    case .text, .typed: nil
    case .html: [.html]
    case .link: [.mozURL, .netscapeURL, .uriList]
    case .color: [.color]
    }
  }

  fileprivate var words: String {
    switch self {
    case .text(let text): return "Text, \(ContentWords.length(of: text))"
    case .html(let html): return "HTML, \(Formatting.size(html.utf8.count))"
    case .link: return "Link"
    case .color: return "Color"
    case .typed(let content):
      let name = ContentWords.name(of: content.type)
      switch content.source {
      case .command: return name
      case .file(let path):
        return [name, SourceFile(path).size.map(Formatting.size)].compactMap(\.self).joined(separator: ", ")
      case .bytes(let bytes):
        let pixels = content.type.type == "image" ? ContentWords.size(ofImage: bytes) : nil
        return [name, pixels, Formatting.size(bytes.count)].compactMap(\.self).joined(separator: ", ")
      }
    }
  }

  fileprivate var title: String {
    switch self {
    case .text(let text): text
    case .html(let html): StyledText(html: html).plainText.onOneLine
    case .link(let link): link.title ?? link.url
    case .color(let color): String(decoding: (try? color.encoded(as: .plainText)) ?? [], as: UTF8.self)
    case .typed(let content):
      if case .file(let path) = content.source { SourceFile(path).name } else { content.type.name }
    }
  }
}

extension String {
  fileprivate var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
