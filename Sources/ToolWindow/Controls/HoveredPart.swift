/// The part of a scene under the pointer that is drawn differently then, other than the bar's buttons.
enum HoveredPart: Equatable {
  case row(Int)
  case handle
  case scrollbar

  init?(atX x: Double, y: Double, in layout: SceneLayout) {
    if layout.scrollTrack?.contains(x: x, y: y) == true {
      self = .scrollbar
    } else if layout.handle?.contains(x: x, y: y) == true {
      self = .handle
    } else if layout.iconSide != nil, let row = layout.row(atX: x, y: y) {
      // Rows without icons cannot be dragged, so they show no hover.
      self = .row(row)
    } else {
      return nil
    }
  }
}
