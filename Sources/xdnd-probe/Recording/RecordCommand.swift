import ArgumentParser
import XDnDConformance
import XDnDFiles
import XDnDToolSupport
import XDnD

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the messages and data of a drag.",
    usage: """
      xdnd-probe record [-o <file>] [<options>]
      xdnd-probe record --to <window> (--text <text> | <files>) [-o <file>]
      """,
    discussion: """
      Opens a drop target window and records the behavior of sources.

        xdnd-probe record --once -o drag.jsonl
        xdnd-probe record --accept text/uri-list | jq .type
        xdnd-probe record --to 0x1200003 --text Hello -o drag.jsonl
        xdnd-probe record --to gedit picture.png | xdnd-probe draw - -o drag.svg

      With --to, drops on another window without a pointer and records its answers. A recording is JSON lines, written \
      as events happen. If it goes to standard output, reports go to standard error.

      Exit status: as without a subcommand; with --to, as those of xdnd-source.
      """)

  @Argument(help: "With --to: files to drop.", transform: RawArgument.bytes)
  var files: [[UInt8]] = []

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("Output file. (default: standard output)", valueName: "file"), transform: RawArgument.bytes)
  var output: [UInt8]?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Drop on this window: its number, part of its name, or 'pick' to click on it.", valueName: "window"),
    transform: WindowChoice.init(argument:))
  var to: WindowChoice?

  @Option(parsing: .unconditional, help: ArgumentHelp("With --to: text to drop.", valueName: "text"))
  var text: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "MIME types to accept, as in xdnd-probe. (default: fetch all, so that the drag can be replayed)",
      valueName: "types"),
    transform: AcceptArgument.types)
  var accept: [ContentType]?

  @Option(parsing: .unconditional, help: ArgumentHelp("Exit after this number of drops.", valueName: "n"))
  var count: Int?

  @OptionGroup var shared: SharedOptions

  func run() throws {
    guard to != nil || (files.isEmpty && text == nil) else {
      throw ValidationError("--text and files need --to")
    }
    guard to == nil || !files.isEmpty || text != nil else {
      throw ValidationError("--to needs --text or files to drop")
    }
    guard to == nil || (accept == nil && count == nil) else {
      throw ValidationError("--accept and --count cannot be used with --to")
    }
    guard count ?? 1 > 0 else { throw ValidationError("--count must be at least 1") }
    let file = try LineFile(output)
    let reporter = Reporter(json: shared.json, toStandardError: output == nil || output == Array("-".utf8))
    throw try ExitCode.end(of: reporter) {
      let driver = try DragAndDrop(connectingTo: shared.display, configuration: shared.configuration)
      guard let to else {
        return try TargetRecorder(
          offer: DropOffer(accept ?? ["*/*"], operations: shared.action ?? [.copy]), isTakingAll: accept == nil,
          count: shared.once ? 1 : count, DriverSession(driver, shared, reporter), file: file
        ).run()
      }
      guard let display = driver.display else { throw XDnDError.displayClosed }
      // The event loop, which catches signals, must not exist while the user picks a window.
      let target = try to.resolve(on: display, within: shared.timeout)
      let session = DriverSession(driver, shared, reporter)
      return SourceRecorder(to: target, items: items(), session, file: file).run()
    }
  }

  private func items() -> [DragItem] {
    let operations = shared.action ?? [.copy]
    var items = text.map { [DragItem($0)] } ?? []
    if !files.isEmpty { items.append(DragItem(FileList(rawPaths: files.map { $0.resolved ?? $0 }))) }
    for index in items.indices { items[index].operations = operations }
    return items
  }
}
