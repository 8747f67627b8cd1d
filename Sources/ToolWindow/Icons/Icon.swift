extension Scene {
  /// What stands before the name of a row: what is known at once, from which more is found out once the window is there.
  ///
  /// A thumbnail is shown if there is one, else the icon that the desktop's theme has for the type, else the symbol.
  public struct Icon: Hashable, Sendable {
    /// What the tools draw themselves.
    public enum Symbol: Hashable, Sendable {
      case folder
      case document
      case picture
      case text
      case archive
      case audio
      case video
      case link
      case command
      /// Each part from 0 to 1, not premultiplied.
      case color(red: Double, green: Double, blue: Double, alpha: Double)
    }

    /// What is drawn while nothing better is known.
    public var symbol: Symbol
    /// The MIME type that the desktop's theme is asked about; `nil` for what has no better picture than the symbol.
    public var type: String?
    /// The absolute path of a file that may have a thumbnail, as the bytes that the file system has.
    public var file: [UInt8]?

    /// An icon.
    public init(_ symbol: Symbol, type: String? = nil, file: [UInt8]? = nil) {
      self.symbol = symbol
      self.type = type
      self.file = file
    }

    /// The icon of a type.
    ///
    /// - Parameter type: A MIME type; directories are `inode/directory`.
    public init(type: String, file: [UInt8]? = nil) {
      self.init(Self.symbol(for: type), type: type, file: file)
    }

    private static func symbol(for type: String) -> Symbol {
      switch type.prefix(while: { $0 != "/" }) {
      case "image": return .picture
      case "audio": return .audio
      case "video": return .video
      case "text": return type.hasPrefix("text/uri-list") || type.hasPrefix("text/x-moz-url") ? .link : .text
      case "inode": return type == "inode/directory" ? .folder : .document
      default: break
      }
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
