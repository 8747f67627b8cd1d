import ArgumentParser
import Synchronization
import ToolSupport
import ToolWindow
import XDnD

/// One of the options that say what is dragged, with its place on the command line: the order is that of fidelity.
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

  /// Options of one kind make one list each. The parser reads them from left to right, so counting them as they are read
  /// puts them into one list again.
  private static let count = Atomic<Int>(0)

  private init(_ value: Value) {
    self.value = value
    position = Self.count.add(1, ordering: .relaxed).newValue
  }

  /// As on the command line.
  static func sorted(_ contents: [OfferedContent]) -> [Value] {
    contents.sorted { $0.position < $1.position }.map(\.value)
  }

  @Sendable static func text(_ argument: String) -> OfferedContent { OfferedContent(.text(decoded(argument))) }

  @Sendable static func html(_ argument: String) -> OfferedContent { OfferedContent(.html(decoded(argument))) }

  /// `https://example.org/ Title`: a URI has no spaces, so what follows one is the title.
  @Sendable static func link(_ argument: String) throws -> OfferedContent {
    let words = decoded(argument).split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true).map(String.init)
    guard let uri = words.first, let colon = uri.firstIndex(of: ":"), colon != uri.startIndex,
      uri[..<colon].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw ValidationError("it has to be like https://example.org/ or 'https://example.org/ A title'") }
    return OfferedContent(.link(Link(url: uri, title: words.count > 1 ? words[1] : nil)))
  }

  @Sendable static func color(_ argument: String) throws -> OfferedContent {
    guard let color = try? Color(decoding: Array(decoded(argument).utf8), as: .plainText) else {
      throw ValidationError("it has to be like #3584e4, #3584e480 or rgb(53, 132, 228)")
    }
    return OfferedContent(.color(color))
  }

  @Sendable static func typed(_ argument: String) throws -> OfferedContent {
    OfferedContent(.typed(try TypedContent(argument: argument)))
  }

  private static func decoded(_ argument: String) -> String {
    String(decoding: RawArgument.bytes(of: argument), as: UTF8.self)
  }
}

extension [OfferedContent.Value] {
  /// The item that all of them describe together.
  ///
  /// First what was said, in the order in which it was said; then what follows from it, such as the plain text of HTML, where
  /// nothing better was said.
  ///
  /// - Parameter commands: What runs those whose output is content.
  func item(running commands: CommandQueue) -> DragItem {
    var item = DragItem()
    for value in self { item.append(representationsOf: value.item(running: commands), of: value.mainTypes) }
    for value in self { item.append(representationsOf: value.item(running: commands)) }
    return item
  }

  /// What a file manager makes of it: a file of the first content, which is the best.
  ///
  /// - Parameters:
  ///   - name: What the file is called; by default as the content says. With a name it is a document, for which programs
  ///     may want to have a file, and so it is where the content is at home in files, as pictures are. Everything else is a
  ///     clipping without a name, and those that take the content need no file.
  ///   - commands: What runs those whose output is content.
  func file(named name: String?, running commands: CommandQueue) -> FilePromise? {
    guard let first, name != nil || first.isContent else { return nil }
    var file = first.file(named: name, running: commands)
    file.isClipping = name == nil && !first.isAtHomeInFile
    file.givesWayToText = name == nil
    return file
  }

  /// With all that can be read once only already read, for it may be asked for often.
  func ready() throws -> [OfferedContent.Value] {
    try map { if case .typed(let content) = $0 { .typed(try content.ready()) } else { $0 } }
  }

  /// The link, which a browser opens.
  var opened: [UInt8]? {
    for case .link(let link) in self { return [UInt8](link.url.utf8) }
    return nil
  }

  /// For people.
  var title: String {
    for case .text(let text) in self { return text.clipped(to: LabelLimit(scalarCount: 200, keepsEnd: false)) }
    return first?.title ?? ""
  }

  /// The size of the file that the content comes from, if it comes from one.
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

  /// Whether it means something by itself: what only says something about other content, or is the key to a protocol of
  /// its own, makes no file.
  fileprivate var isContent: Bool {
    guard case .typed(let content) = self else { return true }
    return Negotiation(wanted: ["*/*"], offered: [content.type], database: .system).best != nil
  }

  /// Whether it is what people keep in files, such as a picture.
  fileprivate var isAtHomeInFile: Bool {
    guard case .typed(let content) = self else { return false }
    return TypeDatabase.system.isAtHomeInFile(content.type)
  }

  fileprivate func file(named name: String?, running commands: CommandQueue) -> FilePromise {
    let fallback = ClippingTime.name()
    switch self {
    case .text(let text): return FilePromise(Clipping(text: text, fallbackName: fallback), named: name)
    case .html(let html): return FilePromise(Clipping(StyledText(html: html), fallbackName: fallback), named: name)
    case .link(let link):
      let format: Clipping.LinkFormat = name?.lowercased().hasSuffix(".url") ?? false ? .url : .desktop
      return FilePromise(Clipping(link, as: format, fallbackName: fallback), named: name)
    case .color(let color): return FilePromise(Clipping(color, fallbackName: fallback), named: name)
    case .typed(let content): return content.file(named: name, fallbackName: fallback, running: commands)
    }
  }

  /// What was asked for, without what follows from it; `nil` for everything.
  fileprivate var mainTypes: [ContentType]? {
    switch self {
    case .text, .typed: nil
    case .html: [.html]
    case .link: [.mozURL, .netscapeURL, .uriList]
    case .color: [.color]
    }
  }

  fileprivate var title: String {
    switch self {
    case .text(let text): text
    case .html(let html): StyledText(html: html).plainText
    case .link(let link): link.title ?? link.url
    case .color(let color): String(decoding: (try? color.encoded(as: .plainText)) ?? [], as: UTF8.self)
    case .typed(let content):
      if case .file(let path) = content.source { SourceFile(path).name } else { content.type.name }
    }
  }
}
