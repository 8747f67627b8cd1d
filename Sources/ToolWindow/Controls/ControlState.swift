/// The state of the controls that changes how a scene is drawn.
struct ControlState: Equatable {
  var scroller = ListScroller()
  var bar = BarState()
  var hovered: HoveredPart?
  /// The row whose button was pressed and not yet released.
  var heldRowButton: Int?
  /// Whether typed keys go to the window. Only then it shows which keys it takes, and where they act.
  var hasKeyboard = false
}
