import Glibc
package import XDnD

/// A peer that does wrong on purpose: what others have to bear, and what a check has to find.
///
/// Everything else it does right, for it is the tool as it is, and only what goes over its wire is changed.
package final class Misbehavior: WireTamper {
  /// Which of the two sides does wrong.
  package enum Side: Sendable {
    /// The one that drags.
    case source
    /// The one that is dropped on.
    case target
  }

  private let faults: [Fault]
  private let memory = WireMemory()

  /// - Parameter ids: Of ``ids(of:)``; others mean nothing.
  package init(_ ids: [String], of side: Side) {
    faults = Self.faults(of: side).filter { ids.contains($0.id) }
  }

  /// What a side can do wrong.
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

/// One way to do wrong.
struct Fault {
  typealias Action = WireEvent.Action

  let id: String
  /// What is done instead.
  var instead: (Action, WireMemory) -> [Action] = { action, _ in [action] }
  /// What happens once something is done.
  var done: (Action) -> Void = { _ in }
  /// What is heard instead.
  var heard: (Action, WireMemory) -> Action? = { action, _ in action }
}

extension Fault {
  /// Sends other words in messages of a type.
  static func words(
    _ id: String, of type: String, _ change: @escaping (inout [UInt32], WireMemory) -> Void
  ) -> Fault {
    message(id, type) { message, memory in
      var changed = message
      change(&changed.words, memory)
      return [.message(changed)]
    }
  }

  /// Does something else instead of sending messages of a type.
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

  /// Hears messages of a type as others, or not at all.
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

  /// Does something else instead of writing or deleting a property.
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

  /// Does something else instead of answering a conversion.
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

  /// Does something else instead of asking for a conversion.
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

  /// Is gone as soon as `isTime` says so of what it has done, or of what has come in. A signal that nothing can be made of
  /// comes as near to a crash as can be had.
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

  /// Sends each message and each answer a second late.
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
  /// Whether it is a message of this type.
  func isMessage(_ type: String) -> Bool {
    if case .message(let message) = self { message.type.rawValue == type } else { false }
  }

  var isConversion: Bool { if case .conversion = self { true } else { false } }
}
