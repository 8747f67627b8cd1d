import Glibc
package import XDnD

/// Makes a tool break rules on purpose, to test the robustness of peers and the checks of `xdnd-probe check`.
///
/// Only the traffic is changed: the tool itself works as always.
package final class Misbehavior: WireTamper {
  /// The side of a drag that breaks rules.
  package enum Side: Sendable {
    /// The drag source.
    case source
    /// The drop target.
    case target
  }

  private let faults: [Fault]
  private let memory = WireMemory()

  /// - Parameter ids: Names from ``ids(of:)``. Unknown names are ignored.
  package init(_ ids: [String], of side: Side) {
    faults = Self.faults(of: side).filter { ids.contains($0.id) }
  }

  /// The names of all faults of a side.
  package static func ids(of side: Side) -> [String] { faults(of: side).map(\.id) }

  private static func faults(of side: Side) -> [Fault] {
    switch side {
    case .source: Fault.ofSourceMessages + Fault.ofSourceContent + Fault.ofAnySource
    case .target: Fault.ofTargetAnswers + Fault.ofTargetRequests + Fault.ofAnyTarget
    }
  }

  package func instead(of action: WireEvent.Action) -> [WireEvent.Action] {
    memory.note(sent: action)
    return faults.reduce([action]) { actions, fault in actions.flatMap { fault.instead($0, memory) } }
  }

  package func done(_ action: WireEvent.Action) {
    memory.note(read: action)
    for fault in faults { fault.done(action) }
  }

  package func heard(_ action: WireEvent.Action) -> WireEvent.Action? {
    memory.note(heard: action)
    return faults.reduce(action) { action, fault in action.flatMap { fault.heard($0, memory) } }
  }
}

/// One way to break a rule.
struct Fault {
  typealias Action = WireEvent.Action

  let id: String
  /// Replaces an action before it is carried out.
  var instead: (Action, WireMemory) -> [Action] = { action, _ in [action] }
  /// Called after an action.
  var done: (Action) -> Void = { _ in }
  /// Replaces an incoming action, or suppresses it.
  var heard: (Action, WireMemory) -> Action? = { action, _ in action }
}

extension Fault {
  /// A fault that changes the words of outgoing messages of a type.
  static func words(
    _ id: String, of type: String, _ change: @escaping (inout [UInt32], WireMemory) -> Void
  ) -> Fault {
    message(id, type) { message, memory in
      var changed = message
      change(&changed.words, memory)
      return [.message(changed)]
    }
  }

  /// A fault that replaces outgoing messages of a type.
  static func message(
    _ id: String, _ type: String, _ instead: @escaping (WireEvent.Message, WireMemory) -> [Action]
  ) -> Fault {
    Fault(
      id: id,
      instead: { action, memory in
        guard case .message(let message) = action, message.type.rawValue == type else { return [action] }
        return instead(message, memory)
      })
  }

  /// A fault that changes incoming messages of a type, or suppresses them.
  static func hearing(
    _ id: String, _ type: String, _ change: @escaping (WireEvent.Message, WireMemory) -> WireEvent.Message?
  ) -> Fault {
    Fault(
      id: id,
      heard: { action, memory in
        guard case .message(let message) = action, message.type.rawValue == type, message.words.count == 5 else {
          return action
        }
        return change(message, memory).map(Action.message)
      })
  }

  /// A fault that replaces writes or deletions of properties.
  static func property(
    _ id: String, _ change: WireEvent.Property.Change,
    _ instead: @escaping (WireEvent.Property, WireMemory) -> [WireEvent.Property]
  ) -> Fault {
    Fault(
      id: id,
      instead: { action, memory in
        guard case .property(let property) = action, property.change == change else { return [action] }
        return instead(property, memory).map(Action.property)
      })
  }

  /// A fault that replaces answers to conversions.
  static func answer(
    _ id: String, _ instead: @escaping (WireEvent.Conversion, WireMemory) -> [Action]
  ) -> Fault {
    Fault(
      id: id,
      instead: { action, memory in
        guard case .converted(let conversion) = action else { return [action] }
        return instead(conversion, memory)
      })
  }

  /// A fault that replaces requests for content.
  static func request(
    _ id: String, _ instead: @escaping (WireEvent.Conversion, WireMemory) -> [Action]
  ) -> Fault {
    Fault(
      id: id,
      instead: { action, memory in
        guard case .conversion(let conversion) = action else { return [action] }
        return instead(conversion, memory)
      })
  }

  /// A fault that ends the process after an outgoing or incoming action. SIGKILL, which cannot be handled, is the
  /// closest to a crash.
  static func death(
    _ id: String, done: @escaping (Action) -> Bool = { _ in false }, heard: @escaping (Action) -> Bool = { _ in false }
  ) -> Fault {
    Fault(
      id: id, done: { if done($0) { kill(getpid(), SIGKILL) } },
      heard: { action, _ in
        if heard(action) { kill(getpid(), SIGKILL) }
        return action
      })
  }

  /// A fault that delays each message and each answer by a second.
  static var slow: Fault {
    Fault(
      id: "slow",
      instead: { action, _ in
        switch action {
        case .message, .converted: sleep(1)
        default: break
        }
        return [action]
      })
  }
}

extension WireEvent.Action {
  /// Whether this is a message of the given type.
  func isMessage(_ type: String) -> Bool {
    if case .message(let message) = self { message.type.rawValue == type } else { false }
  }

  var isConversion: Bool { if case .conversion = self { true } else { false } }
}
