import ArgumentParser
import ToolSupport
import XDnD

/// Content to drag in addition to files. The order on the command line is the order of fidelity.
struct ContentOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditionalSingleValue, help: ArgumentHelp("Text to drag.", valueName: "text"),
    transform: OfferedContent.text)
  var text: [OfferedContent] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("HTML to drag, and plain text made of it.", valueName: "html"),
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
      "Bytes of a type: MIME=@FILE, MIME=!COMMAND, MIME=TEXT. Repeat it for several types, best first.",
      valueName: "mime=content"),
    transform: OfferedContent.typed)
  var type: [OfferedContent] = []

  @Option(
    name: .customLong("save-as"), parsing: .unconditional,
    help: ArgumentHelp("Promise a file of this name, written at the drop.", valueName: "name"))
  var saveAs: String?

  @Flag(
    name: .long,
    help: ArgumentHelp("Promise copies of the files: nobody can move the originals.", visibility: .hidden))
  var promise = false

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Offer exactly what is said: content and no file made of it, files and none of their content.",
      visibility: .hidden))
  var exact = false

  @Flag(
    name: .customLong("content-first"),
    help: ArgumentHelp("Offer what is in a file before the file itself.", visibility: .hidden))
  var contentFirst = false

  @Option(
    name: .customLong("max-commands"), parsing: .unconditional,
    help: ArgumentHelp(
      "How many commands of --type run at once; others wait. (default: \(CommandQueue.usualLimit))",
      valueName: "number", visibility: .hidden))
  var maxCommands = CommandQueue.usualLimit

  /// All content options, in no particular order.
  var contents: [OfferedContent] { text + html + uri + color + type }

  func checkRepetitions() throws {
    for (name, values) in [("text", text), ("html", html), ("uri", uri), ("color", color)] where values.count > 1 {
      throw ValidationError("--\(name) can be given once: all content is one thing, in several types")
    }
  }

  /// - Parameters:
  ///   - files: The number of files to drag.
  ///   - isOpen: Whether more file names may come from standard input.
  func checkPromises(files: Int, isOpen: Bool, isCopied: Bool) throws {
    guard !isCopied || (saveAs == nil && !promise) else {
      throw ValidationError("a clipboard has no place to save a file in: --save-as and --promise are for drags")
    }
    if promise, files == 0, !isOpen { throw ValidationError("--promise is about files, and there are none") }
    guard !exact || (saveAs == nil && !promise) else {
      throw ValidationError("--exact offers no files, --save-as and --promise do")
    }
    guard !contentFirst || (!exact && !promise && saveAs == nil) else {
      throw ValidationError(
        "--content-first is about files that are dragged as they are: leave out --exact, --promise and --save-as")
    }
    guard maxCommands > 0 else { throw ValidationError("--max-commands has to be 1 or more") }
    guard let saveAs else { return }
    guard files + (contents.isEmpty ? 0 : 1) == 1, !isOpen else {
      throw ValidationError("--save-as names one file, and there are several things to drag")
    }
    guard FileName.sanitized(Array(saveAs.utf8)) == saveAs else {
      throw ValidationError("'\(saveAs)' cannot be the name of a file")
    }
  }
}
