/// The controls of a scene: the scroll bar, the buttons of rows and the bar. They get the pointer's input first.
struct ControlState: Equatable {
  var scroller = ListScroller()
  var bar = BarState()
  private(set) var hovered: HoveredPart?
  /// The row whose button was pressed and not yet released.
  private(set) var heldRowButton: Int?
  /// When the pointer last answered a question, in server time; `nil` if it never has.
  private(set) var answeredAt: UInt32?
  /// Whether typed keys go to the window. Only then does it show shortcut keys and the keyboard focus.
  var hasKeyboard = false

  /// The effect of releasing the pointer button.
  enum Release: Equatable {
    /// No control was held.
    case unused
    /// The release ends the press of a control without further effect.
    case used
    case rowButton(Int)
    /// A button of the bar.
    case button(Int)
  }

  /// The double-click time of most desktops, in milliseconds.
  private static let doubleClick: UInt32 = 400

  /// Whether a control other than the scroll bar was pressed, and receives motion and the release.
  var holdsPointer: Bool { bar.isCapturing || heldRowButton != nil }

  /// Handles a press; returns whether it is on a control.
  mutating func press(_ event: PointerEvent, at point: LogicalPoint, in layout: SceneLayout) -> Bool {
    if event.button == 1 {
      if scroller.press(at: point, in: layout) { return true }
      if let row = layout.rowButton(at: point) {
        heldRowButton = row
        return true
      }
    }
    guard let buttons = layout.bar, buttons.box.contains(point) else { return false }
    // The second click of a double click would answer the next question unseen.
    let isSecondClick = answeredAt.map { event.time &- $0 < Self.doubleClick } ?? false
    if event.button == 1, !isSecondClick { bar.press(on: buttons.button(at: point)) }
    return true
  }

  /// - Parameter question: The bar of the scene.
  mutating func release(
    _ event: PointerEvent, at point: LogicalPoint, in layout: SceneLayout, _ question: Scene.Bar?
  ) -> Release {
    guard event.button == 1 else { return .unused }
    if scroller.release() { return .used }
    if let row = heldRowButton {
      heldRowButton = nil
      return layout.rowButton(at: point) == row ? .rowButton(row) : .used
    }
    guard bar.isCapturing else { return .unused }
    guard let index = bar.release(on: layout.bar?.button(at: point)) else { return .used }
    if question?.buttons[index].isCheckBox == false { answeredAt = event.time }
    return .button(index)
  }

  /// Finds the part under the pointer, for highlighting and the cursor. While a pointer button is held, it finds only
  /// buttons of the bar.
  ///
  /// - Parameter point: `nil` if the pointer is elsewhere.
  mutating func hover(at point: LogicalPoint?, isButtonHeld: Bool, in layout: SceneLayout) {
    bar.move(over: point.flatMap { layout.bar?.button(at: $0) })
    hovered = isButtonHeld ? nil : point.flatMap { HoveredPart(at: $0, in: layout) }
  }
}

/// The part of a scene under the pointer, if hovering changes its look or the cursor. The bar's buttons are not
/// included.
enum HoveredPart: Equatable {
  case row(Int)
  /// The button at the end of a row.
  case rowButton(Int)
  case handle
  case scrollbar

  /// Whether the cursor over the part is an open hand.
  var hasGrabCursor: Bool { self == .handle }

  init?(at point: LogicalPoint, in layout: SceneLayout) {
    if layout.scrollTrack?.contains(point) == true {
      self = .scrollbar
    } else if layout.handle?.contains(point) == true {
      self = .handle
    } else if let row = layout.rowButton(at: point) {
      self = .rowButton(row)
    } else if layout.iconSide != nil, let row = layout.row(at: point) {
      // Rows without icons cannot be dragged, so they show no hover.
      self = .row(row)
    } else {
      return nil
    }
  }
}
