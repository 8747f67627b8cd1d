import ArgumentParser
import ToolSupport
import XDnD

@main
struct SourceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xdnd-source",
    abstract: "Drag files, text or any bytes out of a terminal.",
    usage: """
      xdnd-source [<options>] <file> ...
      xdnd-source [<options>] --text <text>
      xdnd-source [<options>] --type <mime=@file> ...
      """,
    discussion: """
      Opens a window; drag a row, or the heading for everything at once.

        xdnd-source report.pdf photo.png
        xdnd-source --text 'Hello' --once
        xdnd-source --type image/png=@photo.png --type text/plain=caption
        xdnd-source --clipboard --type image/png=@photo.png

      Exit codes: 0 dropped, 1 refused, 2 cancelled, 3 no target, 4 timed out,
      5 target died, 6 transfer failed, 64 wrong arguments, 69 no display,
      74 server lost.
      """,
    version: "0.1.0")

  @OptionGroup var shared: SharedOptions

  @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Text to drag.", valueName: "text"))
  var text: String?

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Content of a type: MIME=@FILE reads a file when it is asked for, MIME=TEXT is the text itself. Repeat it for "
        + "several types of the same thing, best first.", valueName: "mime=@file"),
    transform: TypedContent.init(argument:))
  var type: [TypedContent] = []

  @Flag(exclusivity: .exclusive)
  var clipboard: ClipboardChoice?

  @Argument(help: "Files to drag, as a list of URIs.", completion: .file())
  var files: [String] = []

  func run() throws {
    // Not in `validate`, which would hide mistakes that the parser finds.
    guard !files.isEmpty || text != nil || !type.isEmpty else {
      throw ValidationError("nothing to drag: name files, or use --text or --type")
    }
    for file in files {
      if let problem = SourceFile.problem(with: file) { throw ValidationError(problem) }
    }
    let types = try type.map { try $0.ready() }
    let rows = SourceRow.rows(files: files, text: text, types: types, operations: shared.action.operations)
    let reporter = Reporter(format: shared.json ? .json : .text)
    let run: () -> ExitStatus
    do {
      if let clipboard {
        run = try ClipboardController(SourceRow.all(rows), on: clipboard, options: shared, reporter: reporter).run
      } else {
        run = try SourceController(rows: rows, options: shared, reporter: reporter).run
      }
    } catch {
      Reporter.complain("xdnd-source", error.message)
      throw ExitCode(ExitStatus(error).rawValue)
    }
    throw ExitCode(run().rawValue)
  }

  static func main() { runAsTool() }
}

/// The value of `--type`.
struct TypedContent: Sendable {
  let type: ContentType
  /// The file that holds the content.
  var path: String?
  /// The content itself, if there is no file.
  var bytes: [UInt8]

  @Sendable init(argument: String) throws {
    let equals = Self.end(ofTypeIn: argument)
    let name = String(argument.unicodeScalars[..<equals])
    guard equals < argument.endIndex, !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw ValidationError("it has to be like image/png=@picture.png or text/plain=Hello")
    }
    // By scalars: an accent at the start of the text makes another character of what stands before it.
    let value = argument.unicodeScalars[argument.unicodeScalars.index(after: equals)...]
    type = ContentType(name)
    path = value.first == "@" ? String(value.dropFirst()) : nil
    bytes = path == nil ? RawArgument.bytes(of: String(value)) : []
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
    guard let path else { return self }
    if let problem = SourceFile.problem(withContentOf: path) { throw ValidationError(problem) }
    guard SourceFile.isStream(path) else { return self }
    guard let bytes = SourceFile.readStream(path) else {
      throw ValidationError("cannot read '\(path)' to its end")
    }
    var ready = self
    ready.path = nil
    ready.bytes = bytes
    return ready
  }
}
