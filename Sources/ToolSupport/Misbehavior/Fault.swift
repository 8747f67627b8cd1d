import Glibc
import XDnD

/// One way to break a rule.
struct Fault {
  typealias Action = WireEvent.Action
  typealias Message = WireEvent.Message
  typealias Property = WireEvent.Property
  typealias Conversion = WireEvent.Conversion

  let id: String
  /// Replaces an action before it is carried out.
  var instead: (Action, SessionHistory) -> [Action] = { action, _ in [action] }
  /// Called after an action.
  var done: (Action) -> Void = { _ in }
  /// Replaces an incoming action, or suppresses it.
  var heard: (Action, SessionHistory) -> Action? = { action, _ in action }
}

extension Fault {
  static func words(
    _ id: String, of kind: XdndMessageKind, _ change: @escaping (inout [UInt32], SessionHistory) -> Void
  ) -> Fault {
    message(id, kind) { message, history in
      var changed = message
      change(&changed.words, history)
      return [.message(changed)]
    }
  }

  /// A fault that replaces outgoing messages.
  ///
  /// - Parameter kind: `nil` for messages of all kinds.
  static func message(
    _ id: String, _ kind: XdndMessageKind? = nil, _ instead: @escaping (Message, SessionHistory) -> [Action]
  ) -> Fault {
    replacing(id, { $0.message.flatMap { kind == nil || $0.kind == kind ? $0 : nil } }, instead)
  }

  /// A fault that changes incoming messages of a kind, or suppresses them.
  static func hearing(
    _ id: String, _ kind: XdndMessageKind, _ change: @escaping (Message, SessionHistory) -> Message?
  ) -> Fault {
    Fault(
      id: id,
      heard: { action, history in
        guard let message = action.message, message.kind == kind, message.words.count == 5 else { return action }
        return change(message, history).map(Action.message)
      })
  }

  static func property(
    _ id: String, _ change: Property.Change, _ instead: @escaping (Property, SessionHistory) -> [Property]
  ) -> Fault {
    replacing(
      id, { if case .property(let property) = $0, property.change == change { property } else { nil } },
      { instead($0, $1).map(Action.property) })
  }

  static func written(_ id: String, _ name: String, _ instead: @escaping (Property) -> [Property]) -> Fault {
    property(id, .written) { property, _ in property.name.rawValue == name ? instead(property) : [property] }
  }

  static func content(_ id: String, _ target: String, _ change: @escaping (Property) -> Property) -> Fault {
    property(id, .written) { property, history in
      [history.target(of: property)?.rawValue == target ? change(property) : property]
    }
  }

  static func answer(_ id: String, _ instead: @escaping (Conversion, SessionHistory) -> [Action]) -> Fault {
    replacing(id, { if case .converted(let conversion) = $0 { conversion } else { nil } }, instead)
  }

  private static func replacing<Part>(
    _ id: String, _ part: @escaping (Action) -> Part?, _ instead: @escaping (Part, SessionHistory) -> [Action]
  ) -> Fault {
    Fault(id: id, instead: { action, history in part(action).map { instead($0, history) } ?? [action] })
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
  var message: WireEvent.Message? { if case .message(let message) = self { message } else { nil } }

  func isMessage(_ kind: XdndMessageKind) -> Bool { message?.kind == kind }

  var isConversion: Bool { if case .conversion = self { true } else { false } }
}

extension WireEvent.Conversion {
  /// The same answer with another property; `nil` refuses.
  func with(property: AtomName?) -> WireEvent.Conversion {
    var conversion = self
    conversion.property = property
    return conversion
  }
}

extension WireEvent.Property {
  /// Whether the property is one that the library uses for incoming content.
  var isTransfer: Bool { name.rawValue.hasPrefix("XDND_TRANSFER_") }

  var isAnnouncement: Bool { type?.rawValue == "INCR" }

  func with(bytes: [UInt8]) -> WireEvent.Property {
    var property = self
    property.bytes = bytes
    property.byteCount = bytes.count
    return property
  }

  func with(firstWord word: UInt32) -> WireEvent.Property { with(bytes: word.bytes + bytes.dropFirst(4)) }

  func with(type: String) -> WireEvent.Property {
    var property = self
    property.type = AtomName(type)
    return property
  }
}

extension UInt32 {
  /// The bytes in the machine's order.
  var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
