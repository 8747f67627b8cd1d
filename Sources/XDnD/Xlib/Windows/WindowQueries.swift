import XDnDX11

/// Queries about one window or the pointer. Each makes a round trip, ``ancestors(of:)`` one for each ancestor. `nil` if
/// the window is destroyed or the connection lost.
///
/// Queries about several windows belong in a ``RequestBatch``.
package struct WindowQueries {
  private let display: DisplayHandle

  package init(_ display: DisplayHandle) {
    self.display = display
  }

  package struct State {
    /// Whether the window and all its ancestors are mapped.
    package var isViewable: Bool
    package var isMapped: Bool
    package var isInputOnly: Bool
    /// Whether window managers leave the window alone (`override_redirect`).
    package var isUnmanaged: Bool
    package var width: Int
    package var height: Int
    var depth: Int
    /// `nil` for `InputOnly` windows.
    var visual: UnsafeMutablePointer<Visual>?
    /// The events that this client has selected.
    package var eventMask: Int
  }

  package func state(of window: WindowID) -> State? {
    display.roundTrip(requests: 2) { display in
      var attributes = XWindowAttributes()
      guard XGetWindowAttributes(display, window.xid, &attributes) != 0 else { return nil }
      return State(
        isViewable: attributes.map_state == IsViewable, isMapped: attributes.map_state != IsUnmapped,
        isInputOnly: attributes.class == InputOnly, isUnmanaged: attributes.override_redirect != 0,
        width: Int(attributes.width), height: Int(attributes.height), depth: Int(attributes.depth),
        visual: attributes.visual, eventMask: attributes.your_event_mask)
    }
  }

  func parent(of window: WindowID) -> WindowID? { family(of: window)?.parent }

  /// A window's parent, `nil` for the root, and its children, bottom-most first.
  package func family(of window: WindowID) -> (parent: WindowID?, children: [WindowID])? {
    var answer: (parent: WindowID?, children: [WindowID])?
    var batch = RequestBatch(display)
    batch.parent(of: window) { parent in answer = parent.map { ($0 == .none ? nil : $0, []) } }
    batch.children(of: window) { answer?.children = $0?.windows ?? [] }
    batch.run()
    return answer
  }

  /// A window's ancestors from its parent upwards, without the root, at most 64.
  package func ancestors(of window: WindowID) -> [WindowID] {
    // Bounds the round trips for absurdly deep trees.
    let chain = sequence(first: window) { parent(of: $0) }.prefix(65)
    return chain.dropFirst().prefix { $0 != display.root }
  }

  /// Converts a point between the coordinates of two windows.
  ///
  /// - Returns: Also the mapped child of the second window that contains the point, if there is one.
  package func translate(_ point: Point, from window: WindowID, to other: WindowID) -> (point: Point, child: WindowID?)?
  {
    display.roundTrip { display in
      var (x, y, child): (Int32, Int32, Window) = (0, 0, 0)
      let isThere = XTranslateCoordinates(
        display, window.xid, other.xid, Int32(clamping: point.x), Int32(clamping: point.y), &x, &y, &child)
      return isThere != 0 ? (Point(x: Int(x), y: Int(y)), child == 0 ? nil : WindowID(child)) : nil
    }
  }

  /// A window's upper-left corner (inside its border), in root coordinates.
  package func origin(of window: WindowID) -> Point? {
    translate(Point(x: 0, y: 0), from: window, to: display.root)?.point
  }

  /// The screen's current bounds. Xlib does not notice changes of the size after the connection was opened.
  package var screen: Rect {
    let state = state(of: display.root)
    return Rect(x: 0, y: 0, width: state?.width ?? 0, height: state?.height ?? 0)
  }

  /// The pointer's position and state.
  package func pointer() -> PointerState? {
    var state: PointerState?
    var batch = RequestBatch(display)
    batch.pointer(over: display.root) { answer, _ in state = answer }
    batch.run()
    return state
  }
}
