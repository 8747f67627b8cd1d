import XDnDToolSupport
import XDnD

/// The clipboard, for the keys of the window: Ctrl+V and Ctrl+C.
final class WindowClipboard {
  /// Called with the pasted content, and the name of the program that owns the clipboard.
  var onPaste: (PastedContent, _ origin: String) -> Void = { _, _ in }
  /// Called at the end of each paste.
  var onPasteEnd: (PastedContent, DropResult) -> Void = { _, _ in }

  private let settings: ProbeSettings
  private let session: DriverSession
  private let content: WindowContent
  private let clipboard: Clipboard
  private var isHandingOver = false

  init(_ settings: ProbeSettings, _ session: DriverSession, content: WindowContent) {
    self.settings = settings
    self.session = session
    self.content = content
    clipboard = session.driver.clipboard
  }

  // MARK: Paste

  /// Takes the content of the clipboard as if it had been dropped.
  func paste() {
    let owner = clipboard.ownerWindow
    clipboard.types { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let types): paste(types, of: owner)
      case .failure(let error): fail(DropFailure(error))
      }
    }
  }

  private func paste(_ types: [ContentType], of owner: WindowID?) {
    guard let owner else { return fail(DropFailure("\(ClipboardChoice.clipboard.name) is empty", .refused)) }
    session.reporter.print(.offered(types, on: .clipboard, by: owner))
    let pasted = PastedContent(of: clipboard, offering: types, to: settings.offer) { [weak self] in
      self?.onPasteEnd($0, $1)
    }
    if settings.explains { session.reporter.print(.explanation(of: pasted.negotiation)) }
    guard pasted.negotiation.best != nil else {
      return fail(DropFailure("the source offers no accepted type", .refused))
    }
    let program = session.driver.display.map { PeerProgram(of: owner, on: $0) }
    onPaste(pasted, program?.name ?? "")
  }

  /// Reports a failed paste. Only the footer shows it, because no drop has failed.
  private func fail(_ failure: DropFailure) {
    guard !session.driver.isClosed else { return }
    session.reporter.print(.failure(failure))
    content.say("Nothing pasted: \(Formatting.visible(failure.sentence))")
  }

  // MARK: Copy

  /// Copies the content of the selected row.
  ///
  /// - Parameter time: The timestamp of the key.
  func copy(at time: UInt32) {
    let parts = content.drops.current?.parts ?? []
    let items = parts.compactMap(\.item)
    guard !items.isEmpty else { return }
    let paths = parts.filter { $0.item != nil }.flatMap { $0.content?.files ?? [] }.compactMap(\.rawPath)
    do {
      try clipboard.write(DragItem(copying: items, files: paths), at: Timestamp(rawValue: time))
    } catch {
      return content.say("Not copied: \(Formatting.visible(error.message))")
    }
    let types = clipboard.item?.types.map(\.name) ?? []
    session.reporter.print(
      "copied", "On \(ClipboardChoice.clipboard.name): \(types.map(Formatting.visible).joined(separator: ", ")).",
      ["selection": .string(ClipboardChoice.clipboard.rawValue), "types": .strings(types)])
    content.say("Copied")
  }

  /// Hands the copied content to the clipboard manager, so that it outlives the window. A second call does not wait.
  ///
  /// - Parameter completion: Called once for each call; before this returns if nothing is to be handed over.
  func handOver(completion: @escaping () -> Void) {
    guard !isHandingOver, clipboard.item != nil else { return completion() }
    isHandingOver = true
    clipboard.handOver(within: .seconds(2)) { [session] result in
      if result == .taken { session.reporter.print("handed-over", "Handed over to the clipboard manager.") }
      completion()
    }
  }
}
