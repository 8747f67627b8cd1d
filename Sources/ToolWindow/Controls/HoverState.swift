/// The part of the window that the pointer hovers over or drags, other than buttons and the field.
struct HoverState: Equatable {
  enum Place: Equatable {
    case row(Int)
    case handle
    case scrollbar
  }

  /// The part under the pointer.
  var place: Place?
  /// The distance from the top of the scroll bar's thumb to the pointer that drags it, in logical pixels; `nil` if it
  /// is not dragged.
  var grip: Double?
}
