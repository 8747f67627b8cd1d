import XDnD

/// The windows whose places a client keeps track of.
struct FollowedWindows {
  /// How often each window is followed.
  private(set) var counts: [WindowID: Int] = [:]
  /// The followed windows whose places are not known yet, by question.
  private var unsettled: [Int: WindowID] = [:]
  private var lastQuestion = 0

  /// Whether the place of a window is known.
  func isKnown(_ window: WindowID) -> Bool { counts[window] != nil && !unsettled.values.contains(window) }

  mutating func follow(_ window: WindowID) { counts[window, default: 0] += 1 }

  /// Undoes one ``follow(_:)``; `false` if the window is not followed.
  mutating func unfollow(_ window: WindowID) -> Bool {
    guard let count = counts[window] else { return false }
    counts[window] = count > 1 ? count - 1 : nil
    if count == 1 { unsettled = unsettled.filter { $0.value != window } }
    return true
  }

  /// Notes that the place of a window was requested.
  ///
  /// - Returns: The number of the question.
  mutating func ask(about window: WindowID) -> Int {
    lastQuestion += 1
    unsettled[lastQuestion] = window
    return lastQuestion
  }

  /// Notes that the answer to a question has arrived.
  mutating func settle(_ question: Int) { unsettled[question] = nil }
}
