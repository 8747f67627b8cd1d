import ToolSupport
import XDnD

/// Takes what is on a clipboard, once.
final class ClipboardController {
  private let offer: DropOffer
  private let choice: ClipboardChoice
  private let output: Output?
  private let options: SharedOptions
  private let reporter: Reporter
  private let driver: DragAndDrop
  private let loop: EventLoop
  private let clipboard: Clipboard
  private var arrival: Arrival?
  private var isOver = false

  init(
    _ choice: ClipboardChoice, offer: DropOffer, output: Output?, options: SharedOptions,
    reporter: Reporter
  ) throws(XDnDError) {
    self.choice = choice
    self.offer = offer
    self.output = output
    self.options = options
    self.reporter = reporter
    driver = try DragAndDrop(connectingTo: options.display, configuration: options.configuration)
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
    isOver = true
    arrival?.cancel()
    if status == .serverLost {
      reporter.print(Report("server-lost", "The connection to the X server is lost."))
      Reporter.complain("xdnd-probe", "the connection to the X server is lost")
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
    guard let type = offer.bestType(among: types) else { return fail("there is no type that is taken", .refused) }
    let arrival = Arrival(type, to: output, reporter)
    self.arrival = arrival
    do {
      try arrival.load(from: clipboard) { [unowned self] result in
        guard !isOver else { return }
        switch result {
        case .success(let type):
          reporter.print(arrival.report(as: type).report)
          loop.stop(.dropped)
        case .failure(let error): if !driver.isClosed { fail(error.message, ExitStatus(error)) }
        }
      }
    } catch {
      fail(error.sentence, .transferFailed)
    }
  }

  private func fail(_ sentence: String, _ status: ExitStatus) {
    reporter.print(Arrival.failure(sentence, status))
    loop.stop(status)
  }
}
