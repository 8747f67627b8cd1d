/// When the user last acted in a window, for `_NET_WM_USER_TIME` (EWMH).
///
/// A key counts at once. A press of the content counts once it turns out to be a click: one that becomes a drag takes
/// content out of the window, and is no reason to activate it.
struct UserActivity: Equatable {
  /// The server timestamp; `nil` before the first action.
  private(set) var time: UInt32?
  /// Whether a press has become neither a click nor a drag yet.
  private var isUndecided = false

  /// - Parameter time: 0 for an event that another client or an input method made, which says nothing.
  mutating func act(at time: UInt32) {
    isUndecided = false
    if time != 0 { self.time = time }
  }

  mutating func press() { isUndecided = true }

  mutating func release(at time: UInt32) {
    if isUndecided { act(at: time) }
  }

  /// The press has become a drag.
  mutating func drag() { isUndecided = false }
}
