import XDnDToolSupport
import XDnD

extension Clipping {
  /// Returns the files for dropped content: one per link of a list of links, otherwise a single file.
  static func all(of content: LoadedContent, as format: LinkFormat) -> [Clipping] {
    let fallback = Formatting.clippingName()
    // HTML is saved from its decoded value, which has more than the text that ``DecodedContent`` keeps.
    let type = content.requestedType
    if StyledText.reads(type), let text = try? StyledText(decoding: content.bytes, as: type) {
      return [Clipping(text, fallbackName: fallback)]
    }
    switch DecodedContent.decode(content.bytes, requested: type, type: content.type) {
    case .text(let text): return [Clipping(text: text, fallbackName: fallback)]
    case .links(let links) where !links.isEmpty:
      return links.map { Clipping($0, as: format, fallbackName: fallback) }
    case .color(let color): return [Clipping(color, fallbackName: fallback)]
    // Saved as it is: nothing else has all that a record holds, or what cannot be decoded.
    case .files, .links, .records, nil:
      return [Clipping(bytes: content.bytes, of: type, fallbackName: fallback, database: .system)]
    }
  }
}
