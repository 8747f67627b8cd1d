extension Scene {
  /// The icon of a row: the facts known at once. A thumbnail or theme icon is looked up later.
  ///
  /// A thumbnail takes precedence over the theme's icon of the MIME type, and that over the symbol.
  package struct Icon: Hashable, Sendable {
    package enum Symbol: Hashable, Sendable {
      case folder, document, picture, text, archive, audio, video, link, command
      /// A file of an unknown type.
      case unknown
      /// Several items.
      case several
      /// A color swatch. Components are from 0 to 1, not premultiplied.
      case color(red: Double, green: Double, blue: Double, alpha: Double)
    }

    /// The icon shown until a better one is found.
    package var symbol: Symbol
    /// The MIME type to look up in the icon theme; `nil` if the symbol is the best icon.
    package var type: String?
    /// The absolute path of a file that may have a thumbnail, as file system bytes.
    package var file: [UInt8]?
    /// Whether the file is a symbolic link, which is marked with an arrow.
    package var isLink = false

    package init(_ symbol: Symbol, type: String? = nil, file: [UInt8]? = nil) {
      self.symbol = symbol
      self.type = type
      self.file = file
    }

    /// Creates the icon of a MIME type.
    ///
    /// - Parameter type: A MIME type; `inode/directory` for directories.
    package init(type: String, file: [UInt8]? = nil) {
      self.init(Self.symbol(for: type), type: type, file: file)
    }

    private static func symbol(for type: String) -> Symbol {
      switch type.prefix(while: { $0 != "/" }) {
      case "image": return .picture
      case "audio": return .audio
      case "video": return .video
      case "text": return type.hasPrefix("text/uri-list") || type.hasPrefix("text/x-moz-url") ? .link : .text
      case "inode": return type == "inode/directory" ? .folder : .unknown
      case "application", "font", "model", "message", "multipart", "chemical", "x-content": break
      default: return .unknown
      }
      if type.hasPrefix("application/octet-stream") { return .unknown }
      let name = type.drop { $0 != "/" }
      if archives.contains(where: { name.contains($0) }) { return .archive }
      if scripts.contains(where: { name.contains($0) }) { return .text }
      return name.hasSuffix("x-desktop") ? .link : .document
    }

    private static let archives = [
      "zip", "tar", "compress", "x-xz", "x-bzip", "zstd", "x-rar", "x-7z", "x-deb", "x-rpm",
    ]
    private static let scripts = ["json", "xml", "yaml", "toml", "javascript", "x-shellscript", "x-perl", "x-ruby"]
  }
}
