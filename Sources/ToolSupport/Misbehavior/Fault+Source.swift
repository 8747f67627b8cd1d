import XDnD

/// Faults in a source's messages. They are named after the rules that they break.
extension Fault {
  static var ofSourceMessages: [Fault] {
    [
      .words("enter-version", of: "XdndEnter") { words, _ in words[1] = 9 << 24 | words[1] & 0xFF_FFFF },
      enterFirst,
      .message("source-window", "XdndPosition") { message, _ in
        var stranger = message
        stranger.words[0] += 1
        return [.message(stranger), .message(message)]
      },
      .words("type-list-bit", of: "XdndEnter") { words, _ in words[1] ^= 1 },
      .property("type-list-names", .written) { property, _ in
        // No atom: servers number atoms from 1 and do not reach this number.
        [property.name.rawValue == "XdndTypeList" ? property.with(word: 0x1FFF_FFFF, appended: true) : property]
      },
      .words("inline-types", of: "XdndEnter") { words, _ in
        words.replaceSubrange(2..., with: words[1] & 1 != 0 ? [0, 0, 0] : [0, words[2], words[3]])
      },
      Fault(
        id: "selection-owned",
        instead: { action, _ in if case .owner = action { [] } else { [action] } }),
      .message("position-waits", "XdndPosition") { message, _ in [.message(message), .message(message)] },
      .words("position-time", of: "XdndPosition") { words, _ in words[3] = 0 },
      // Predefined atoms, none of which names an action. tkdnd uses atoms named `copy` and `move`.
      .property("action-list", .written) { property, _ in
        guard property.name.rawValue == "XdndActionList" else { return [property] }
        return [property.with(bytes: Format32.bytes((0..<UInt32(property.bytes.count / 4)).map { $0 + 1 }))]
      },
      .words("position-action", of: "XdndPosition") { words, _ in words[4] = 0 },
      .words("position-coordinates", of: "XdndPosition") { words, _ in words[2] = 0x7FFF_7FFF },
      // Behaves as if the target had asked for all positions.
      .hearing("quiet-rectangle", "XdndStatus") { message, _ in
        var status = message
        status.words[1] |= 0b10
        return status
      },
      Fault(
        id: "leave-or-drop",
        instead: { action, _ in
          guard case .message(let message) = action else { return [action] }
          switch message.kind {
          case .leave: return []
          case .drop:
            var leave = message
            leave.type = AtomName(rawValue: "XdndLeave")
            leave.words = [message.words[0], 0, 0, 0, 0]
            return [action, .message(leave)]
          default: return [action]
          }
        }),
      // Behaves as if the target had accepted the requested action.
      .hearing("drop-accepted", "XdndStatus") { message, memory in
        guard !message.xdnd.isAcceptance, let position = memory.position else { return message }
        var status = message
        status.words = [message.words[0], 0b11, 0, 0, position.words[4]]
        return status
      },
      .message("drop-after-status", "XdndDrop") { message, memory in
        (memory.position.map { [.message($0)] } ?? []) + [.message(message)]
      },
      .words("drop-time", of: "XdndDrop") { words, _ in words[2] = 0 },
      .message("selection-kept", "XdndDrop") { message, memory in
        guard let owner = memory.owner else { return [.message(message)] }
        return [.message(message), .owner(of: AtomName(rawValue: "XdndSelection"), .none, owner.time)]
      },
      Fault(
        id: "unused-words-zero",
        instead: { action, _ in
          guard case .message(var message) = action else { return [action] }
          switch message.kind {
          case .enter: message.words[1] |= 0x00_5A5A << 1
          case .leave, .drop: message.words.replaceSubrange(3..., with: [0xDEAD, 0xBEEF])
          default: break
          }
          return [.message(message)]
        }),
    ]
  }

  /// Sends the first position before XdndEnter, and again after it.
  private static var enterFirst: Fault {
    var held: WireEvent.Message?
    return Fault(
      id: "enter-first",
      instead: { action, _ in
        guard case .message(let message) = action else { return [action] }
        if message.kind == .enter {
          held = message
          return []
        }
        guard let enter = held else { return [action] }
        held = nil
        return [action, .message(enter), action]
      })
  }

  static var ofAnySource: [Fault] {
    [
      .slow,
      // Requests for content get no answer.
      Fault(
        id: "silent",
        instead: { action, memory in
          switch action {
          case .converted: []
          case .property(let property) where memory.target(of: property) != nil: []
          default: [action]
          }
        }),
      .message("flood", "XdndPosition") { message, _ in Array(repeating: .message(message), count: 300) },
      .death("die-on-enter", done: { $0.isMessage("XdndEnter") }),
      .death("die-on-position", done: { $0.isMessage("XdndPosition") }),
      .death("die-on-drop", done: { $0.isMessage("XdndDrop") }),
      .death("die-on-convert", heard: \.isConversion),
      oldVersion(3), oldVersion(4),
    ]
  }

  /// A source that names an old version. It ignores the result in XdndFinished and assumes success.
  private static func oldVersion(_ version: UInt32) -> Fault {
    var fault = Fault.words("version-\(version)", of: "XdndEnter") { words, _ in
      words[1] = version << 24 | words[1] & 0xFF_FFFF
    }
    fault.heard =
      hearing("", "XdndFinished") { message, memory in
        var finished = message
        finished.words[1] = 1
        finished.words[2] = memory.status?.words[4] ?? 0
        return finished
      }.heard
    return fault
  }
}
