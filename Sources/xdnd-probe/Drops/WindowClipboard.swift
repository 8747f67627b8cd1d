import XDnDToolSupport
import XDnD

/// The clipboard, for the keys of the window: Control+V, Control+C and Control+X. While the text field has the focus they
/// are about its text.
final class WindowClipboard {
  /// Called with what the user has pasted, and the name of the program that it comes from.
  var onPaste: (PastedContent, _ origin: String) -> Void = { _, _ in }
  /// Called at the end of each paste.
  var onPasteEnd: (PastedContent, DropResult) -> Void = { _, _ in }

  private let settings: ProbeSettings
  private let session: DriverSession
  private let content: WindowContent
  private let clipboard: Clipboard
  /// Loads the text that is pasted into the field.
  private var fieldLoad: LoadTask?
  private var isHandingOver = false

  init(_ settings: ProbeSettings, _ session: DriverSession, content: WindowContent) {
    self.settings = settings
    self.session = session
    self.content = content
    clipboard = session.driver.clipboard
  }

  // MARK: Paste

  /// Inserts the text of the clipboard in the field, or takes its content as if it had been dropped.
  func paste() {
    if let field = content.focusedField { return paste(into: field) }
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

  private func paste(into field: TrialField) {
    fieldLoad?.cancel()
    fieldLoad = clipboard.load(String.self, limit: TrialField.loadLimit) { [weak self, weak field] result in
      switch result {
      case .success(let text): field?.paste(text)
      // A load is cancelled by the next paste.
      case .failure(let error): if error.code != .cancelled { self?.fail(DropFailure(error)) }
      }
    }
  }

  /// There is no drop that has failed: the window says it, and goes on.
  private func fail(_ failure: DropFailure) {
    guard !session.driver.isClosed else { return }
    session.reporter.print(.failure(failure))
    content.say("Nothing pasted: \(Formatting.visible(failure.sentence))")
  }

  // MARK: Copy

  /// Copies the selected text of the field, or the content of the selected row. Without `--keep` no row has any.
  ///
  /// - Parameter time: The timestamp of the key.
  func copy(at time: UInt32) {
    if let field = content.focusedField {
      copyText(of: field, at: time)
    } else {
      copySelectedRow(at: time)
    }
  }

  /// Copies the selected text of the field, and removes it there.
  ///
  /// - Parameter time: The timestamp of the key.
  func cut(at time: UInt32) {
    if let field = content.focusedField, copyText(of: field, at: time) { field.removeSelection() }
  }

  /// Returns whether there was any.
  @discardableResult
  private func copyText(of field: TrialField, at time: UInt32) -> Bool {
    return !field.selectedText.isEmpty && write(DragItem(field.selectedText), at: time)
  }

  private func copySelectedRow(at time: UInt32) {
    let parts = content.currentLine?.parts ?? []
    let items = parts.compactMap(\.item)
    guard !items.isEmpty else { return }
    let paths = parts.filter { $0.item != nil }.flatMap { $0.content?.files ?? [] }.compactMap(\.rawPath)
    if write(DragItem(copying: items, files: paths), at: time) { content.say("Copied") }
  }

  /// Returns whether the clipboard was acquired. Otherwise the window has said why it was not.
  private func write(_ item: DragItem, at time: UInt32) -> Bool {
    do {
      try clipboard.write(item, at: Timestamp(rawValue: time))
    } catch {
      content.say("Not copied: \(Formatting.visible(error.message))")
      return false
    }
    let types = clipboard.item?.types.map(\.name) ?? []
    session.reporter.print(
      "copied", "On \(ClipboardChoice.clipboard.name): \(types.map(Formatting.visible).joined(separator: ", ")).",
      ["selection": .string(ClipboardChoice.clipboard.rawValue), "types": .strings(types)])
    return true
  }

  /// Hands what was copied to the clipboard manager, so that it outlives the window. A second call does not wait.
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
