import CX11
import Synchronization

/// What to do with the errors that a request of ours provokes.
enum ErrorPolicy: Sendable {
  /// A window that turns out to be gone is news: ``ServerEvent/windowVanished(_:)``.
  case report
  /// A round trip, which sees the failure in its missing reply, or a request whose failure means nothing.
  case swallow
  /// A question whose answer is an error: see ``DisplayErrors/takeRefused()``.
  case collect
}

/// The errors of one display: which requests are ours, and what their errors told.
///
/// Shared with the error handler, which may run on another thread if a host uses the display there.
final class DisplayErrors: Sendable {
  let isOwned: Bool
  /// Whether the server is lost.
  let isClosed = Atomic<Bool>(false)

  private let state = Mutex(State())

  init(isOwned: Bool) {
    self.isOwned = isOwned
  }

  private struct State {
    var brackets: [Bracket] = []
    var vanished: [Vanished] = []
    var refused: [UInt32] = []
  }

  /// A window that is gone, and the request that has found out.
  private struct Vanished {
    var window: WindowID
    var serial: UInt
  }

  /// Requests by their serial numbers; `last` is nil while they are being made.
  private struct Bracket {
    var first: UInt
    var last: UInt?
    var policy: ErrorPolicy
  }

  /// Begins a bracket with the request whose serial is `first`.
  func open(first: UInt, policy: ErrorPolicy) {
    state.withLock { $0.brackets.append(Bracket(first: first, last: nil, policy: policy)) }
  }

  /// Ends the innermost open bracket, and forgets those that can bring no errors any more.
  ///
  /// - Parameter processed: The last request that the server is known to have handled. Xlib counts it up as it reads,
  ///   in order, so all errors before it have been delivered.
  func close(last: UInt, processed: UInt) {
    state.withLock { state in
      if let open = state.brackets.lastIndex(where: { $0.last == nil }) {
        state.brackets[open].last = last
      }
      state.brackets.removeAll { bracket in
        bracket.last.map { $0 < bracket.first || $0 < processed } ?? false
      }
    }
  }

  /// Whether the error is about a request of ours; if so it is dealt with.
  func take(_ error: XErrorEvent) -> Bool {
    state.withLock { state in
      let bracket = state.brackets.last { $0.first <= error.serial && error.serial <= $0.last ?? .max }
      guard let bracket else { return false }
      let isMissingWindow = error.error_code == UInt8(BadWindow) || error.error_code == UInt8(BadDrawable)
      if bracket.policy == .report, isMissingWindow {
        let window = WindowID(rawValue: Format32.word(Int(bitPattern: error.resourceid)))
        state.vanished.append(Vanished(window: window, serial: error.serial))
      }
      if bracket.policy == .collect {
        state.refused.append(Format32.word(Int(bitPattern: error.resourceid)))
      }
      return true
    }
  }

  /// The resources and atoms that requests with ``ErrorPolicy/collect`` were told not to exist, since the last call.
  func takeRefused() -> [UInt32] {
    state.withLock { state in
      defer { state.refused.removeAll() }
      return state.refused
    }
  }

  /// Whether ``takeVanished(before:)`` has something.
  var hasVanished: Bool { state.withLock { !$0.vanished.isEmpty } }

  /// The windows that reported requests found missing, each once, since the last call.
  ///
  /// - Parameter serial: Of an event that is still to come, if there is one: it may be the last that a window has said, and
  ///   only those that were gone before it count.
  func takeVanished(before serial: UInt?) -> [WindowID] {
    state.withLock { state in
      let due = state.vanished.prefix { $0.serial <= serial ?? .max }
      defer { state.vanished.removeFirst(due.count) }
      var seen = Set<WindowID>()
      return due.map(\.window).filter { seen.insert($0).inserted }
    }
  }
}
