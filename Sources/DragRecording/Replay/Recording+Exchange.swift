import XDnD

extension Recording {
  /// Who has done something.
  func side(of event: WireEvent) -> Role {
    event.direction == .sent ? role : role.other
  }

  /// What one of the two ends has said, in words that leave out what differs from run to run: numbers of windows, times and
  /// places. What is said again and again is there once.
  public func exchange(by side: Role) -> [String] {
    var lines: [String] = []
    var answers = self.answers[...]
    func add(_ line: String) {
      if lines.last != line { lines.append(line) }
    }
    for entry in entries {
      switch entry.event.action {
      case .message(let message) where self.side(of: entry.event) == side && message.type.rawValue.hasPrefix("Xdnd"):
        add(message.gist)
      case .conversion(let conversion) where conversion.selection == Self.selection:
        if side == .target {
          add("asks for \(conversion.target?.rawValue ?? "None")")
        } else if let answer = answers.popFirst() {
          add(answer.gist)
        }
      case .property(let property)
      where property.name.rawValue == "XdndTypeList" && property.change == .read && side == .source && role == .target:
        add("offers " + property.names.map { $0?.rawValue ?? "None" }.joined(separator: ", "))
      default: continue
      }
    }
    return lines
  }
}

extension Recording.Role {
  /// The end that this one is not.
  public var other: Recording.Role { self == .source ? .target : .source }
}

extension WireEvent.Message {
  /// What it says, whoever says it and wherever.
  var gist: String {
    switch type.rawValue {
    case "XdndEnter":
      let types = (2...4).compactMap { names[$0]?.rawValue }
      return "\(type), version \(words[1] >> 24): " + types.joined(separator: ", ")
        + (words[1] & 1 == 0 ? "" : ", and more")
    case "XdndPosition": return "\(type), asking for \(action(at: 4))"
    case "XdndStatus": return "\(type): \(answer)"
    case "XdndFinished":
      return "\(type): " + (words[1] & 1 == 0 ? "nothing" : "done, \(action(at: 2))")
    default: return type.rawValue
    }
  }
}

extension RecordedAnswer {
  fileprivate var gist: String {
    guard isAnswered else { return "does not answer to \(target)" }
    guard let content else { return "refuses \(target)" }
    // Numbers of atoms differ, their names do not.
    let what =
      content.names.isEmpty
      ? "\(content.byteCount) bytes, \(Hexadecimal.text(Self.checksum(of: content.bytes)))"
      : content.names.map { $0?.rawValue ?? "None" }.joined(separator: ", ")
    return "gives \(target): \(content.type?.rawValue ?? "None"), \(what)"
  }

  /// FNV-1a.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    bytes.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

/// What one end says in two recordings.
public struct ExchangeDifference: Hashable, Sendable {
  /// What is only in the recording.
  public var missing: [String] = []
  /// What is only in the other.
  public var additional: [String] = []

  /// Compares, in order.
  public init(recorded: [String], live: [String]) {
    for change in live.difference(from: recorded) {
      switch change {
      case .remove(_, let line, _): missing.append(line)
      case .insert(_, let line, _): additional.append(line)
      }
    }
  }

  /// Whether both say the same in the same order.
  public var isEmpty: Bool { missing.isEmpty && additional.isEmpty }
}
