/// The pointer and keyboard state of a bar's buttons.
struct BarState: Equatable {
  /// The effect of a key press.
  enum KeyResult: Equatable {
    case ignored
    case handled
    case pressed(Int)
  }

  private(set) var hovered: Int?
  /// The button that was pressed and not yet released.
  private(set) var held: Int?
  /// Whether the press was on the bar: the bar then receives motion and the release.
  private(set) var isCapturing = false
  /// The focused button. Space activates it, and so does Return, except on a check box: there, Return activates the
  /// default button.
  private(set) var focused: Int?
  /// The check boxes that are on.
  private(set) var checked: Set<Int> = []

  /// Creates the state of a bar that has just appeared: the default button has the focus, or else the first one.
  init(_ bar: Scene.Bar? = nil) {
    focused = bar.flatMap { bar in bar.buttons.firstIndex { $0.isDefault } ?? bar.buttons.indices.first }
  }

  /// Whether to draw a button as pressed: only while releasing would activate it.
  func isDown(_ index: Int) -> Bool { held == index && hovered == index }

  mutating func move(over button: Int?) { hovered = button }

  mutating func focus(_ button: Int) { focused = button }

  mutating func press(on button: Int?) {
    hovered = button
    held = button
    isCapturing = true
    focused = button ?? focused
  }

  /// - Returns: The button that the release activates.
  mutating func release(on button: Int?) -> Int? {
    hovered = button
    defer {
      held = nil
      isCapturing = false
    }
    return held == button ? button : nil
  }

  /// Activates a button: a check box is switched, and any other button reported.
  mutating func activate(_ button: Int, in bar: Scene.Bar) -> KeyResult {
    guard bar.buttons[button].isCheckBox else { return .pressed(button) }
    checked.formSymmetricDifference([button])
    return .handled
  }

  mutating func type(_ key: KeyEvent, in bar: Scene.Bar) -> KeyResult {
    guard !bar.buttons.isEmpty, !key.isControlHeld, !key.isAltOrSuperHeld else { return .ignored }
    let count = bar.buttons.count
    let here = focused ?? 0
    switch key.key {
    case .tab where !key.isShiftHeld, .right where !key.isOnKeypad: focused = (here + 1) % count
    case .left where !key.isOnKeypad, .tab, .backTab: focused = (here + count - 1) % count
    case .enter where bar.buttons[here].isCheckBox:
      return bar.buttons.firstIndex { $0.isDefault }.map { .pressed($0) } ?? .ignored
    case .enter: return .pressed(here)
    case nil where KeyEvent.shortcut(of: key.keysym) == " ": return activate(here, in: bar)
    case .escape: return bar.buttons.firstIndex { $0.isCancel }.map { .pressed($0) } ?? .ignored
    default:
      guard !key.shortcut.isEmpty else { return .ignored }
      return bar.buttons.firstIndex { $0.key.lowercased() == key.shortcut }.map { activate($0, in: bar) } ?? .ignored
    }
    return .handled
  }
}
