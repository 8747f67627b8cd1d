import ArgumentParser
import XDnDToolSupport
import XDnD

/// The value of `--type`: a MIME type and its content.
struct TypedContent: Sendable {
  enum Source: Sendable {
    /// In the argument itself.
    case bytes([UInt8])
    /// In a file that is read on request.
    case file(String)
    /// The standard output of a shell command that is run on request.
    case command(String)
  }

  let type: ContentType
  private(set) var source: Source

  @Sendable init(argument: String) throws {
    let equals = Self.end(ofTypeIn: argument)
    let name = String(argument.unicodeScalars[..<equals])
    guard equals < argument.endIndex, !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw ValidationError("expected MIME=@FILE, MIME=TEXT or MIME=!COMMAND, such as image/png=@picture.png")
    }
    type = ContentType(name)
    // Splits by scalars: a combining mark at the start of the text would merge with the `=` into one character.
    let value = argument.unicodeScalars[argument.unicodeScalars.index(after: equals)...]
    let rest = String(value.dropFirst())
    source =
      switch value.first {
      case "@": .file(rest)
      case "!": .command(rest)
      // Escapes text that begins with `@`, `!` or `=`.
      case "=": .bytes(RawArgument.bytes(of: rest))
      default: .bytes(RawArgument.bytes(of: String(value)))
      }
    if case .command(let command) = source, command.allSatisfy(\.isWhitespace) {
      throw ValidationError("missing command after '!'")
    }
  }

  /// Returns the first `=` that does not belong to a parameter of the type, such as `;charset=utf-8`.
  private static func end(ofTypeIn argument: String) -> String.Index {
    let scalars = argument.unicodeScalars
    guard var end = scalars.firstIndex(of: "=") else { return scalars.endIndex }
    while let semicolon = scalars[..<end].lastIndex(of: ";"), !scalars[semicolon..<end].contains("=") {
      guard let next = scalars[scalars.index(after: end)...].firstIndex(of: "=") else { return scalars.endIndex }
      end = next
    }
    return end
  }

  /// Returns the content with a stream already read, because it can be read only once but requested repeatedly.
  func ready() throws -> TypedContent {
    guard case .file(let path) = source else { return self }
    if let problem = SourceFile.problem(withContentOf: path) { throw ValidationError(problem) }
    guard SourceFile.isStream(path) else { return self }
    let bytes = SourceFile.read(RawArgument.bytes(of: path), upTo: SourceFile.streamLimit)
    var ready = self
    ready.source = .bytes(
      try parsed(bytes, or: "cannot read '\(path)': read error, or more than \(SourceFile.streamLimit >> 20) MiB"))
    return ready
  }

  /// The maximum size of a file offered as a color, in bytes; a color has 8.
  private static let colorLimit = 1 << 10

  func promise(in item: inout DragItem, running commands: CommandQueue) {
    switch source {
    // A color is transferred as 16-bit elements (format 16), as GTK and Qt do.
    case .bytes(let bytes) where type == .color: item.promise(type) { $0.fulfill(bytes, in: .short) }
    case .file(let path) where type == .color:
      item.promise(type) { request in
        guard let bytes = SourceFile.read(RawArgument.bytes(of: path), upTo: Self.colorLimit) else {
          return request.refuse()
        }
        request.fulfill(bytes, in: .short)
      }
    case .bytes(let bytes): item.promise(type, bytes: bytes)
    case .file(let path): item.promise(type, contentsOfFile: RawArgument.bytes(of: path))
    case .command(let command): item.promise(type) { commands.fulfill($0, with: command) }
    }
  }

  /// Returns the content as a file promise. Content from a file keeps the file's name.
  func file(named name: String?, fallbackName: String, running commands: CommandQueue) -> FilePromise {
    let name = name ?? clippingName(fallbackName)
    switch source {
    case .bytes(let bytes): return FilePromise(named: name, type: type, bytes: bytes)
    case .command(let command):
      return FilePromise(named: name, type: type) { commands.fulfill($0, with: command) }
    case .file(let path):
      var file = SourceFile(path).copy(named: name)
      file.type = type
      return file
    }
  }

  private func clippingName(_ fallbackName: String) -> String {
    func name(suggested suggestion: String?) -> String {
      Clipping.name(for: type, suggestedName: suggestion, fallbackName: fallbackName, database: .system)
    }
    switch source {
    case .bytes(let bytes): return Clipping(bytes: bytes, of: type, fallbackName: fallbackName, database: .system).name
    case .file(let path): return name(suggested: SourceFile(path).name)
    case .command: return name(suggested: nil)
    }
  }
}
