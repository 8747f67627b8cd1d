/// The state of the controls that changes how a scene is drawn.
struct ControlState: Equatable {
  var scroller = ListScroller()
  var bar = BarState()
  var hovered: HoveredPart?
}
