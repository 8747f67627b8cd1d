import XDnDToolSupport
import XDnDToolWindow
import XDnD

/// Drags the selected text of the trial view's field, within the field and out of it.
///
/// Within the field the text is moved by default, and elsewhere copied, where that loses nothing.
final class FieldDrag {
  /// The field's name as a container of dragged content.
  static let container = "field"

  /// A part of the field's text.
  struct Part {
    let text: String
    let range: Range<Int>
  }

  /// The text was moved out of the field.
  var onMovedOut: (Part) -> Void = { _ in }
  /// A drag has ended, whatever its outcome.
  var onEnd: () -> Void = {}

  private let driver: DragAndDrop
  private let window: ToolWindow
  private let reporter: Reporter
  private lazy var interaction = DragInteraction(driver, delegate: self)
  /// What the last drag carries.
  private var carried: Part?

  init(_ driver: DragAndDrop, from window: ToolWindow, reporter: Reporter) {
    self.driver = driver
    self.window = window
    self.reporter = reporter
  }

  /// Handles a press on the selected text.
  func receive(_ step: PressStep, _ event: PointerEvent) {
    let root = Point(event.rootPosition)
    switch step {
    case .pressed:
      interaction.container = DragContainer(window: windowID, name: Self.container)
      interaction.press(
        DragPress(
          rootLocation: root, location: Point(event.position), button: PointerButton(rawValue: event.button),
          time: Timestamp(rawValue: event.time)))
    case .moved: interaction.move(to: root)
    case .released: interaction.release(PointerButton(rawValue: event.button))
    }
  }

  /// Returns the part of the field's own text that a drop consists of; `nil` for other drops.
  func part(of drop: DropSession) -> Part? {
    guard let drag = drop.localDrag, drag === interaction.session else { return nil }
    return carried
  }

  private var windowID: WindowID { WindowID(rawValue: window.windowID) }

  /// Returns the selected text as it looks. It is held beside the pointer, which points at the insertion mark.
  private var image: DragImage? {
    guard let place = window.placeOfSelectedText else { return nil }
    let hotspot = Point(x: -Int(10 * window.scale), y: -Int(16 * window.scale))
    return driver.image(ofWindow: windowID, area: Rect(place), hotspot: hotspot)
  }
}

extension FieldDrag: DragInteractionDelegate {
  func dragInteraction(_ interaction: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    guard let field = window.scene.field, !field.selection.isEmpty else { return [] }
    window.declineOfferedFocus()
    carried = Part(text: field.selectedText, range: field.selection)
    var item = DragItem(field.selectedText)
    item.operations = [.copy, .move]
    item.preview = image
    return [item]
  }

  func dragBegan(_ drag: DragSession) {
    reporter.print(
      "drag-began", "Dragging text out of the field.",
      ["types": .strings(drag.types.map(\.name)), "operations": .strings(drag.operations.map(\.description))])
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    onEnd()
    if outcome == .dropped(.move), drag.relation != .sameContainer, let carried { onMovedOut(carried) }
    reporter.print("drag-ended", "Dragged out: \(outcome.word).", ["outcome": .string(outcome.word)])
  }
}

extension Point {
  fileprivate init(_ point: PixelPoint) { self.init(x: point.x, y: point.y) }
}
