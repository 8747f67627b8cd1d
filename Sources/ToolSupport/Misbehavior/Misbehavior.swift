package import XDnD

/// Makes a tool break rules on purpose, to test the robustness of peers and the checks of `xdnd-probe check`.
///
/// Only the traffic is changed: the tool itself works as always.
package final class Misbehavior: WireTamper {
  package enum Side: Sendable {
    case source, target
  }

  private let faults: [Fault]
  private let history = SessionHistory()

  /// - Parameter ids: Names from ``ids(of:)``. Unknown names are ignored.
  package init(_ ids: [String], of side: Side) {
    faults = Self.faults(of: side).filter { ids.contains($0.id) }
  }

  package static func ids(of side: Side) -> [String] { faults(of: side).map(\.id) }

  private static func faults(of side: Side) -> [Fault] {
    switch side {
    case .source: Fault.ofSourceMessages + Fault.ofSourceContent + Fault.ofAnySource
    case .target: Fault.ofTargetAnswers + Fault.ofTargetRequests + Fault.ofAnyTarget
    }
  }

  package func instead(of action: WireEvent.Action) -> [WireEvent.Action] {
    history.record(sent: action)
    return faults.reduce([action]) { actions, fault in actions.flatMap { fault.instead($0, history) } }
  }

  package func done(_ action: WireEvent.Action) {
    history.record(read: action)
    for fault in faults { fault.done(action) }
  }

  package func heard(_ action: WireEvent.Action) -> WireEvent.Action? {
    history.record(heard: action)
    return faults.reduce(action) { action, fault in action.flatMap { fault.heard($0, history) } }
  }
}
