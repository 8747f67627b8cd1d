import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// The text field of the trial view, which takes text drops at an insertion point, and whose selected text can be dragged.
final class TrialField {
  /// The longest text that is loaded, in bytes as the source sends it. The field keeps its beginning.
  static let loadLimit = 1 << 20

  let region: DropRegion
  let drag: FieldDrag
  private(set) var text = Scene.TextField(placeholder: "Type here, or drop text at an insertion point")
  private unowned let content: WindowContent
  private let window: ToolWindow
  private unowned let delegate: any WindowDropDelegate
  private let reporter: Reporter
  private let onFailure: (DropSession, XDnDError) -> Void
  private var task: LoadTask?
  private weak var hovering: DropSession?

  /// - Parameters:
  ///   - delegate: Reports the answers to positions, and is told of the end of drops.
  ///   - onFailure: Ends a drop whose text cannot be loaded.
  init(
    in content: WindowContent, _ window: ToolWindow, drag: FieldDrag, operations: [DragOperation],
    delegate: any WindowDropDelegate, reporter: Reporter, onFailure: @escaping (DropSession, XDnDError) -> Void
  ) {
    self.content = content
    self.window = window
    self.drag = drag
    self.delegate = delegate
    self.reporter = reporter
    self.onFailure = onFailure
    region = DropRegion(accepting: DropOffer([.plainText], operations: operations))
    // The insertion point depends on every position, so the source must send them all.
    region.isPrecise = true
    region.containerName = FieldDrag.container
    region.autoScroll = AutoScrollBehavior(
      margin: Int(24 * window.scale), initialSpeed: 100 * window.scale, maximumSpeed: 800 * window.scale,
      isHorizontal: true, isVertical: false)
    region.delegate = self
    region.onTargeted = { [unowned content] in content.highlightField($0) }
    region.onAutoScroll = { [unowned self] in scroll(by: $0.dx) }
    drag.onMovedOut = { [unowned self] part in
      text.remove(part.text, at: part.range)
      reportText()
      self.content.update()
    }
  }

  func cancelLoad() { task?.cancel() }

  /// The user has edited the text in the window, or selected a part of it.
  func edited(_ new: Scene.TextField) {
    let old = text
    text = new
    if new.text != old.text || new.selectedText != old.selectedText { reportText() }
  }

  var selectedText: String { text.selectedText }

  /// Inserts pasted text in place of the selection.
  func paste(_ string: String) {
    let line = Self.line(string)
    guard !line.isEmpty else { return }
    let index = text.selection.lowerBound
    text.insert(line)
    reportInsertion(of: line, at: index)
    reportText()
    content.update()
  }

  func removeSelection() {
    text.insert("")
    reportText()
    content.update()
  }

  /// Returns text as the field takes it: it has a single line.
  private static func line(_ string: String) -> String {
    string.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private static func beginning(of line: String) -> String {
    Formatting.visible(line, limit: LabelLimit(scalarCount: 160, keepsEnd: false))
  }

  private func reportInsertion(of line: String, at index: Int) {
    reporter.print(
      "inserted", "Inserted at \(index): \(Self.beginning(of: line))",
      ["index": .integer(index), "text": .string(line)])
  }

  private func reportText() {
    reporter.printForPrograms("field", ["text": .string(text.text), "selected": .string(text.selectedText)])
  }

  private func mark(_ index: Int?) {
    guard text.dropMark != index else { return }
    text.dropMark = index
    content.update()
  }

  /// Scrolls the text under a drag that rests near an end. Returns whether it moved; the insertion mark follows with the
  /// next answer, which the library asks for then.
  private func scroll(by pixels: Int) -> Bool {
    guard window.scrollField(by: pixels) else { return false }
    if let index = hovering.flatMap({ content.insertionIndex(of: $0) }), index != text.dropMark {
      reporter.print(
        "scrolled", "Scrolled the field to index \(index).", ["how": .string("rest"), "index": .integer(index)])
    }
    return true
  }
}

extension TrialField: DropDelegate {
  func dropUpdated(_ drop: DropSession) -> DropProposal {
    hovering = drop
    // The field takes the text in, so it performs what the offer accepts, also a move. Its own text it can always move.
    let isOwn = drag.part(of: drop) != nil
    let suggestion = isOwn ? .accept(drop.requestedOperation == .move ? .move : .copy) : drop.suggestedProposal
    let proposal = delegate.answer(drop, suggestion)
    mark(proposal.operation == nil ? nil : content.insertionIndex(of: drop))
    return proposal
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) {
    hovering = nil
    mark(nil)
  }

  func performDrop(_ drop: DropSession) {
    let index = content.insertionIndex(of: drop) ?? text.dropMark ?? text.caret
    hovering = nil
    mark(nil)
    content.begin(drop)
    if let part = drag.part(of: drop) {
      if drop.droppedOperation == .move {
        text.move(part.range, to: index)
      } else {
        text.insert(part.text, at: index)
      }
      return inserted(part.text, from: drop)
    }
    task = drop.load(String.self, limit: Self.loadLimit) { [weak self] result in
      guard let self else { return }
      task = nil
      switch result {
      case .success(let string):
        let line = Self.line(string)
        text.insert(line, at: index)
        inserted(line, from: drop)
      case .failure(let error): onFailure(drop, error)
      }
    }
    if task?.isFinished == true { task = nil }
  }

  func dropEnded(_ drop: DropSession, _ result: DropResult) { delegate.dropEnded(drop, result) }

  /// Reports the text of a drop, which is selected in the field now, and finishes the drop.
  private func inserted(_ line: String, from drop: DropSession) {
    text.isFocused = true
    content.drops.add(
      DropHistory.Part(title: Self.beginning(of: line), details: "inserted in the field", content: .text(line)),
      to: drop)
    reportInsertion(of: line, at: text.selection.lowerBound)
    reportText()
    content.update()
    drop.activateWindow()
    drop.finish(drop.droppedOperation == .ask ? .copy : drop.droppedOperation ?? .copy)
  }
}
