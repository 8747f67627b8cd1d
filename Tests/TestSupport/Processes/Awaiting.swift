import Foundation
import Synchronization

/// The result of `operation`, or `nil` when `timeout` passes first; then the operation's task is cancelled and awaited.
package func within<Value: Sendable>(
  _ timeout: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try? await Task.sleep(for: timeout)
      return nil
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}

/// Runs `body`, which may block, on a thread of its own: the few threads of Swift's pool must never block.
package func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}

/// Tasks that wait until a condition about a guarded value holds.
///
/// Every change goes through `update`, which wakes those whose condition now holds; a cancelled task stops waiting.
final class Awaitable<State: Sendable>: Sendable {
  private struct Waiter {
    let condition: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Guarded {
    var state: State
    var waiters: [Int: Waiter] = [:]
    var nextID = 0
  }

  private let guarded: Mutex<Guarded>

  init(_ state: State) {
    guarded = Mutex(Guarded(state: state))
  }

  /// What the value is now.
  var current: State { guarded.withLock { $0.state } }

  /// A part of the value, without a copy of the rest.
  func read<Part: Sendable>(_ body: (borrowing State) -> Part) -> Part { guarded.withLock { body($0.state) } }

  /// Changes the value and wakes those who waited for that.
  func update(_ change: (inout State) -> Void) {
    let woken = guarded.withLock { guarded in
      change(&guarded.state)
      let ready = guarded.waiters.filter { $0.value.condition(guarded.state) }
      ready.keys.forEach { guarded.waiters[$0] = nil }
      return ready.values.map(\.continuation)
    }
    woken.forEach { $0.resume() }
  }

  /// Returns once `condition` holds, or when the task is cancelled.
  func wait(until condition: @escaping @Sendable (State) -> Bool) async {
    let id = guarded.withLock { guarded in
      guarded.nextID += 1
      return guarded.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The look at the cancellation is under the lock that `onCancel` takes: it cannot slip in between.
        let ready = guarded.withLock { guarded in
          if Task.isCancelled || condition(guarded.state) { return true }
          guarded.waiters[id] = Waiter(condition: condition, continuation: continuation)
          return false
        }
        if ready { continuation.resume() }
      }
    } onCancel: {
      guarded.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
  }
}
