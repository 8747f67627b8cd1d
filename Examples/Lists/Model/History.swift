/// The states before and after each change. A change is undone by going back to the state before it.
struct History<State: Equatable>: Equatable {
  private struct Change: Equatable {
    var before: State
    var after: State
  }

  private var changes: [Change] = []
  /// How many of the changes are not undone.
  private var count = 0

  /// Adds a change. What was undone before it cannot be redone.
  mutating func record(_ before: State, _ after: State) {
    changes.replaceSubrange(count..., with: [Change(before: before, after: after)])
    count += 1
  }

  /// Returns the state to go back to; `nil` if all is undone.
  mutating func undo() -> State? {
    guard count > 0 else { return nil }
    count -= 1
    return changes[count].before
  }

  /// Returns the state to return to; `nil` if nothing is undone.
  mutating func redo() -> State? {
    guard count < changes.count else { return nil }
    count += 1
    return changes[count - 1].after
  }
}
