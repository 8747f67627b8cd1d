/// Files with the operation to perform on them, as file managers put them on the clipboard, and also drag them.
public struct CopiedFiles: Hashable, Sendable {
  /// The files.
  public var files: FileList
  /// The operation to perform on the files: ``DragOperation/move`` if they were cut, or else ``DragOperation/copy``.
  public var operation: DragOperation

  /// Creates a list of files with an operation.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - operation: The operation to perform on them.
  public init(files: FileList, operation: DragOperation = .copy) {
    self.files = files
    self.operation = operation
  }

  /// The types that can be decoded, best first.
  package static let importableTypes: [ContentType] = ["x-special/gnome-copied-files", "x-special/mate-copied-files"]

  /// The types to offer, best first. KDE's type holds only the operation and accompanies a `text/uri-list`.
  package static let exportableTypes: [ContentType] =
    importableTypes + ["application/x-kde-cutselection"] + FileList.exportableTypes

  /// Decodes the GNOME format, or KDE's, which lists no files.
  ///
  /// - Throws: ``ContentError`` if `type` is neither, or if the bytes are not valid.
  package init(decoding bytes: [UInt8], as type: ContentType) throws(ContentError) {
    switch TextLabel(type).base {
    case "x-special/gnome-copied-files", "x-special/mate-copied-files":
      var lines = URIList.decode(bytes)[...]
      // The text format of Nautilus 3.30 and later.
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

  /// Encodes the files, the operation, or both, as `type` requires.
  ///
  /// - Throws: ``ContentError`` if ``exportableTypes`` does not contain `type`.
  package func encoded(as type: ContentType) throws(ContentError) -> [UInt8] {
    switch TextLabel(type).base {
    // Nautilus reads a line end after the last line as an empty URI.
    case "x-special/gnome-copied-files", "x-special/mate-copied-files":
      let lines = [operation == .move ? "cut" : "copy"] + files.uris.filter { !$0.isEmpty }.map(URIList.escaped)
      return Array(lines.joined(separator: "\n").utf8)
    case "application/x-kde-cutselection": return [operation == .move ? 0x31 : 0x30]
    case "text/uri-list": return files.encoded
    default: throw .unsupported(type, for: "copied files")
    }
  }
}
