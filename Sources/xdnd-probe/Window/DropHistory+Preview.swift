import Files
import Glibc
import ToolSupport
import ToolWindow
import XDnD

/// The preview of a part of a drop.
enum PartPreview {
  case ready(Scene.Preview)
  /// An encoded image that must be decoded first, which takes time.
  case picture([UInt8])
}

extension DropHistory.Part {
  /// Returns the preview of a drop's parts together.
  static func preview(of parts: [DropHistory.Part]) -> PartPreview? {
    guard parts.count > 1 else { return parts.first?.preview }
    return .ready(.files(parts.map(\.row)))
  }

  var icon: Scene.Icon? {
    switch content {
    case .files(let files):
      files.first.map { file in
        file.isDirectory
          ? Scene.Icon(.folder, type: "inode/directory")
          : Scene.Icon(type: file.type?.name ?? "text/uri-list", file: file.rawPath)
      }
    case .text: Scene.Icon(.text, type: "text/plain")
    case .links: Scene.Icon(.link)
    case .color(let color): Scene.Icon(.color(color.parts))
    case nil: type.map { Scene.Icon(type: $0.name) }
    }
  }

  /// The row in a list of names, which has less room for details.
  private var row: Scene.Row {
    let file = content?.files?.first
    return Scene.Row(
      title, secondary: file == nil ? details : file?.size.map(Humane.size) ?? "", state: state,
      icon: icon)
  }

  private var preview: PartPreview? {
    switch content {
    case .files(let files): files.first.map { $0.preview ?? .ready(.files([row])) }
    case .text(let text): .ready(.text(text))
    case .links(let links):
      .ready(.text(links.map { ($0.title.map { $0 + "\n" } ?? "") + $0.url }.joined(separator: "\n\n")))
    case .color(let color):
      .ready(
        .color(
          red: color.parts.red, green: color.parts.green, blue: color.parts.blue, alpha: color.parts.alpha, name: title)
      )
    case nil: picture.map { .picture($0) }
    }
  }
}

extension DroppedFile {
  /// The type by the file's name.
  fileprivate var type: ContentType? {
    rawPath.map { path in
      let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
      return TypeDatabase.system.type(forFileName: name)
    }
  }

  /// The start of a text file, or the bytes of an image file.
  fileprivate var preview: PartPreview? {
    guard let type, let rawPath, let size else { return nil }
    if type.type == "image", size <= ReceivedContent.readingLimit {
      return Self.read(rawPath, upTo: size).map { .picture($0) }
    }
    guard type.type == "text", let bytes = Self.read(rawPath, upTo: 1 << 14) else { return nil }
    // Decoding repairs a character that is cut off at the end.
    let text = String(decoding: bytes, as: UTF8.self)
    return .ready(.text(text))
  }

  private static func read(_ path: [UInt8], upTo limit: Int) -> [UInt8]? {
    let descriptor = withCPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = Glibc.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}

extension Color {
  /// The components from 0 to 1.
  fileprivate var parts: (red: Double, green: Double, blue: Double, alpha: Double) {
    func part(_ value: UInt16) -> Double { Double(value) / Double(UInt16.max) }
    return (part(red), part(green), part(blue), part(alpha))
  }
}

extension Scene.Icon.Symbol {
  fileprivate static func color(_ parts: (red: Double, green: Double, blue: Double, alpha: Double)) -> Self {
    .color(red: parts.red, green: parts.green, blue: parts.blue, alpha: parts.alpha)
  }
}
