/// The part of a scene under the pointer that is drawn differently then or has a cursor of its own, other than the bar's
/// buttons.
enum HoveredPart: Equatable {
  case row(Int)
  /// The button at the end of a row.
  case rowButton(Int)
  case handle
  case scrollbar

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
