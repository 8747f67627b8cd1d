import ToolSupport
import ToolWindow
import XDnD

/// The text field of the trial view, which takes text drops at an insertion point.
final class ProbeField {
  let region: DropRegion
  /// The field's content as the user edited it.
  var text = Scene.TextField(placeholder: "Type here, or drop text at an insertion point")
  private unowned let controller: ProbeController
  private var task: LoadTask?

  init(of controller: ProbeController) {
    self.controller = controller
    region = DropRegion(accepting: DropOffer([.plainText], operations: controller.settings.offer.operations))
    // The insertion point depends on every position, so the source must send them all.
    region.isPrecise = true
    region.delegate = self
    region.onTargeted = { [unowned controller] in controller.show(.field, isTargeted: $0) }
  }

  /// Updates the region's frame to the window's layout.
  func place(in window: ToolWindow, isShown: Bool) {
    region.isEnabled = isShown
    region.frame = isShown ? Rect(window.place(of: .field)) : Rect(x: 0, y: 0, width: 0, height: 0)
  }

  /// Cancels the load in progress.
  func cancel() { task?.cancel() }

  private func mark(_ index: Int?) {
    guard text.dropMark != index else { return }
    text.dropMark = index
    controller.updateScene()
  }

  private func insertionIndex(of drop: DropSession) -> Int? {
    drop.location.flatMap { controller.window.insertionIndex(at: PixelPoint(x: $0.x, y: $0.y)) }
  }
}

extension ProbeField: DropDelegate {
  func dropUpdated(_ drop: DropSession) -> DropProposal {
    let proposal = controller.dropUpdated(drop)
    mark(proposal.operation == nil ? nil : insertionIndex(of: drop))
    return proposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { mark(nil) }

  func performDrop(_ drop: DropSession) {
    let index = insertionIndex(of: drop) ?? text.dropMark ?? text.caret
    mark(nil)
    controller.beginRecord(of: drop)
    task = drop.load(String.self, limit: 1 << 20) { [weak self] result in
      guard let self else { return }
      task = nil
      switch result {
      case .success(let string): insert(string, at: index, from: drop)
      case .failure(let error): controller.failed(drop, DropReader.Failure(error))
      }
    }
    if task?.isFinished == true { task = nil }
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) { controller.dropEnded(drop, result) }

  private func insert(_ string: String, at index: Int, from drop: DropSession) {
    // The field has a single line.
    let line = string.split(whereSeparator: \.isNewline).joined(separator: " ")
    text.insert(line, at: index)
    let beginning = Humane.visible(line, limit: LabelLimit(scalarCount: 160, keepsEnd: false))
    text.isFocused = true
    controller.history.add(
      DropHistory.Part(title: beginning, details: "inserted in the field", content: .text(string)),
      to: ObjectIdentifier(drop))
    controller.reporter.print(
      Report(
        "inserted", "Inserted at \(index): \(beginning)",
        ["index": .integer(index), "text": .string(line)]))
    controller.updateScene()
    drop.activateWindow()
    drop.finish(drop.droppedOperation == .ask ? .copy : drop.droppedOperation ?? .copy)
  }
}
