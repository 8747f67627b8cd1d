import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The text field of the trial view, which takes text drops at an insertion point.
final class TrialField {
  let region: DropRegion
  var text = Scene.TextField(placeholder: "Type here, or drop text at an insertion point")
  private unowned let content: WindowContent
  private unowned let delegate: any WindowDropDelegate
  private let reporter: Reporter
  private let onFailure: (DropSession, XDnDError) -> Void
  private var task: LoadTask?

  /// - Parameters:
  ///   - delegate: Reports the answers to positions, and is told of the end of drops.
  ///   - onFailure: Ends a drop whose text cannot be loaded.
  init(
    in content: WindowContent, operations: [DragOperation], delegate: any WindowDropDelegate, reporter: Reporter,
    onFailure: @escaping (DropSession, XDnDError) -> Void
  ) {
    self.content = content
    self.delegate = delegate
    self.reporter = reporter
    self.onFailure = onFailure
    region = DropRegion(accepting: DropOffer([.plainText], operations: operations))
    // The insertion point depends on every position, so the source must send them all.
    region.isPrecise = true
    region.delegate = self
    region.onTargeted = { [unowned content] in content.highlightField($0) }
  }

  func cancelLoad() { task?.cancel() }

  private func mark(_ index: Int?) {
    guard text.dropMark != index else { return }
    text.dropMark = index
    content.update()
  }
}

extension TrialField: DropDelegate {
  func dropUpdated(_ drop: DropSession) -> DropProposal {
    // The field takes the text in, so it performs what the offer accepts, also a move.
    let proposal = delegate.answer(drop, drop.suggestedProposal)
    mark(proposal.operation == nil ? nil : content.insertionIndex(of: drop))
    return proposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) { mark(nil) }

  func performDrop(_ drop: DropSession) {
    let index = content.insertionIndex(of: drop) ?? text.dropMark ?? text.caret
    mark(nil)
    content.begin(drop)
    task = drop.load(String.self, limit: 1 << 20) { [weak self] result in
      guard let self else { return }
      task = nil
      switch result {
      case .success(let string): insert(string, at: index, from: drop)
      case .failure(let error): onFailure(drop, error)
      }
    }
    if task?.isFinished == true { task = nil }
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) { delegate.dropEnded(drop, result) }

  private func insert(_ string: String, at index: Int, from drop: DropSession) {
    // The field has a single line.
    let line = string.split(whereSeparator: \.isNewline).joined(separator: " ")
    text.insert(line, at: index)
    let beginning = Formatting.visible(line, limit: LabelLimit(scalarCount: 160, keepsEnd: false))
    text.isFocused = true
    content.drops.add(
      DropHistory.Part(title: beginning, details: "inserted in the field", content: .text(string)), to: drop)
    reporter.print("inserted", "Inserted at \(index): \(beginning)", ["index": .integer(index), "text": .string(line)])
    content.update()
    drop.activateWindow()
    drop.finish(drop.droppedOperation == .ask ? .copy : drop.droppedOperation ?? .copy)
  }
}
