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
      xdnd-source [<options>] --type <mime=content> ...
      """,
    discussion: """
      Opens a window; drag a row, or the heading for everything at once.

        xdnd-source report.pdf photo.png
        xdnd-source --text 'Hello' --once
        xdnd-source --uri 'https://swift.org/ The Swift site'
        xdnd-source --save-as list.txt --type 'text/plain=!ls -l'
        xdnd-source --type image/png=@photo.png --type text/csv='!make table'
        xdnd-source --clipboard --type image/png=@photo.png

      Exit codes: 0 dropped, 1 refused, 2 cancelled, 3 no target, 4 timed out,
      5 target died, 6 transfer failed, 64 wrong arguments, 69 no display,
      74 server lost.
      """,
    version: "0.1.0")

  // What is dragged; the order on the command line is the order of fidelity.

  @Option(
    name: .long, parsing: .unconditionalSingleValue, help: ArgumentHelp("Text to drag.", valueName: "text"),
    transform: OfferedContent.text)
  var text: [OfferedContent] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("HTML to drag, with plain text for those that know no HTML.", valueName: "html"),
    transform: OfferedContent.html)
  var html: [OfferedContent] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A link to drag; what follows a space is its title.", valueName: "uri"),
    transform: OfferedContent.link)
  var uri: [OfferedContent] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A colour to drag, like #3584e4.", valueName: "color"), transform: OfferedContent.color)
  var color: [OfferedContent] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Content of a type: MIME=@FILE reads a file and MIME=!COMMAND runs a command when it is asked for, MIME=TEXT is "
        + "the text itself, MIME==TEXT also if it begins with @, ! or =. Repeat it for several types of the same thing, best first.",
      valueName: "mime=content"),
    transform: OfferedContent.typed)
  var type: [OfferedContent] = []

  @Option(
    name: .customLong("save-as"), parsing: .unconditional,
    help: ArgumentHelp(
      "Promise a file of this name: it is written when it has been dropped, where the file manager wants it. "
        + "Without this option the name follows from the content.", valueName: "name"))
  var saveAs: String?

  @Flag(
    name: .long,
    help: "Promise copies of the files and folders, written where they are wanted: nobody can move the originals.")
  var promise = false

  @Flag(
    name: .long,
    help: "Offer exactly these types. Otherwise file managers can have the content as a file, by direct save (XDS).")
  var exact = false

  @Flag(exclusivity: .exclusive)
  var clipboard: ClipboardChoice?

  @OptionGroup var shared: SharedOptions

  @Argument(help: "Files to drag: as files, and as their content.", completion: .file())
  var files: [String] = []

  func run() throws {
    try shared.validateFaults(of: .source)
    // Not in `validate`, which would hide mistakes that the parser finds.
    let contents = text + html + uri + color + type
    guard !files.isEmpty || !contents.isEmpty else {
      throw ValidationError("nothing to drag: name files, or use --text, --html, --uri, --color or --type")
    }
    for (name, values) in [("text", text), ("html", html), ("uri", uri), ("color", color)] where values.count > 1 {
      throw ValidationError("--\(name) can be given once: all content is one thing, in several types")
    }
    for file in files {
      if let problem = SourceFile.problem(with: file) { throw ValidationError(problem) }
    }
    try checkPromises(hasContents: !contents.isEmpty)
    let rows = SourceRow.rows(
      files: files, contents: try OfferedContent.sorted(contents).ready(), operations: shared.operations(),
      isPromising: promise, isExact: exact, savingAs: saveAs)
    let reporter = Reporter(format: shared.json ? .json : .text)
    let run: () -> ExitStatus
    do {
      if let clipboard {
        run = try ClipboardController([SourceRow.copy(of: rows)], on: clipboard, options: shared, reporter: reporter)
          .run
      } else {
        run = try SourceController(rows: rows, options: shared, reporter: reporter).run
      }
    } catch {
      Reporter.complain("xdnd-source", error.message)
      throw ExitCode(ExitStatus(error).rawValue)
    }
    throw ExitCode(run().rawValue)
  }

  private func checkPromises(hasContents: Bool) throws {
    guard clipboard == nil || (saveAs == nil && !promise) else {
      throw ValidationError("a clipboard has no place to save a file in: --save-as and --promise are for drags")
    }
    if promise, files.isEmpty { throw ValidationError("--promise is about files, and there are none") }
    guard !exact || (saveAs == nil && !promise) else {
      throw ValidationError("--exact offers no files, --save-as and --promise do")
    }
    guard let saveAs else { return }
    guard files.count + (hasContents ? 1 : 0) == 1 else {
      throw ValidationError("--save-as names one file, and there are several things to drag")
    }
    guard FileName.sanitized(Array(saveAs.utf8)) == saveAs else {
      throw ValidationError("'\(saveAs)' cannot be the name of a file")
    }
  }

  static func main() { runAsTool() }
}
