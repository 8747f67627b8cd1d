import XDnDToolWindow
package import XDnD

/// What content is, in words for the user, who need not know MIME types.
package enum ContentWords {
  /// Returns the name of a type, such as `PNG image`. A type without a name of its own keeps that of the wire, escaped for
  /// display.
  package static func name(of type: ContentType) -> String {
    if PlainText.reads(type) { return "Text" }
    if StyledText.reads(type) { return "HTML" }
    if let name = names[type.essence] { return name }
    switch type.type {
    case "image": return name(ofFormat: type, "image")
    case "audio": return name(ofFormat: type, "audio")
    case "video": return name(ofFormat: type, "video")
    case "text": return name(ofFormat: type, "text")
    default: return Formatting.visible(type.name)
    }
  }

  /// Returns the length of a text in characters; of a long one its size, because counting takes time.
  package static func length(of text: String) -> String {
    let size = text.utf8.count
    return size <= longestCounted ? Formatting.count(text.count, "character") : Formatting.size(size)
  }

  /// Returns what a folder is: `folder of 12.0 MiB`, or `folder` if there are no bytes in it.
  package static func folder(of byteCount: Int) -> String {
    byteCount > 0 ? "folder of \(Formatting.size(byteCount))" : "folder"
  }

  /// Returns the size of an image in pixels, such as `40 × 30`; `nil` if its header cannot be read.
  ///
  /// - Parameter file: The image as an encoded file.
  package static func size(ofImage file: [UInt8]) -> String? {
    ImageHeader(file).map { "\($0.size.width) × \($0.size.height)" }
  }

  /// Counted within a millisecond.
  private static let longestCounted = 1 << 16

  private static let names: [ContentType: String] = [
    "text/plain": "Text", .uriList: "List of files", .directSave: "File", .color: "Color", .mozURL: "Link",
    .netscapeURL: "Link", .pdf: "PDF document", .rtf: "Formatted text", "text/rtf": "Formatted text",
    "text/markdown": "Markdown text", .json: "JSON data", .xml: "XML data", "text/xml": "XML data",
    "text/vcard": "Contact card", "text/x-vcard": "Contact card", "text/directory": "Contact card",
    "text/calendar": "Calendar entry", "text/x-vcalendar": "Calendar entry", "application/ics": "Calendar entry",
    "message/rfc822": "Mail message", "application/zip": "ZIP archive", .data: "Binary data",
  ]

  /// Returns `PNG image` for `image/png`. Long subtypes are no words, so only the kind is left of them.
  private static func name(ofFormat type: ContentType, _ kind: String) -> String {
    let base = type.subtype?.prefix { $0 != "+" } ?? ""
    let format = base.hasPrefix("x-") ? base.dropFirst(2) : base
    let isWord = (2...5).contains(format.count) && format.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isWord ? "\(format.uppercased()) \(kind)" : kind.prefix(1).uppercased() + kind.dropFirst()
  }
}
