/// Files, and whether they are to be copied or moved: what file managers put onto the clipboard, and drag too.
public struct CopiedFiles: Hashable, Sendable {
  /// The files.
  public var files: FileList
  /// What is to be done with them.
  public var operation: Operation

  /// What is to be done with files.
  public enum Operation: Hashable, Sendable {
    /// They stay where they are.
    case copy
    /// They were cut out.
    case move
  }

  /// - Parameters:
  ///   - files: The files.
  ///   - operation: What is to be done with them.
  public init(files: FileList, operation: Operation = .copy) {
    self.files = files
    self.operation = operation
  }

  /// The types that can be read, best first.
  public static let importableTypes: [ContentType] = ["x-special/gnome-copied-files", "x-special/mate-copied-files"]

  /// The types to offer, best first. The one of KDE says only the operation, and stands next to a `text/uri-list`.
  public static let exportableTypes: [ContentType] =
    importableTypes + ["application/x-kde-cutselection"] + FileList.exportableTypes

  /// Reads the form of GNOME, or that of KDE, in which the files are missing.
  public init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    switch TextLabel(type).base {
    case "x-special/gnome-copied-files", "x-special/mate-copied-files":
      var lines = URIList.decode(bytes)[...]
      // Nautilus 3.30 and later, where the list is text.
      if lines.first == "x-special/nautilus-clipboard" { lines = lines.dropFirst() }
      switch lines.popFirst() {
      case "copy": operation = .copy
      case "cut": operation = .move
      default: throw .malformed(type, "the first line is neither copy nor cut")
      }
      files = FileList(uris: Array(lines))
    case "application/x-kde-cutselection":
      let digits = bytes.prefix { $0 != 0 && $0 != 0x0A }
      guard digits.elementsEqual([0x30]) || digits.elementsEqual([0x31]) else {
        throw .malformed(type, "it is neither 0 nor 1")
      }
      operation = digits.first == 0x31 ? .move : .copy
      files = FileList(uris: [])
    default: throw .unsupported(type, for: "copied files")
    }
  }

  /// The bytes under one of the names.
  public func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    switch TextLabel(type).base {
    // Nautilus takes a line end after the last one for an empty URI.
    case "x-special/gnome-copied-files", "x-special/mate-copied-files":
      let lines = [operation == .copy ? "copy" : "cut"] + files.uris.filter { !$0.isEmpty }.map(URIList.escaped)
      return Array(lines.joined(separator: "\n").utf8)
    case "application/x-kde-cutselection": return [operation == .move ? 0x31 : 0x30]
    case "text/uri-list": return files.encoded
    default: throw .unsupported(type, for: "copied files")
    }
  }
}
