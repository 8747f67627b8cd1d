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
    help: ArgumentHelp("HTML to drag; plain text is derived from it.", valueName: "html"),
    transform: OfferedContent.html)
  var html: [OfferedContent] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("URI to drag; a space and a title may follow.", valueName: "uri"),
    transform: OfferedContent.link)
  var uri: [OfferedContent] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Color to drag, for example #3584e4.", valueName: "color"), transform: OfferedContent.color)
  var color: [OfferedContent] = []

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Content of a MIME type: MIME=@FILE, MIME=!COMMAND or MIME=TEXT. May be repeated, best type first.",
      valueName: "mime=content"),
    transform: OfferedContent.typed)
  var type: [OfferedContent] = []

  @Option(
    name: .customLong("save-as"), parsing: .unconditional,
    help: ArgumentHelp("Offer a file of this name, written when dropped.", valueName: "name"))
  var saveAs: String?

  @Flag(
    name: .long,
    help: ArgumentHelp("Offer copies of the files, so that the target cannot move the originals.", visibility: .hidden))
  var promise = false

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "Offer only what is given: no file made from content, no content of files.",
      visibility: .hidden))
  var exact = false

  @Flag(
    name: .customLong("content-first"),
    help: ArgumentHelp("Prefer a file's content over the file itself.", visibility: .hidden))
  var contentFirst = false

  @Option(
    name: .customLong("max-commands"), parsing: .unconditional,
    help: ArgumentHelp(
      "Maximum number of --type commands that run at once; others wait.",
      valueName: "number", visibility: .hidden))
  var maxCommands = CommandQueue.usualLimit

  /// All content options, in no particular order.
  var contents: [OfferedContent] { text + html + uri + color + type }

  func checkRepetitions() throws {
    for (name, values) in [("text", text), ("html", html), ("uri", uri), ("color", color)] where values.count > 1 {
      throw ValidationError("--\(name) cannot be repeated")
    }
  }

  /// - Parameters:
  ///   - files: The number of files to drag.
  ///   - isOpen: Whether more file names may come from standard input.
  func checkPromises(files: Int, isOpen: Bool, isCopied: Bool) throws {
    guard !isCopied || (saveAs == nil && !promise) else {
      throw ValidationError("--save-as and --promise cannot be used with --clipboard or --primary")
    }
    if promise, files == 0, !isOpen { throw ValidationError("--promise needs at least one file") }
    guard !exact || (saveAs == nil && !promise) else {
      throw ValidationError("--exact cannot be used with --save-as or --promise")
    }
    guard !contentFirst || (!exact && !promise && saveAs == nil) else {
      throw ValidationError(
        "--content-first cannot be used with --exact, --promise or --save-as")
    }
    guard maxCommands > 0 else { throw ValidationError("--max-commands must be at least 1") }
    guard let saveAs else { return }
    guard files + (contents.isEmpty ? 0 : 1) == 1, !isOpen else {
      throw ValidationError("--save-as needs exactly one item to drag")
    }
    guard FileName.sanitized(Array(saveAs.utf8)) == saveAs else {
      throw ValidationError("'\(saveAs)' is not a valid file name")
    }
  }
}
