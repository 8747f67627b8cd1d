import XDnDToolSupport
import XDnD

/// The owner of a clipboard selection. The content lasts as long as this process, unless a clipboard manager takes it
/// over.
final class ClipboardController {
  private let choice: ClipboardChoice
  private let session: DriverSession
  private let clipboard: Clipboard
  private var hasBeenPasted = false
  private var isReplaced = false
  /// Whether the tool is ending and waits for the clipboard manager.
  private var isHandingOver = false

  init(
    _ items: [DragItem], on choice: ClipboardChoice, options: SharedOptions, reporter: Reporter
  ) throws(XDnDError) {
    self.choice = choice
    let driver = try DragAndDrop(connectingTo: options.display, configuration: options.configuration)
    session = DriverSession(driver, options, reporter, of: "xdnd-source")
    clipboard = choice.clipboard(of: driver)
    clipboard.onLoss = { [unowned self] in lost() }
    clipboard.onSent = { [unowned self] in sent($0, isSuccessful: $1) }
    try clipboard.write(items)
  }

  func run() -> ExitStatus {
    let types = clipboard.item?.types.map(\.name) ?? []
    session.reporter.print(.copied(types.joined(separator: ", "), to: choice, types: types))
    return session.run(onTimeout: { [unowned self] in handOver(orEndWith: .timedOut) }) { [unowned self] in
      handOver(orEndWith: .cancelled)
    }
  }

  private func lost() {
    // A handover in progress continues, because the clipboard manager may be in the middle of it.
    isReplaced = true
    if !session.driver.isClosed { endIfSent() }
  }

  private func release() {
    session.reporter.print(Report("released", "Another program took over \(choice.name)."))
    session.loop.stop(.dropped)
  }

  private func sent(_ type: ContentType, isSuccessful: Bool) {
    session.reporter.print(.sent(type, isSuccessful: isSuccessful))
    hasBeenPasted = hasBeenPasted || isSuccessful
    endIfSent()
  }

  /// Ends the tool after its content was replaced or, with `--once`, pasted, unless a transfer is still running.
  private func endIfSent() {
    guard !clipboard.isSending, !isHandingOver else { return }
    if isReplaced { release() } else if session.options.once, hasBeenPasted { session.loop.stop(.dropped) }
  }

  /// Hands the content to the clipboard manager and ends the tool: successfully if the content survives, otherwise
  /// with `status`.
  private func handOver(orEndWith status: ExitStatus) {
    guard !isHandingOver else { return }
    isHandingOver = true
    clipboard.handOver { [unowned self] result in
      switch result {
      case .taken:
        session.reporter.print(.handedOver)
        session.loop.stop(.dropped)
      case _ where isReplaced: release()
      case .noManager, .refused, .timedOut, .nothingToHandOver:
        session.reporter.print(
          Report(
            "not-handed-over", "The content is no longer on \(choice.name): \(result.sentence).",
            ["reason": .string(result.rawValue)]))
        session.loop.stop(status)
      }
    }
  }
}

extension Report {
  /// Reports that content can be pasted.
  ///
  /// - Parameters:
  ///   - content: The content, for display.
  ///   - types: The names of its types, best first.
  static func copied(_ content: String, to choice: ClipboardChoice, types: [String]) -> Report {
    Report(
      "copied", "On \(choice.name): \(content).",
      ["selection": .string(choice.rawValue), "types": .strings(types)])
  }

  /// Reports that a clipboard manager keeps the content.
  static let handedOver = Report("handed-over", "Handed over to the clipboard manager.")
}

extension HandOver {
  fileprivate var sentence: String {
    switch self {
    case .taken: "a clipboard manager took it over"
    case .noManager: "there is no clipboard manager"
    case .refused: "the clipboard manager refused it"
    case .timedOut: "the clipboard manager did not take it over in time"
    case .nothingToHandOver: "clipboard managers do not keep the primary selection"
    }
  }
}
