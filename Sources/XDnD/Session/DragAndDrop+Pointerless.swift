extension DragAndDrop {
  /// Whether ``drop(_:on:at:along:asking:delegate:)`` would find a drop target.
  package func takesDrops(_ window: WindowID, at point: Point?) -> Bool {
    reactor.system.dropTarget(for: window, at: point) != nil
  }

  /// Drops items on a given window without using the pointer: for scripts, for tests, and for programs that know the
  /// target.
  ///
  /// The target goes through the whole protocol as with a pointer: it is told of the drag, answers each position, and
  /// loads content after the drop. Nothing is grabbed, the pointer and the keyboard focus stay where they are, and no
  /// image is shown. The window may be covered by others.
  ///
  /// Returns immediately. Failures are the drag's ``DragSession/outcome``:
  ///
  /// - ``DragOutcome/noTarget`` if there is no such window, or it accepts no drops;
  /// - ``DragOutcome/refused`` if the target refuses the content at the last position;
  /// - ``DragOutcome/timedOut`` if the target does not answer;
  /// - ``DragOutcome/targetVanished`` if the target's window is destroyed.
  ///
  /// The call ends a drag of the user's that is under way.
  ///
  /// - Parameters:
  ///   - items: The items, in order. They are merged into one XDND offer: see ``DragItem/init(joining:)``.
  ///   - window: The window to drop on. If it is not a drop target itself, its descendants at the position are tried,
  ///     and then its ancestors. A window that is embedded in another one will do, and so will the frame of a window
  ///     manager.
  ///   - point: The position of the drop, in window-local device pixels; `nil` for the middle of the window.
  ///   - path: Positions to visit first, in window-local device pixels. Each is sent after the answer to the previous
  ///     one.
  ///   - operation: The requested operation; `nil` for the first that the items permit. One that they do not permit is
  ///     ignored.
  ///   - delegate: Not retained.
  @discardableResult
  public func drop(
    _ items: [DragItem], on window: WindowID, at point: Point? = nil, along path: [Point] = [],
    asking operation: DragOperation? = nil, delegate: (any DragDelegate)? = nil
  ) -> DragSession {
    drags.drop(items, on: window, at: point, along: path, asking: operation, delegate: delegate)
  }
}
