import ToolSupport
import XDnD

/// Reads a clipboard once.
final class ClipboardController {
  private let settings: ProbeSettings
  private let choice: ClipboardChoice
  private let options: SharedOptions
  private let reporter: Reporter
  private let driver: DragAndDrop
  private let loop: EventLoop
  private let clipboard: Clipboard
  private lazy var checksums = FileChecksums(on: loop, reporter: reporter)
  private var reader: DropReader?
  private var received: ReceivedContent?

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
    // A running transfer keeps its file open beyond the lifetime of this object.
    reader?.cancel()
    checksums.stop()
    if status == .serverLost {
      reporter.printServerLost(as: "xdnd-probe")
    }
    return status
  }

  private func choose(among types: [ContentType], of owner: WindowID?) {
    guard let owner else { return fail("\(choice.name) is empty", .refused) }
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
    let reader = DropReader(
      clipboard, types: settings.extent.types(in: negotiation), extent: settings.extent, output: settings.output,
      limit: settings.bounds.byteCount, reporter: reporter, on: loop
    ) { [unowned self] result in
      switch result {
      case .success: finish()
      case .failure(let failure): if !driver.isClosed { fail(failure.sentence, failure.status) }
      }
    }
    reader.onContent = { [unowned self] received in
      self.received = received
      if settings.computesChecksums { checksums.report(received.decoded?.files?.compactMap(\.rawPath) ?? []) }
    }
    self.reader = reader
    reader.start()
  }

  /// Continues after all content has arrived.
  private func finish() {
    guard let printer = settings.printer, let received else { return stopWhenIdle() }
    printer.print(received, reporter, on: loop) { [unowned self] failure in
      if let failure { fail(failure.sentence, failure.status) } else { stopWhenIdle() }
    }
  }

  private func stopWhenIdle() {
    checksums.onIdle = { [unowned self] in loop.stop(.dropped) }
    if checksums.isIdle { loop.stop(.dropped) }
  }

  private func fail(_ sentence: String, _ status: ExitStatus) {
    reporter.print(.failure(DropReader.Failure(sentence: sentence, status: status)))
    loop.stop(status)
  }
}
