import ArgumentParser
import ToolSupport
import XDnD

struct WindowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "window",
    abstract: "Open a window to drop on; what is done without a subcommand.",
    usage: "xdnd-probe [window] [<options>]",
    discussion: """
      Opens a window to drop on.

        xdnd-probe
        xdnd-probe --accept image/png,image/* --output picture.png --once
        xdnd-probe --accept text/plain --output - --once | wc
        xdnd-probe --all --explain
        xdnd-probe --save Downloads
        xdnd-probe --clipboard --accept image/* --output picture.png

      Exit codes: 0 dropped, 1 refused, 2 cancelled, 4 timed out, 5 source died,
      6 transfer failed, 64 wrong arguments, 69 no display, 74 server lost.
      """)

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Types to take, best first, with commas; image/* takes all images, */* everything. By default files, then "
        + "the richest that there is. (default: text/uri-list,*/*)", valueName: "types"),
    transform: AcceptedTypes.init(argument:))
  var accept: AcceptedTypes?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Write what was dropped to a file; - is standard output.", valueName: "file"))
  var output: String?

  @OptionGroup var saving: SavingOptions

  @Flag(name: .long, help: "Fetch every type that is offered, and not only the best one.")
  var all = false

  @Flag(name: .long, help: "Say in words why each offered type is taken or not.")
  var explain = false

  @Flag(exclusivity: .exclusive)
  var clipboard: ClipboardChoice?

  @Flag(name: .long, help: "Report each position, not only those that change something.")
  var verbose = false

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.validateFaults(of: .target)
    guard !all || output == nil else {
      throw ValidationError("--all fetches several types, and --output has place for one")
    }
    let settings = try saving.settings()
    guard settings == nil || (output == nil && !all && clipboard == nil) else {
      throw ValidationError(
        "--save makes files of what is dropped: --output, --all and the clipboards do not go with it")
    }
    // Content on standard output leaves the reports to standard error.
    let reporter = Reporter(format: shared.json ? .json : .text, toStandardError: output == "-")
    let destination: Output?
    do {
      destination = try output.map { name throws(Output.Failure) in try Output(name) }
    } catch {
      throw ValidationError(error.sentence)
    }
    let offer =
      settings == nil
      ? DropOffer(accept?.types ?? [.uriList, "*/*"], operations: shared.operations())
      : DropOffer(accept?.types ?? SaveSettings.types, operations: shared.operations(orElse: SaveSettings.operations))
    let run: () -> ExitStatus
    do {
      if let clipboard {
        run = try ClipboardController(
          clipboard, offer: offer, extent: all ? .all : .first, explains: explain, output: destination, options: shared,
          reporter: reporter
        ).run
      } else {
        run = try ProbeController(
          offer: offer, extent: all ? .all : .first, explains: explain, output: destination, saving: settings,
          isVerbose: verbose, options: shared, reporter: reporter
        ).run
      }
    } catch {
      Reporter.complain("xdnd-probe", error.message)
      throw ExitCode(ExitStatus(error).rawValue)
    }
    throw ExitCode(run().rawValue)
  }
}
