import ArgumentParser
import XDnDToolSupport
import XDnD

@main
struct SourceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xdnd-source",
    abstract: "Drag files, text or other data from a terminal into any window.",
    usage: "xdnd-source [<options>] [<file> ...]",
    discussion: """
      Opens a window. Drag a row for one item, or the heading for all of them.

        xdnd-source report.pdf photo.png
        find . -name '*.png' -print0 | xdnd-source -0 --and-exit first
        xdnd-source --type image/png=@photo.png --type text/csv='!make table'
        xdnd-source --to GIMP photo.png

      All options: --help-hidden. Exit statuses: man xdnd-source.
      """,
    version: toolVersion)

  @Argument(help: "Files to drag.", completion: .file())
  var files: [String] = []

  @OptionGroup(title: "What") var content: ContentOptions
  @OptionGroup(title: "What") var list: ListOptions
  @OptionGroup(title: "How") var drag: DragOptions
  @OptionGroup(title: "How") var course: DropOptions

  @Flag(exclusivity: .exclusive)
  var clipboard: ClipboardChoice?

  @OptionGroup(title: "How") var window: WindowOptions
  @OptionGroup var shared: SharedOptions

  func run() throws {
    // Checked here and not in `validate`, which would mask errors that the parser reports.
    let contents = content.contents
    let isNothing = files.isEmpty && contents.isEmpty
    let names = list.separator(isNeeded: isNothing).map { NameReader(separatedBy: $0) }
    try reject(
      isNothing && names == nil, "nothing to drag: give file names, or use --text, --html, --uri, --color or --type")
    try content.checkRepetitions()
    for file in files {
      if let problem = SourceFile.problem(with: file) { throw ValidationError(problem) }
    }
    try content.checkPromises(files: files.count, isOpen: names != nil, isCopied: clipboard != nil)
    try drag.check(isOnce: shared.once)
    try course.check(isCopied: clipboard != nil, isDraggedNow: drag.now)
    try reject(clipboard != nil && drag.now, "--now cannot be used with --clipboard or --primary")
    try start(contents: try OfferedContent.sorted(contents).ready(), names: names)
  }

  private func start(contents: [OfferedContent.Value], names: NameReader?) throws {
    TemporaryFiles.sweep()
    let settings = SourceSettings(shared: shared, window: window, drag: drag, maker: try maker())
    let icon = try drag.image()
    let reporter = Reporter(json: shared.json)
    var rows = files.map(settings.maker.row(forFile:))
    if !contents.isEmpty { rows.append(settings.maker.row(for: contents)) }
    // Only a window can show rows that arrive later; the other modes need the complete list first.
    let isWindow = clipboard == nil && course.to == nil && !drag.now
    if let names {
      // In the window, the event loop takes signals.
      if !isWindow { TerminationSignals.handle() }
      // The window of a short list opens with all rows.
      let seconds = isWindow ? 0.06 : shared.timeout
      let limit = seconds.map { ContinuousClock.now + .seconds($0) }
      let listed: [[UInt8]]
      do {
        listed = try names.read(until: limit)
      } catch {
        try fail(.usage, NameReader.sentence(for: error), reporter)
      }
      guard isWindow || names.isAtEnd else {
        let status: ExitStatus = TerminationSignals.haveArrived ? .cancelled : .timedOut
        try fail(status, "the list on standard input has not ended", reporter)
      }
      rows += listed.compactMap { settings.maker.row(listed: $0, reporter) }
      if rows.isEmpty, names.isAtEnd {
        try fail(.usage, "nothing to drag: standard input names no readable file", reporter)
      }
    }
    let run: () -> ExitStatus
    do {
      if let clipboard {
        run =
          try ClipboardController([SourceRow.copy(of: rows)], on: clipboard, options: shared, reporter: reporter).run
      } else if let choice = course.to {
        run = try ScriptedDropController(rows, to: choice, along: course, settings: settings, reporter: reporter).run
      } else {
        run = try SourceController(
          rows: rows, names: isWindow ? names : nil, icon: icon, settings: settings, reporter: reporter
        ).run
      }
    } catch let failure as WindowChoice.Failure {
      try fail(failure.status, failure.sentence, reporter)
    } catch let error as XDnDError {
      try fail(ExitStatus(error), error.message, reporter)
    }
    let status = run()
    settings.maker.offers.commands.terminateAll()
    reporter.printEnd(status)
    throw ExitCode(status.rawValue)
  }

  private func fail(_ status: ExitStatus, _ reason: String, _ reporter: Reporter) throws -> Never {
    Reporter.printError("xdnd-source", reason)
    reporter.printForPrograms(.ended(status, reason))
    throw ExitCode(status.rawValue)
  }

  private func maker() throws -> RowMaker {
    let remote = try list.remotePrefix()
    try reject(remote != nil && content.promise, "--promise cannot be used with --remote or --prefix")
    let offers = OfferMaker(
      name: content.saveAs, isPromising: content.promise, isExact: content.exact,
      isContentFirst: content.contentFirst, remote: remote, commands: CommandQueue(limit: content.maxCommands))
    return RowMaker(operations: shared.action ?? [.copy], offers: offers, form: window.rows)
  }

  static func main() {
    runAsTool(windowless: ["--to", "--now", "--clipboard", "--primary", "--help", "-h", "--help-hidden", "--version"])
  }
}

extension SourceCommand: DocumentedCommand {
  static var pageDescription: String {
    """
    Opens a window with one row per file and one row for the content given by options. Drag a row with the pointer, or \
    press Return to drag with the keyboard: arrow keys move, Tab goes to the next window that accepts the drag, Return \
    drops, Escape cancels. The heading drags all rows. Ctrl+C copies the selected rows to the clipboard. A drop \
    whose content takes long to send has a bar in its row and a button that cancels it, as does Escape on that row.

    During a drag, Shift requests a move, Ctrl a copy, Ctrl+Shift a link; the modifiers held at the release \
    decide. The target's action is printed and determines the exit status when the tool ends by itself.

    All content options describe one item in several types, in order of preference; the target takes the first type \
    that it understands. MIME=@FILE reads a file and MIME=!COMMAND runs a command when the target requests the type; \
    MIME=TEXT is literal text, and MIME==TEXT also allows text that begins with @, ! or =. A FILE that is a pipe can be \
    read only once, so it is read to its end before the window opens.

    A FILE to drag is offered as a file, with its path as text; several as one list. Its content is offered with \
    --content-first, and if it is marked as a clipping: then as --text or another content option would offer it.

    --to drops on a window without a pointer; with --timeout it waits until the window exists and accepts drops. A \
    target that finishes without requesting the content is served for another --linger seconds before the tool ends.

    Targets that need a file instead of its content get it by direct save (XDS), written where they say, or by a \
    list of files, which only pictures, documents and content with --save-as are offered in. The list names the FILE of \
    MIME=@FILE. Other content is in a temporary file in ~/.cache/xdnd, which stays when the tool has ended. It is removed \
    when xdnd-source starts a day after a program has last requested or read it, but never if it is open or was changed.
    """
  }

  static var environmentVariables: [(name: String, meaning: String)] {
    [
      ("DISPLAY", "The X server, unless --display names one."),
      ("XDND_SOURCE_OPTIONS", "Default options, placed before those of the command line; quoted as in a shell."),
      ("NO_AT_BRIDGE", "If 1, hides the window from screen readers."),
    ]
  }

  static var exitStatuses: [(status: ExitStatus, meaning: String)] {
    [
      (
        .dropped,
        "The target accepted the content, or its XDND version cannot report the result, "
          + "or it received the content whole and reports failure."
      ),
      (.refused, "The target refused the drag or the drop."),
      (
        .cancelled,
        "Escape, the window was closed, a signal, a transfer was cancelled, or another program began a drag."
      ),
      (.noTarget, "The button was released outside any drop target."),
      (.timedOut, "--timeout expired, or the target did not respond in time."),
      (.peerDied, "The other program closed before it finished."),
      (.transferFailed, "A transfer of requested content failed, or a promised file could not be written."),
      (.nothingRequested, "The target finished without requesting the content."),
      (.usage, "Invalid arguments, or an unreadable file."),
      (.noDisplay, "Cannot connect to the X server."),
      (.serverLost, "Lost the connection to the X server."),
    ]
  }

  static var relatedPages: [String] { ["xdnd-probe"] }
}
