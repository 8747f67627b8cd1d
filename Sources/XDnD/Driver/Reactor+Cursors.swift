extension Reactor {
  /// Shows what a drop at the pointer would do; `nil` for nothing.
  func showCursor(of drag: DragID, for operation: DragOperation?) {
    let isOutside = operation == nil && drags[drag]?.isOverTarget == false
    system.show(isOutside ? cursorOutside(of: drag) : CursorShape(for: operation))
  }

  /// What a drag shows where nothing takes drops.
  func cursorOutside(of drag: DragID) -> CursorShape {
    offers.last { $0.id == drag }?.cursorOutside ?? .notAllowed
  }

  /// Has a drag show something else than "no" where nothing takes drops.
  func setCursorOutside(_ cursor: CursorShape, of drag: DragID) {
    guard let index = offers.lastIndex(where: { $0.id == drag }), offers[index].cursorOutside != cursor else { return }
    offers[index].cursorOutside = cursor
    guard grabHolder == drag, drags[drag]?.isOverTarget == false else { return }
    system.show(cursor)
    system.flush()
  }
}

extension SourceMachine {
  /// Whether there is a target under the pointer, whatever it says.
  fileprivate var isOverTarget: Bool {
    if case .dragging(let dragging) = state { dragging.over != nil } else { false }
  }
}
