import ArgumentParser
import ToolSupport
import XDnD

/// The value of `--type`.
struct TypedContent: Sendable {
  /// Where the content comes from.
  enum Source: Sendable {
    /// It is in the argument.
    case bytes([UInt8])
    /// Read when it is asked for.
    case file(String)
    /// Run by the shell when it is asked for; its standard output is the content.
    case command(String)
  }

  let type: ContentType
  private(set) var source: Source

  @Sendable init(argument: String) throws {
    let equals = Self.end(ofTypeIn: argument)
    let name = String(argument.unicodeScalars[..<equals])
    guard equals < argument.endIndex, !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw ValidationError("it has to be like image/png=@picture.png, text/plain=Hello or text/plain=!date")
    }
    type = ContentType(name)
    // By scalars: an accent at the start of the text makes another character of what stands before it.
    let value = argument.unicodeScalars[argument.unicodeScalars.index(after: equals)...]
    let rest = String(value.dropFirst())
    source =
      switch value.first {
      case "@": .file(rest)
      case "!": .command(rest)
      // So that text can begin with any of the three.
      case "=": .bytes(RawArgument.bytes(of: rest))
      default: .bytes(RawArgument.bytes(of: String(value)))
      }
    if case .command(let command) = source, command.allSatisfy(\.isWhitespace) {
      throw ValidationError("there is no command after the !")
    }
  }

  /// The first `=` that does not belong to a parameter of the type, such as `;charset=utf-8`.
  private static func end(ofTypeIn argument: String) -> String.Index {
    let scalars = argument.unicodeScalars
    guard var end = scalars.firstIndex(of: "=") else { return scalars.endIndex }
    while let semicolon = scalars[..<end].lastIndex(of: ";"), !scalars[semicolon..<end].contains("=") {
      guard let next = scalars[scalars.index(after: end)...].firstIndex(of: "=") else { return scalars.endIndex }
      end = next
    }
    return end
  }

  /// The content with all that can be read once only already read, for it may be asked for often.
  func ready() throws -> TypedContent {
    guard case .file(let path) = source else { return self }
    if let problem = SourceFile.problem(withContentOf: path) { throw ValidationError(problem) }
    guard SourceFile.isStream(path) else { return self }
    guard let bytes = SourceFile.readStream(path) else {
      throw ValidationError("cannot read '\(path)' to its end")
    }
    var ready = self
    ready.source = .bytes(bytes)
    return ready
  }

  /// The longest file that is read as a colour, in bytes: a colour has 8.
  private static let colorLimit = 1 << 10

  /// Adds it to an item.
  func promise(in item: inout DragItem, running commands: CommandQueue) {
    switch source {
    // Numbers of 16 bits, and not bytes, as GTK and Qt have it.
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

  /// The content as a file: under its own name if it comes from one.
  func file(named name: String?, fallbackName: String, running commands: CommandQueue) -> FilePromise {
    var suggestion = name
    if case .file(let path) = source { suggestion = name ?? SourceFile(path).name }
    let leaf =
      name
      ?? Clipping.name(for: type, suggestedName: suggestion, fallbackName: fallbackName, database: .system)
    var file = FilePromise(named: leaf, type: type) { [source] request in
      switch source {
      case .bytes(let bytes): request.fulfill(bytes)
      case .file(let path): request.fulfill(contentsOfFile: RawArgument.bytes(of: path))
      case .command(let command): commands.fulfill(request, with: command)
      }
    }
    file.byteCount =
      switch source {
      case .bytes(let bytes): bytes.count
      case .file(let path): SourceFile(path).size
      case .command: nil
      }
    return file
  }
}

extension FilePromise {
  /// A clipping as a file.
  init(_ clipping: Clipping, named name: String?) {
    self.init(named: name ?? clipping.name, type: clipping.type, bytes: clipping.bytes)
  }
}
