import XDnDToolSupport
import XDnD

final class ClipboardController {
  private let settings: ProbeSettings
  private let choice: ClipboardChoice
  private let session: DriverSession
  private let clipboard: Clipboard
  private let checksums: FileChecksums
  private var reader: DropReader?
  private var received: ReceivedContent?

  init(_ choice: ClipboardChoice, _ settings: ProbeSettings, _ session: DriverSession) {
    self.choice = choice
    self.settings = settings
    self.session = session
    clipboard = choice.clipboard(of: session.driver)
    checksums = FileChecksums(on: session.loop, reporter: session.reporter)
  }

  func run() -> ExitStatus {
    let owner = clipboard.ownerWindow
    clipboard.types { [unowned self] result in
      switch result {
      case .success(let types): choose(among: types, of: owner)
      case .failure(let error): fail(DropFailure(error))
      }
    }
    let status = session.run()
    // A running transfer keeps its file open beyond the lifetime of this object.
    reader?.cancel()
    checksums.stop()
    return status
  }

  private func choose(among types: [ContentType], of owner: WindowID?) {
    guard let owner else { return fail(DropFailure("\(choice.name) is empty", .refused)) }
    session.reporter.print(.offered(types, on: choice, by: owner))
    let negotiation = Negotiation(wanted: settings.offer.types, offered: types, database: .system)
    if settings.explains { session.reporter.print(.explanation(of: negotiation)) }
    let reader = DropReader(
      clipboard, types: settings.extent.types(in: negotiation), extent: settings.extent, output: settings.output,
      limit: settings.limits.byteCount, reporter: session.reporter, on: session.loop
    ) { [unowned self] failure in
      if let failure {
        if !session.driver.isClosed { fail(failure) }
      } else {
        printContent()
      }
    }
    reader.computesChecksums = settings.computesChecksums
    reader.onContent = { [unowned self] received in
      self.received = received
      if settings.computesChecksums { checksums.report(received.decoded?.files?.compactMap(\.rawPath) ?? []) }
    }
    self.reader = reader
    reader.start()
  }

  private func printContent() {
    guard let printer = settings.printer, let received else { return stopWhenIdle() }
    printer.print(received, session.reporter, on: session.loop) { [unowned self] failure in
      if let failure { fail(failure) } else { stopWhenIdle() }
    }
  }

  private func stopWhenIdle() {
    checksums.onIdle = { [session] in session.loop.stop(.dropped) }
    if checksums.isIdle { session.loop.stop(.dropped) }
  }

  private func fail(_ failure: DropFailure) {
    session.reporter.print(.failure(failure))
    session.loop.stop(failure.status)
  }
}
