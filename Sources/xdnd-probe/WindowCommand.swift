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
        xdnd-probe --print0 --once | xargs -0 ls -l
        xdnd-probe --exec 'convert {} -resize 50% small.png'
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

  @OptionGroup var printing: PrintingOptions

  @OptionGroup var saving: SavingOptions

  @OptionGroup var drops: DropOptions

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
    let settings = try settings()
    // Content on standard output leaves the reports to standard error.
    let reporter = Reporter(
      format: shared.json ? .json : .text,
      toStandardError: output == "-" || settings.printer != nil || settings.command != nil)
    let run: () -> ExitStatus
    do {
      if let clipboard {
        run = try ClipboardController(clipboard, settings, options: shared, reporter: reporter).run
      } else {
        run = try ProbeController(settings, options: shared, reporter: reporter).run
      }
    } catch {
      Reporter.complain("xdnd-probe", error.message)
      throw ExitCode(ExitStatus(error).rawValue)
    }
    throw ExitCode(run().rawValue)
  }

  private func settings() throws -> ProbeSettings {
    let saving = try saving.settings()
    let printer = try printing.printer()
    try checkCombinations(isSaving: saving != nil, isPrinting: printer != nil)
    let standard = saving != nil ? SaveSettings.types : printer != nil ? Printer.types : [.uriList, "*/*"]
    let operations = saving != nil ? shared.operations(orElse: SaveSettings.operations) : shared.operations()
    var settings = ProbeSettings(offer: DropOffer(accept?.types ?? standard, operations: operations))
    settings.extent = all ? .all : .first
    settings.explains = explain
    settings.saving = saving
    settings.printer = printer
    settings.command = drops.command
    settings.confirms = drops.confirms
    settings.keeps = drops.keeps
    settings.isVerbose = verbose
    settings.dropLimit = drops.count ?? (shared.once ? 1 : nil)
    do {
      settings.output = try output.map { name throws(Output.Failure) in try Output(name) }
    } catch {
      throw ValidationError(error.sentence)
    }
    return settings
  }

  private func checkCombinations(isSaving: Bool, isPrinting: Bool) throws {
    func exclude(_ isWrong: Bool, _ sentence: String) throws {
      if isWrong { throw ValidationError(sentence) }
    }
    try exclude(all && output != nil, "--all fetches several types, and --output has place for one")
    try exclude(
      isSaving && (output != nil || all || clipboard != nil),
      "--save makes files of what is dropped: --output, --all and the clipboards do not go with it")
    try exclude(isPrinting && output == "-", "--print and --output - both want standard output")
    try exclude(isPrinting && all, "--all fetches several types, and --print prints one")
    try exclude(
      drops.command != nil && (isSaving || all || output != nil || isPrinting || clipboard != nil),
      "--exec does with a drop what the command does: --save, --output, --print, --all and the clipboards do not go "
        + "with it")
    try exclude(
      clipboard != nil && (drops.confirms || drops.keeps || drops.count != nil),
      "--confirm, --keep and --count are about drops, and a clipboard is read once")
    try exclude(
      drops.count != nil && shared.once, "--once is --count 1")
  }
}
