import ArgumentParser
import XDnDToolSupport
import XDnD

struct WindowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "window",
    abstract: "Open a drop target window and show what drags do.",
    usage: "xdnd-probe [window] [<options>]",
    discussion: """
        xdnd-probe --save Downloads
        xdnd-probe --print0 --once | xargs -0 ls -l
        xdnd-probe --accept 'image/*' --output picture.png --once
        xdnd-probe --exec 'gzip -k {}'

      All options: --help-hidden. Exit statuses: man xdnd-probe.
      """,
    version: ProbeCommand.configuration.version)

  // Option groups are not nested: in debug builds ArgumentParser validates each level four times at every start.
  @OptionGroup(title: "What") var reading: ReadingOptions
  @OptionGroup(title: "What") var limits: TransferLimits

  @OptionGroup(title: "Then") var output: OutputOptions
  @OptionGroup(title: "Then") var printing: PrintingOptions
  @OptionGroup(title: "Then") var saving: SavingOptions
  @OptionGroup(title: "Then") var drops: DropOptions
  @Flag(help: ArgumentHelp("Explain why each offered type is accepted or not.", visibility: .hidden))
  var explain = false

  @Flag(help: ArgumentHelp("Report every position, not only changes.", visibility: .hidden))
  var verbose = false

  @OptionGroup var shared: SharedOptions

  func run() throws {
    // If content goes to standard output, reports go to standard error.
    let reporter = Reporter(
      json: shared.json, toStandardError: output.file == "-" || printing.isPrinting || drops.command != nil)
    let settings: ProbeSettings
    do {
      settings = try self.settings()
    } catch let error as ValidationError {
      // Reports the end of the run here, too, because programs wait for it.
      reporter.printEnd(.usage, error.message)
      throw error
    }
    var configuration = shared.configuration
    limits.apply(to: &configuration)
    // Copying files and running commands can take long without any call into the library, so the default finish timeout
    // is too short.
    if settings.saving != nil || drops.command != nil { configuration.finishTimeout = .seconds(24 * 3600) }
    throw try ExitCode.end(of: reporter) {
      let driver = try DragAndDrop(connectingTo: shared.display, configuration: configuration)
      // Before the event loop exists, because the loop would catch the signals that interrupt a window pick.
      let search = try reading.window.map { try self.search(for: $0, with: driver) }
      let session = DriverSession(driver, shared, reporter)
      if let clipboard = reading.clipboard { return ClipboardController(clipboard, settings, session).run() }
      return try ProbeController(settings, session, on: search).run()
    }
  }

  /// The search for the window of `--for`. It waits only for a window given by name: a missing window ID will not
  /// appear later.
  private func search(for choice: WindowChoice, with driver: DragAndDrop) throws -> WindowSearch {
    guard let display = driver.display else { throw XDnDError.displayClosed }
    let canWait = if case .name = choice { true } else { false }
    let timeout = shared.timeout
    return try WindowSearch(on: display, timeout: timeout, canWait: canWait) {
      [driver] () throws(WindowChoice.Failure) in
      let window = try choice.resolve(on: display, within: timeout)
      do throws(XDnDError) {
        try driver.checkDropTarget(window)
      } catch {
        throw WindowChoice.Failure(error.message, ExitStatus(error))
      }
      return window
    }
  }

  private func settings() throws -> ProbeSettings {
    let saving = try self.saving.settings()
    let printer = try printing.printer()
    try checkCombinations(isSaving: saving != nil, isPrinting: printer != nil)
    let standard = saving != nil ? SaveSettings.types : printer?.types ?? [.uriList, "*/*"]
    let operations = shared.action ?? (saving != nil ? SaveSettings.operations : [.copy, .link])
    let destination: OutputDestination?
    do throws(DropFailure) {
      destination = try output.file.map { name throws(DropFailure) in try OutputDestination(name) }
    } catch {
      throw ValidationError(error.sentence)
    }
    return ProbeSettings(
      offer: DropOffer(reading.accept ?? standard, operations: operations), extent: reading.all ? .all : .first,
      limits: limits, explains: explain, output: destination, computesChecksums: output.checksum, saving: saving,
      printer: printer, drops: drops, isVerbose: verbose, dropLimit: drops.count ?? (shared.once ? 1 : nil))
  }

  private func checkCombinations(isSaving: Bool, isPrinting: Bool) throws {
    let (all, clipboard) = (reading.all, reading.clipboard)
    let file = output.file
    func exclude(_ isWrong: Bool, _ sentence: String) throws {
      if isWrong { throw ValidationError(sentence) }
    }
    try exclude(all && file != nil, "--all cannot be used with --output")
    try exclude(
      isSaving && (file != nil || all || clipboard != nil),
      "--save cannot be used with --output, --all, --clipboard or --primary")
    try exclude(isSaving && output.checksum, "--checksum cannot be used with --save")
    try exclude(isPrinting && file == "-", "--print cannot be used with --output -: both write to standard output")
    try exclude(isPrinting && all, "--all cannot be used with --print")
    try exclude(
      drops.command != nil && (isSaving || all || file != nil || isPrinting || clipboard != nil),
      "--exec cannot be used with --save, --output, --print, --all, --clipboard or --primary")
    try exclude(
      clipboard != nil && (drops.confirms || drops.count != nil),
      "--confirm and --count cannot be used with --clipboard or --primary")
    try exclude(
      reading.window != nil && (clipboard != nil || drops.confirms),
      "--for cannot be used with --clipboard, --primary or --confirm")
    try exclude(drops.count != nil && shared.once, "--once cannot be used with --count")
  }
}
