import ArgumentParser
import XDnDToolSupport
import XDnD

/// Content to drag in addition to files. The order on the command line is the order of fidelity.
struct ContentOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue, help: ArgumentHelp("Text to drag.", valueName: "text"),
    transform: OfferedContent.text)
  var text: [OfferedContent] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: .hidden("HTML to drag; plain text is derived from it.", valueName: "html"),
    transform: OfferedContent.html)
  var html: [OfferedContent] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("URI to drag; a space and a title may follow.", valueName: "uri"),
    transform: OfferedContent.link)
  var uri: [OfferedContent] = []

  @Option(
    parsing: .unconditionalSingleValue, help: .hidden("Color to drag, for example #3584e4.", valueName: "color"),
    transform: OfferedContent.color)
  var color: [OfferedContent] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Content of a MIME type: MIME=@FILE, MIME=!COMMAND or MIME=TEXT. May be repeated, best type first.",
      valueName: "mime=content"),
    transform: OfferedContent.typed)
  var type: [OfferedContent] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Offer a file of this name, written when dropped.", valueName: "name"))
  var saveAs: String?

  @Flag(help: .hidden("Offer copies of the files, so that the target cannot move the originals."))
  var promise = false

  @Flag(help: .hidden("Offer only what is given: no file made from content, no path of files as text."))
  var exact = false

  @Flag(help: .hidden("Offer a file's content before the file itself."))
  var contentFirst = false

  @Option(
    parsing: .unconditional,
    help: .hidden("Maximum number of --type commands that run at once; others wait.", valueName: "number"))
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
    try reject(
      isCopied && (saveAs != nil || promise), "--save-as and --promise cannot be used with --clipboard or --primary")
    try reject(promise && files == 0 && !isOpen, "--promise needs at least one file")
    try reject(exact && (saveAs != nil || promise), "--exact cannot be used with --save-as or --promise")
    try reject(
      contentFirst && (exact || promise || saveAs != nil),
      "--content-first cannot be used with --exact, --promise or --save-as")
    try reject(maxCommands < 1, "--max-commands must be at least 1")
    guard let saveAs else { return }
    try reject(files + (contents.isEmpty ? 0 : 1) != 1 || isOpen, "--save-as needs exactly one item to drag")
    try reject(FileName.sanitized(Array(saveAs.utf8)) != saveAs, "'\(saveAs)' is not a valid file name")
  }
}
