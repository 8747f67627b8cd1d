package import XDnDToolWindow
package import XDnD

/// Descriptions of content for the user, who need not know MIME types.
package enum ContentWords {
  /// Returns the name of a type, such as `PNG image`. A type without such a name keeps its name on the wire, escaped
  /// for display.
  package static func name(of type: ContentType) -> String {
    if PlainText.reads(type) { return "Text" }
    if StyledText.reads(type) { return "HTML" }
    if let name = names[type.essence] { return name }
    guard let kind = type.type, ["image", "audio", "video", "text"].contains(kind) else {
      return Formatting.visible(type.name)
    }
    return name(ofFormat: type, kind)
  }

  /// Returns the number of characters; for a long text its size, because counting takes time.
  package static func length(of text: String) -> String {
    let size = text.utf8.count
    return size <= longestCounted ? Formatting.count(text.count, "character") : Formatting.size(size)
  }

  /// Describes a folder: `folder of 12.0 MiB`, or `folder` if it contains no bytes.
  package static func folder(of byteCount: Int) -> String {
    byteCount > 0 ? "folder of \(Formatting.size(byteCount))" : "folder"
  }

  /// Returns the size of an image in pixels, such as `40 × 30`; `nil` if its header cannot be read.
  ///
  /// - Parameter file: The image as an encoded file.
  package static func size(ofImage file: [UInt8]) -> String? {
    ImageHeader(file).map { "\($0.size.width) × \($0.size.height)" }
  }

  /// The longest text whose characters are counted, in bytes. Counting them takes less than a millisecond.
  private static let longestCounted = 1 << 16

  private static let names: [ContentType: String] = [
    "text/plain": "Text", .uriList: "List of files", .directSave: "File", .color: "Color", .mozURL: "Link",
    .netscapeURL: "Link", .pdf: "PDF document", .rtf: "Formatted text", "text/rtf": "Formatted text",
    "text/markdown": "Markdown text", .json: "JSON data", .xml: "XML data", "text/xml": "XML data",
    "text/vcard": "Contact card", "text/x-vcard": "Contact card", "text/directory": "Contact card",
    "text/calendar": "Calendar entry", "text/x-vcalendar": "Calendar entry", "application/ics": "Calendar entry",
    "message/rfc822": "Mail message", "application/zip": "ZIP archive", .data: "Binary data",
  ]

  /// Returns `PNG image` for `image/png`. A long subtype is not a readable word: the result is then `Image`.
  private static func name(ofFormat type: ContentType, _ kind: String) -> String {
    let base = type.subtype?.prefix { $0 != "+" } ?? ""
    let format = base.hasPrefix("x-") ? base.dropFirst(2) : base
    let isWord = (2...5).contains(format.count) && format.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return isWord ? "\(format.uppercased()) \(kind)" : kind.prefix(1).uppercased() + kind.dropFirst()
  }
}

/// The header of an encoded image: a PNG, JPEG or GIF file.
package struct ImageHeader: Equatable, Sendable {
  /// In the image's own pixels, at least 1 × 1.
  package let size: PixelSize

  /// Reads the header without decoding the image; `nil` for other formats and for damaged headers.
  package init?(_ file: [UInt8]) {
    guard let size = Self.png(file) ?? Self.gif(file) ?? Self.jpeg(file), size.width > 0, size.height > 0 else {
      return nil
    }
    self.size = size
  }

  /// PNG, section 11.2.2: the first chunk is IHDR, which begins with width and height.
  private static func png(_ file: [UInt8]) -> PixelSize? {
    guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), file.count >= 24 else { return nil }
    guard file[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    return PixelSize(width: bigEndian(file[16..<20]), height: bigEndian(file[20..<24]))
  }

  /// GIF89a, section 18: the logical screen follows the signature.
  private static func gif(_ file: [UInt8]) -> PixelSize? {
    guard file.starts(with: "GIF8".utf8), file.count >= 10 else { return nil }
    return PixelSize(width: bigEndian(file[6..<8].reversed()), height: bigEndian(file[8..<10].reversed()))
  }

  /// JPEG (ITU T.81), section B.2.2: the frame header is the first segment with a marker SOF0 to SOF15.
  private static func jpeg(_ file: [UInt8]) -> PixelSize? {
    guard file.starts(with: [0xFF, 0xD8]) else { return nil }
    var index = 2
    while index + 9 <= file.count, file[index] == 0xFF {
      let marker = file[index + 1]
      switch marker {
      // A fill byte before the marker.
      case 0xFF: index += 1
      // The markers DHT, JPG and DAC lie within this range, and begin no frame.
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        return PixelSize(
          width: bigEndian(file[(index + 7)..<(index + 9)]), height: bigEndian(file[(index + 5)..<(index + 7)]))
      default: index += 2 + max(2, bigEndian(file[(index + 2)..<(index + 4)]))
      }
    }
    return nil
  }

  private static func bigEndian(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
