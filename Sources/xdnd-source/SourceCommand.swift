import ArgumentParser
import ToolSupport
import XDnD

@main
struct SourceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xdnd-source",
    abstract: "Drag files, text or any bytes out of a terminal.",
    discussion: """
      Opens a window; drag a row, or the heading for everything at once.

        xdnd-source report.pdf photo.png
        xdnd-source --text 'Hello' --once
        xdnd-source --type image/png=@photo.png --type text/plain=caption

      Exit codes: 0 dropped, 1 refused, 2 cancelled, 3 no target, 4 timed out, 5 target died, 6 transfer failed,
      64 wrong arguments, 69 no display, 74 server lost.
      """,
    version: "0.1.0")

  @OptionGroup var shared: SharedOptions

  @Option(name: .long, help: ArgumentHelp("Text to drag.", valueName: "text"))
  var text: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Content of a type: MIME=@FILE reads a file when it is asked for, MIME=TEXT is the text itself. Repeat it for "
        + "several types of the same thing, best first.", valueName: "mime=@file"))
  var type: [TypedContent] = []

  @Argument(help: "Files to drag, as a list of URIs.", completion: .file())
  var files: [String] = []

  func validate() throws {
    guard !files.isEmpty || text != nil || !type.isEmpty else {
      throw ValidationError("nothing to drag: name files, or use --text or --type")
    }
    for path in files + type.compactMap(\.path) {
      if let problem = SourceFile.problem(with: path) { throw ValidationError(problem) }
    }
  }

  func run() throws {
    let rows = SourceRow.rows(files: files, text: text, types: type, operations: shared.action.operations)
    let reporter = Reporter(format: shared.json ? .json : .text)
    let controller: SourceController
    do {
      controller = try SourceController(rows: rows, options: shared, reporter: reporter)
    } catch {
      Reporter.complain("xdnd-source", error.message)
      throw ExitCode(ExitStatus(error).rawValue)
    }
    throw ExitCode(controller.run().rawValue)
  }

  static func main() { runAsTool() }
}

/// The value of `--type`.
struct TypedContent: ExpressibleByArgument {
  let type: ContentType
  /// The file that holds the content.
  let path: String?
  /// The content itself, if there is no file.
  let bytes: [UInt8]

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    let name = String(argument[..<equals])
    let value = argument[argument.index(after: equals)...]
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    type = ContentType(name)
    path = value.first == "@" ? String(value.dropFirst()) : nil
    bytes = path == nil ? Array(value.utf8) : []
  }
}
