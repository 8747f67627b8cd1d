import ToolSupport
import XDnD

/// Takes what is on a clipboard, once.
final class ClipboardController {
  private let settings: ProbeSettings
  private let choice: ClipboardChoice
  private let options: SharedOptions
  private let reporter: Reporter
  private let driver: DragAndDrop
  private let loop: EventLoop
  private let clipboard: Clipboard
  private var intake: Intake?

  init(
    _ choice: ClipboardChoice, _ settings: ProbeSettings, options: SharedOptions, reporter: Reporter
  ) throws(XDnDError) {
    self.choice = choice
    self.settings = settings
    self.options = options
    self.reporter = reporter
    var configuration = options.configuration
    settings.bounds.apply(to: &configuration)
    driver = try DragAndDrop(connectingTo: options.display, configuration: configuration)
    loop = EventLoop(driver)
    clipboard = choice.clipboard(of: driver)
  }

  func run() -> ExitStatus {
    if let timeout = options.timeout {
      loop.after(timeout) { [unowned self] in
        reporter.print(Report("timed-out", "Timed out."))
        loop.stop(.timedOut)
      }
    }
    let owner = clipboard.ownerWindow
    clipboard.types { [unowned self] result in
      switch result {
      case .success(let types): choose(among: types, of: owner)
      case .failure(let error): fail(error.message, ExitStatus(error))
      }
    }
    let status = loop.run { [loop] in loop.stop(.cancelled) }
    // A transfer that is still under way holds its file beyond the end of this object.
    intake?.cancel()
    if status == .serverLost {
      reporter.printServerLost(as: "xdnd-probe")
    }
    return status
  }

  private func choose(among types: [ContentType], of owner: WindowID?) {
    guard let owner else { return fail("there is nothing on \(choice.name)", .refused) }
    let names = types.map(\.name)
    reporter.print(
      Report(
        "offered",
        "On \(choice.name), from window \(owner):\n  types: \(names.map(Humane.visible).joined(separator: ", "))",
        [
          "selection": .string(choice.rawValue), "source": .integer(Int(owner.rawValue)), "types": .strings(names),
        ]))
    let negotiation = Negotiation(wanted: settings.offer.types, offered: types, database: .system)
    if settings.explains { reporter.print(.explanation(of: negotiation)) }
    let intake = Intake(
      clipboard, types: settings.extent.types(in: negotiation), extent: settings.extent, output: settings.output,
      limit: settings.bounds.byteCount, reporter: reporter
    ) { [unowned self] result in
      switch result {
      case .success: loop.stop(.dropped)
      case .failure(let failure): if !driver.isClosed { fail(failure.sentence, failure.status) }
      }
    }
    if let printer = settings.printer {
      intake.onContent = { [unowned self] _, content in
        if let content, printer.print(content) == nil { fail(Printer.failure.sentence, Printer.failure.status) }
      }
    }
    self.intake = intake
    intake.start()
  }

  private func fail(_ sentence: String, _ status: ExitStatus) {
    reporter.print(.failure(Intake.Failure(sentence: sentence, status: status)))
    loop.stop(status)
  }
}
