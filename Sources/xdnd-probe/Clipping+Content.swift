import ToolSupport
import XDnD

extension Clipping {
  /// The files that content becomes: one, but of several links one each.
  static func all(of content: LoadedContent, as format: LinkFormat) -> [Clipping] {
    let fallback = ClippingTime.name()
    // Of HTML the value is needed, and not only what it says.
    if content.requestedType == .html, let text = try? StyledText(decoding: content.bytes, as: .html) {
      return [Clipping(text, fallbackName: fallback)]
    }
    switch ArrivedContent(content.bytes, requested: content.requestedType, type: content.type) {
    case .text(let text): return [Clipping(text: text, fallbackName: fallback)]
    case .links(let links) where !links.isEmpty:
      return links.map { Clipping($0, as: format, fallbackName: fallback) }
    case .color(let color): return [Clipping(color, fallbackName: fallback)]
    // What cannot be read is not lost either.
    case .files, .links, nil:
      return [
        Clipping(bytes: content.bytes, of: content.requestedType, fallbackName: fallback, database: .system)
      ]
    }
  }
}
