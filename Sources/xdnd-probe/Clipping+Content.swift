import ToolSupport
import XDnD

extension Clipping {
  /// The files that content becomes: one, but of several links one each.
  static func all(of content: LoadedContent, as format: LinkFormat) -> [Clipping] {
    let fallback = ClippingTime.name()
    // Of HTML the value is needed, and not only what it says.
    let type = content.requestedType
    if StyledText.reads(type), let text = try? StyledText(decoding: content.bytes, as: type) {
      return [Clipping(text, fallbackName: fallback)]
    }
    switch ArrivedContent(content.bytes, requested: type, type: content.type) {
    case .text(let text): return [Clipping(text: text, fallbackName: fallback)]
    case .links(let links) where !links.isEmpty:
      return links.map { Clipping($0, as: format, fallbackName: fallback) }
    case .color(let color): return [Clipping(color, fallbackName: fallback)]
    // What cannot be read is not lost either.
    case .files, .links, nil:
      return [
        Clipping(bytes: content.bytes, of: type, fallbackName: fallback, database: .system)
      ]
    }
  }
}
