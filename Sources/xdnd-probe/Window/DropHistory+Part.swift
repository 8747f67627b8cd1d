import XDnDFiles
import Glibc
import XDnDToolSupport
import XDnDToolWindow
import XDnD

extension DropHistory {
  /// A piece of content that a drop delivered.
  struct Part {
    var title: String
    /// Whether the title only says what kind of content it is: `PNG image`.
    var isNamedByType = false
    /// The result for this part, or its size; may be empty.
    var details = ""
    /// The facts that the pane shows.
    var facts: [Scene.Pane.Fact] = []
    var state = Scene.Row.State.plain
    var type: ContentType?
    /// The path of a saved file; `nil` for other content.
    var path: [UInt8]?
    /// Whether the saved file is gone, after a part of the drop was undone or redone.
    var isUndone = false
    var content: DecodedContent?
    /// The styled text of HTML; empty for other content, and for HTML without text.
    var styled: [Scene.TextRun] = []
    /// The encoded image, if the content is one.
    var picture: [UInt8]?
    /// The item for dragging the part out again.
    var item: DragItem?
    /// The size of ``picture`` and ``item`` in bytes.
    var heldBytes = 0
  }

  enum PartPreview {
    case ready(Scene.Preview)
    /// An encoded image that must be decoded first, which takes time.
    case picture([UInt8])
  }
}

extension DropHistory.Part {
  /// Checks whether the file exists, after an undo or redo of a part of the drop.
  mutating func lookAgain() { isUndone = path.map { withCPath($0) { access($0, F_OK) } != 0 } ?? false }

  /// Returns the part dimmed, without its drag item and its path fact, because the file no longer exists. A part that
  /// has failed is returned unchanged.
  func undone(_ details: String) -> DropHistory.Part {
    guard state == .plain else { return self }
    var part = self
    part.details = details
    part.item = nil
    part.state = .dimmed
    part.facts.removeAll { $0.label == "Path" }
    return part
  }

  /// Returns the parts of one representation: one per file of a list, up to ``DropHistory/mostParts``, or else a
  /// single part.
  static func all(of received: ReceivedContent) -> [DropHistory.Part] {
    let content = received.decoded
    if let files = content?.files {
      return files.prefix(DropHistory.mostParts).map { DropHistory.Part(of: $0) }
    }
    let (name, measure) = words(for: received)
    let html = StyledText.reads(received.requested) ? content?.text.map { HTMLRuns($0) } : nil
    let isDocument = DecodedContent.isTextDocument(received.requested)
    let preview = html?.firstLine ?? (isDocument ? nil : content?.preview)
    var part = DropHistory.Part(
      title: preview ?? name, details: measure ?? name, type: received.requested, content: content)
    part.facts = [
      Scene.Pane.Fact("Type", "\(name) (\(Formatting.visible(received.requested.name)))"),
      Scene.Pane.Fact("Size", Formatting.bytes(received.count)),
    ]
    part.isNamedByType = preview == nil
    part.styled = html?.textRuns ?? []
    if received.requested.type == "image" { part.picture = received.bytes }
    if let bytes = received.bytes {
      if case .text(let text) = content, PlainText.reads(received.requested) {
        part.item = DragItem(text)
      } else {
        var item = DragItem()
        item.promise(received.requested, bytes: bytes)
        part.item = item
      }
    }
    if part.picture != nil || part.item != nil { part.heldBytes = received.bytes?.count ?? 0 }
    return [part]
  }

  init(of file: DroppedFile) {
    self.init(
      title: file.visibleName ?? Formatting.visible(file.uri),
      details: file.isDirectory ? "folder" : file.size.map(Formatting.size) ?? "", content: .files([file]),
      item: DragItem(FileList(uris: [file.uri])))
    let type = file.isDirectory ? "Folder" : file.type.map(ContentWords.name(of:))
    let path = file.isTemporary ? nil : file.visiblePath
    facts = [("Path", path), ("Type", type), ("Size", file.size.map(Formatting.bytes))].compactMap { label, value in
      value.map { Scene.Pane.Fact(label, $0) }
    }
  }

  init(of item: SavedItem) {
    self.init(title: item.name, details: item.details, state: item.state)
    guard let path = item.path else {
      // Without a file, the name determines the icon.
      type = TypeDatabase.system.type(forFileName: Array(item.name.utf8))
      return
    }
    self.path = path
    let file = DroppedFile(uri: FileList(rawPaths: [path]).uris[0], hostName: nil)
    let saved = DropHistory.Part(of: file)
    (content, facts, self.item) = (saved.content, saved.facts, saved.item)
  }

  /// Returns the kind of a representation, and its size in the units of that kind.
  private static func words(for received: ReceivedContent) -> (name: String, measure: String?) {
    let type = received.requested
    let name = ContentWords.name(of: type)
    let size = Formatting.size(received.count)
    switch received.decoded {
    case .text(let text) where PlainText.reads(type): return (name, ContentWords.length(of: text))
    case .links(let links): return links.count == 1 ? (name, nil) : (Formatting.count(links.count, "link"), nil)
    case .color: return (name, nil)
    case .records(let records):
      let more = records.count == DroppedRecord.most ? " or more" : ""
      return records.count == 1
        ? (name, records[0].details.isEmpty ? nil : Formatting.visible(records[0].details))
        : (Formatting.count(records.count, "contact") + more, nil)
    case .files, .text, nil: break
    }
    let pixels = type.type == "image" ? received.bytes.flatMap(ContentWords.size(ofImage:)) : nil
    return (name, [pixels, size].compactMap(\.self).joined(separator: ", "))
  }

  /// The maximum length of a displayed text, in Unicode scalars; no window shows more.
  static let shownLetters = 16_384

  mutating func shortenText() {
    guard case .text(let text) = content, text.utf8.count > Self.shownLetters else { return }
    content = .text(String(text.unicodeScalars.prefix(Self.shownLetters)) + "…")
  }

  /// Discards the picture and the drag item, but keeps the row.
  mutating func discardContent() {
    picture = nil
    item = nil
    heldBytes = 0
    facts.append(Scene.Pane.Fact("Content", "discarded to make room"))
  }

  var icon: Scene.Icon? {
    switch content {
    case .files(let files):
      files.first.map { file in
        var icon =
          file.isDirectory
          ? Scene.Icon(.folder, type: "inode/directory")
          : Scene.Icon(type: file.type?.name ?? "application/octet-stream", file: file.rawPath)
        icon.isLink = file.isLink
        return icon
      }
    case .text: Scene.Icon(.text, type: document ?? (styled.isEmpty ? "text/plain" : "text/html"))
    case .links: Scene.Icon(.link)
    case .color(let color): Scene.Icon(.color(color))
    case .records, nil: type.map { Scene.Icon(type: TypeDatabase.system.canonical($0).name) }
    }
  }

  /// The type of a document that is shown as text; `nil` for other content.
  private var document: String? {
    type.flatMap { DecodedContent.isTextDocument($0) ? TypeDatabase.system.canonical($0).essence.name : nil }
  }

  /// `nil` if the content cannot be shown.
  var preview: DropHistory.PartPreview? {
    switch content {
    case .files(let files): files.first?.preview
    case .text(let text): .ready(styled.isEmpty ? .text(text) : .styled(styled))
    case .links(let links):
      .ready(.text(links.map { ($0.title.map { $0 + "\n" } ?? "") + $0.url }.joined(separator: "\n\n")))
    case .color(let color): .ready(.color(color, name: title))
    case .records(let records):
      .ready(.text(String(records.map(\.words).joined(separator: "\n\n").prefix(Self.shownLetters))))
    case nil: picture.map { .picture($0) }
    }
  }
}

extension DroppedFile {
  /// The type by the file's name.
  fileprivate var type: ContentType? { rawPath.map { TypeDatabase.system.type(forFileName: $0.lastName) } }

  /// The start of a text file, or the bytes of an image file.
  fileprivate var preview: DropHistory.PartPreview? {
    guard let type, let rawPath, let size else { return nil }
    if type.type == "image", size <= ReceivedContent.readingLimit {
      return Self.read(rawPath, upTo: size).map { .picture($0) }
    }
    let isText = type.type == "text" || DecodedContent.isTextDocument(type)
    guard isText, let bytes = Self.read(rawPath, upTo: 1 << 14) else { return nil }
    // Decoding repairs a character that is cut off at the end.
    let text = String(decoding: bytes, as: UTF8.self)
    guard !DecodedContent.isBinary(text) else { return nil }
    let runs = StyledText.reads(type) ? HTMLRuns(text).textRuns : []
    return .ready(runs.isEmpty ? .text(text) : .styled(runs))
  }

  private static func read(_ path: RawPath, upTo limit: Int) -> [UInt8]? {
    guard let file = try? openFile(path, O_RDONLY) else { return nil }
    defer { close(file) }
    return try? readAll(from: file, upTo: limit)
  }
}
