import XDnDToolSupport
import XDnD
import ArgumentParser
import XDnDToolWindow
import Glibc

/// The parsed options, apart from the content to drag.
struct SourceSettings {
  var shared: SharedOptions
  var window: WindowOptions
  var drag: DragOptions
  /// Makes the rows, also of file names that arrive later.
  var maker: RowMaker

  /// The library configuration for these options.
  var configuration: Configuration {
    var configuration = shared.configuration
    configuration.quirks = drag.quirks
    return configuration
  }
}

/// How rows are dragged, and when the tool ends.
struct DragOptions: ParsableArguments {
  /// The drop after which the tool ends.
  enum Ending: String {
    /// The first successful drop.
    case first
    /// When each row has been dropped once.
    case all
  }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Exit after one drop, or when all rows were dropped.", valueName: "first|all"),
    transform: { (name: String) throws -> Ending in
      try parsed(Ending(rawValue: name), or: "expected 'first' or 'all'")
    })
  var andExit: Ending?

  @Flag(help: "Start dragging at once, no window; click to drop.")
  var now = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: .hidden(
      "Disable the workaround of this name, or all workarounds. Names: \(Self.quirkNames).", valueName: "name|all"),
    transform: quirks)
  var noQuirk: [Set<Quirk>] = []

  @Option(
    parsing: .unconditional, help: .hidden("Image file to use as the drag image.", valueName: "file"),
    completion: .file())
  var icon: String?

  @Option(parsing: .unconditional, help: .hidden("Number on the drag image's badge; 0 hides it.", valueName: "number"))
  var badge: Int?

  @Option(
    parsing: .unconditional,
    help: .hidden("How long to wait for a drop in progress after a signal. (default: 5)", valueName: "seconds"),
    transform: SecondsArgument.notNegative)
  var grace = 5.0

  @Option(
    parsing: .unconditional,
    help: .hidden(
      "How long to keep serving a target that finished without requesting the content. (default: 10)",
      valueName: "seconds"),
    transform: SecondsArgument.notNegative)
  var linger = 10.0

  /// The workarounds for other programs that stay enabled.
  var quirks: Set<Quirk> { noQuirk.reduce(Quirk.all) { $0.subtracting($1) } }

  private static var quirkNames: String { Quirk.all.map(\.name).sorted().joined(separator: ", ") }

  @Sendable private static func quirks(_ argument: String) throws -> Set<Quirk> {
    if argument == "all" { return Quirk.all }
    let named = Quirk.all.filter { $0.name == argument }
    guard !named.isEmpty else { throw ValidationError("unknown workaround; expected all or one of \(quirkNames)") }
    return named
  }

  /// Loads the image of ``icon``.
  func image() throws -> DragImage? {
    guard let icon else { return nil }
    if let problem = SourceFile.problem(withContentOf: icon) { throw ValidationError(problem) }
    let bitmap = Picture(file: RawArgument.bytes(of: icon), fitting: Self.iconSide).flatMap {
      Bitmap(width: $0.size.width, height: $0.size.height, pixels: $0.pixels)
    }
    return DragImage(try parsed(bitmap, or: "cannot read '\(icon)' as an image"))
  }

  /// The maximum side in pixels; a larger drag image would hide the drop target.
  private static let iconSide = 256

  func check(isOnce: Bool) throws { try reject(andExit != nil && isOnce, "--once cannot be used with --and-exit") }
}

/// The appearance of the window.
struct WindowOptions: ParsableArguments {
  @Flag(help: .hidden("Keep the window above others."))
  var onTop = false

  @Flag(help: .hidden("Open the window at the pointer."))
  var atPointer = false

  @Flag(help: .hidden("Open the window without decorations."))
  var frameless = false

  @Flag(help: .hidden("Show the window on all desktops."))
  var allDesktops = false

  @Option(help: .hidden("Show names, full paths or only icons in rows.", valueName: "form"))
  var rows = RowForm.names

  @Flag(help: .hidden("Do not open items on double click or Ctrl+Return."))
  var noOpen = false

  /// The window manager hints to set.
  var style: WindowStyle {
    var style: WindowStyle = []
    if onTop { style.insert(.onTop) }
    if frameless { style.insert(.frameless) }
    if allDesktops { style.insert(.onAllDesktops) }
    return style
  }
}

/// The form in which rows show files.
enum RowForm: String, CaseIterable, ExpressibleByArgument {
  case names, paths, icons
}

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

/// File names from standard input, and the URIs under which other machines reach the files.
struct ListOptions: ParsableArguments {
  @Flag(help: "Read file names, one per line, as they arrive.")
  var stdin = false

  @Flag(name: [.customShort("0"), .long], help: "Like --stdin, with NUL-terminated names.")
  var null = false

  @Flag(
    name: [.customShort("R"), .long],
    help: .hidden("Offer files as sftp:// URIs of this host, for use over ssh -X."))
  var remote = false

  @Option(
    name: [.customShort("P"), .long], parsing: .unconditional,
    help: .hidden("URI prefix for file paths instead of sftp://, for example smb://server/share.", valueName: "uri"))
  var prefix: String?

  /// Returns the separator of the names on standard input; `nil` if none are read.
  ///
  /// `-` does not select standard input: in other tools it means the input's content, and a file may have that name.
  ///
  /// - Parameter isNeeded: Whether there is nothing else to drag. Standard input is then read if it is a pipe or a
  ///   regular file, but not if it is a terminal, or `/dev/null`, as for programs started by desktops and cron.
  func separator(isNeeded: Bool) -> NameList.Separator? {
    if null { return .nul }
    return stdin || (isNeeded && Self.isStandardInputAList) ? .newline : nil
  }

  private static var isStandardInputAList: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the URI prefix for dragged files; `nil` for local `file:` URIs.
  func remotePrefix() throws -> RemotePrefix? {
    guard let prefix else { return remote ? .current : nil }
    return try parsed(
      RemotePrefix(prefix), or: "--prefix must be a URI such as sftp://user@host or smb://server/share")
  }
}

/// A scripted drop on a window.
struct DropOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Drop on this window without a pointer: its number, part of its name, or 'pick'.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var to: WindowChoice?

  @Option(
    parsing: .unconditional, help: .hidden("Position in the --to window. (default: its center)", valueName: "x,y"),
    transform: place)
  var at: Point?

  @Option(
    parsing: .unconditionalSingleValue,
    help: .hidden("Position to pass before --at; may be repeated.", valueName: "x,y"), transform: place)
  var via: [Point] = []

  @Option(
    parsing: .unconditional,
    help: .hidden("Number of positions to pass on a line from the window's upper left corner.", valueName: "number"))
  var steps: Int?

  func check(isCopied: Bool, isDraggedNow: Bool) throws {
    guard to != nil else {
      return try reject(at != nil || !via.isEmpty || steps != nil, "--at, --via and --steps need --to")
    }
    try reject(isCopied, "--to cannot be used with --clipboard or --primary")
    try reject(isDraggedNow, "--now cannot be used with --to")
    try reject(!via.isEmpty && steps != nil, "--steps cannot be used with --via")
    try reject(steps.map { !(0...10_000 ~= $0) } ?? false, "--steps must be from 0 to 10000")
  }

  /// Returns the points before `end`, without `end` itself, in device pixels, window-local.
  func path(to end: Point) -> [Point] {
    guard let steps, steps > 0 else { return via }
    return (0..<steps).map { Point(x: end.x * $0 / steps, y: end.y * $0 / steps) }
  }

  @Sendable private static func place(_ argument: String) throws -> Point {
    try parsed(Point(argument: argument), or: "expected X,Y, such as 40,30")
  }
}
