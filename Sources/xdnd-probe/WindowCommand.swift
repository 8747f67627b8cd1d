import ArgumentParser
import ToolSupport
import XDnD

struct WindowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "window",
    abstract: "Open a window to drop on, and show what a drag offers and does.",
    usage: "xdnd-probe [window] [<options>]",
    discussion: """
        xdnd-probe
        xdnd-probe --accept 'image/*' --output picture.png --once
        xdnd-probe --print0 --once | xargs -0 ls -l
        xdnd-probe --exec 'gzip -k {}'
        xdnd-probe --save Downloads
        xdnd-probe --all --explain
        xdnd-probe --clipboard --print text

      Exit codes: 0 dropped, 1 refused, 2 cancelled, 4 timed out, 5 source died,
      6 transfer failed, 64 wrong arguments, 69 no display, 74 server lost.
      More options: --help-hidden, or man xdnd-probe.
      """,
    version: ProbeCommand.configuration.version)

  // Option groups are not nested: in debug builds ArgumentParser validates each level four times at every start.
  @OptionGroup(title: "What") var intake: IntakeOptions
  @OptionGroup(title: "What") var bounds: TransferBounds

  @OptionGroup(title: "Then") var output: OutputOptions
  @OptionGroup(title: "Then") var printing: PrintingOptions
  @OptionGroup(title: "Then") var saving: SavingOptions
  @OptionGroup(title: "Then") var drops: DropOptions
  @Flag(name: .long, help: "Say in words why each offered type is taken or not.")
  var explain = false

  @Flag(
    name: .long,
    help: ArgumentHelp("Report each position, not only those that change something.", visibility: .hidden))
  var verbose = false

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.validateFaults(of: .target)
    let settings = try settings()
    // If content goes to standard output, reports go to standard error.
    let reporter = Reporter(
      format: shared.json ? .json : .text,
      toStandardError: output.file == "-" || settings.printer != nil || settings.command != nil)
    let run: () -> ExitStatus
    do {
      if let clipboard = intake.clipboard {
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
    let saving = try self.saving.settings()
    let printer = try printing.printer()
    try checkCombinations(isSaving: saving != nil, isPrinting: printer != nil)
    let standard = saving != nil ? SaveSettings.types : printer?.types ?? [.uriList, "*/*"]
    let operations = saving != nil ? shared.operations(orElse: SaveSettings.operations) : shared.operations()
    var settings = ProbeSettings(
      offer: DropOffer(intake.accept?.types ?? standard, operations: operations), bounds: bounds)
    settings.extent = intake.all ? .all : .first
    settings.explains = explain
    settings.saving = saving
    settings.printer = printer
    settings.command = drops.command
    settings.computesChecksums = output.checksum
    settings.confirms = drops.confirms
    settings.keeps = drops.keeps
    settings.historyBudget = drops.historySize ?? DropHistory.standardBudget
    settings.isVerbose = verbose
    settings.dropLimit = drops.count ?? (shared.once ? 1 : nil)
    do {
      settings.output = try output.file.map { name throws(Output.Failure) in try Output(name) }
    } catch {
      throw ValidationError(error.sentence)
    }
    return settings
  }

  private func checkCombinations(isSaving: Bool, isPrinting: Bool) throws {
    let (all, clipboard) = (intake.all, intake.clipboard)
    let file = output.file
    func exclude(_ isWrong: Bool, _ sentence: String) throws {
      if isWrong { throw ValidationError(sentence) }
    }
    try exclude(all && file != nil, "--all fetches several types, and --output has place for one")
    try exclude(
      isSaving && (file != nil || all || clipboard != nil),
      "--save makes files of what is dropped: --output, --all and the clipboards do not go with it")
    try exclude(
      isSaving && output.checksum,
      "--checksum is about files that stay where they are, and --save puts them elsewhere")
    try exclude(isPrinting && file == "-", "--print and --output - both want standard output")
    try exclude(isPrinting && all, "--all fetches several types, and --print prints one")
    try exclude(
      drops.command != nil && (isSaving || all || file != nil || isPrinting || clipboard != nil),
      "--exec does with a drop what the command does: --save, --output, --print, --all and the clipboards do not go "
        + "with it")
    try exclude(
      clipboard != nil && (drops.confirms || drops.keeps || drops.count != nil),
      "--confirm, --keep and --count are about drops, and a clipboard is read once")
    try exclude(
      drops.count != nil && shared.once, "--once is --count 1")
  }
}
