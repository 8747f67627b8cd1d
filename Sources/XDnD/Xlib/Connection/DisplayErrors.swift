import XDnDX11
import Synchronization

/// The handling of errors that a request causes.
package enum ErrorPolicy: Sendable {
  /// Reports a missing window as ``ServerEvent/windowVanished(_:)``.
  case report
  /// Ignores the error. A round trip without a reply returns `nil`.
  case swallow
}

/// Recognizes the errors of one driver's requests by serial number, and collects the windows that they report as
/// missing.
///
/// Thread-safe: errors arrive on another thread if a host uses the display there.
final class DisplayErrors: Sendable {
  let isOwned: Bool
  /// Whether the connection is lost.
  let isClosed = Atomic<Bool>(false)

  private let state = Mutex(State())

  init(isOwned: Bool) {
    self.isOwned = isOwned
  }

  private struct State {
    /// In the order in which they were opened. Those before ``first`` can cause no more errors.
    var brackets: [Bracket] = []
    var first = 0
    var vanished: [Vanished] = []

    /// The innermost bracket of a request.
    func bracket(of request: UInt) -> Bracket? {
      // A binary search: a hundred thousand brackets may begin after the request.
      var (low, high) = (first, brackets.count)
      while low < high {
        let middle = (low + high) / 2
        if brackets[middle].first <= request { low = middle + 1 } else { high = middle }
      }
      return brackets[first..<low].last { request <= $0.last ?? .max }
    }

    /// Discards the brackets at the beginning whose requests are processed. The cost per bracket is constant, because
    /// there may be a hundred thousand unprocessed ones while Xlib reads a flood of events.
    mutating func discard(processed: UInt) {
      while first < brackets.count, let last = brackets[first].last, last < processed { first += 1 }
      if first > brackets.count / 2 {
        brackets.removeFirst(first)
        first = 0
      }
    }
  }

  /// A destroyed window, and the serial number of the request that failed.
  private struct Vanished {
    var window: WindowID
    var serial: UInt
  }

  /// A range of requests by serial number. `last` is `nil` while the requests are being sent.
  private struct Bracket {
    var first: UInt
    var last: UInt?
    var policy: ErrorPolicy
    var isShared: Bool
  }

  /// The major opcodes of the core protocol's requests with replies (X11 protocol, Appendix B).
  private static let requestsWithReply: Set<UInt8> = [
    3, 14, 15, 16, 17, 20, 21, 23, 26, 31, 38, 39, 40, 43, 44, 47, 48, 49, 50, 52, 73, 83, 84, 85, 86, 87, 91, 92, 97,
    98, 99, 101, 103, 106, 108, 110, 116, 117, 118, 119,
  ]

  /// Opens a bracket that begins with the request whose serial number is `first`.
  ///
  /// - Parameter isShared: Whether another thread of the host may send requests within the bracket. The caller then
  ///   sends only requests with replies, so that errors of requests without a reply can be left to the host.
  func open(first: UInt, policy: ErrorPolicy, isShared: Bool = false) {
    state.withLock { $0.brackets.append(Bracket(first: first, last: nil, policy: policy, isShared: isShared)) }
  }

  /// Closes the innermost open bracket, and discards the brackets that can cause no more errors.
  ///
  /// - Parameter processed: The last request that the server is known to have processed. Xlib advances it as it reads,
  ///   in order, so all errors of earlier requests have been delivered.
  func close(last: UInt, processed: UInt) {
    state.withLock { state in
      if let open = state.brackets.lastIndex(where: { $0.last == nil }) {
        // Many brackets contain no request: their code only looks at Xlib's queue.
        if last < state.brackets[open].first {
          state.brackets.remove(at: open)
        } else {
          state.brackets[open].last = last
        }
      }
      state.discard(processed: processed)
    }
  }

  /// Handles an error if a bracket covers its request. Runs inside an Xlib call, with the display locked: must not call
  /// Xlib.
  ///
  /// - Parameters:
  ///   - resource: The resource id that the error is about.
  ///   - opcode: The request's major opcode.
  /// - Returns: Whether the error is this library's.
  func take(_ code: UInt8, of request: UInt, about resource: UInt32, opcode: UInt8) -> Bool {
    state.withLock { state in
      guard let bracket = state.bracket(of: request) else { return false }
      if bracket.isShared, !Self.requestsWithReply.contains(opcode) { return false }
      let isMissingWindow = code == UInt8(BadWindow) || code == UInt8(BadDrawable)
      if bracket.policy == .report, isMissingWindow {
        state.vanished.append(Vanished(window: WindowID(rawValue: resource), serial: request))
      }
      return true
    }
  }

  /// Whether ``takeVanished(before:)`` may return windows.
  var hasVanished: Bool { state.withLock { !$0.vanished.isEmpty } }

  /// Removes and returns the windows that requests with ``ErrorPolicy/report`` found missing, each once.
  ///
  /// - Parameter serial: The serial number of the next queued event, if there is one. That event may be the last one
  ///   from a vanished window, so only windows whose error precedes it are returned.
  func takeVanished(before serial: UInt?) -> [WindowID] {
    state.withLock { state in
      let due = state.vanished.prefix { $0.serial <= serial ?? .max }
      defer { state.vanished.removeFirst(due.count) }
      var seen = Set<WindowID>()
      return due.map(\.window).filter { seen.insert($0).inserted }
    }
  }
}
