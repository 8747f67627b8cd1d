import XDnD

/// Faults in a target's answers. They are named after the rules that they break.
extension Fault {
  static var ofTargetAnswers: [Fault] {
    [
      aware("aware-version", version: 9),
      // A window that does not exist, so its XdndProxy cannot name it.
      .property("proxy-self", .written) { property, _ in
        guard property.name.rawValue == "XdndAware" else { return [property] }
        let proxy = WireEvent.Property(
          .written, AtomName(rawValue: "XdndProxy"), of: property.window, type: AtomName(rawValue: "WINDOW"),
          format: 32, bytes: [1, 0, 0, 0])
        return [proxy, property]
      },
      .message("status-answers", "XdndStatus") { _, _ in [] },
      .words("status-window", of: "XdndStatus") { words, _ in words[0] += 1 },
      // The atom of an offered type: neither an action nor what was requested.
      .words("status-action", of: "XdndStatus") { words, memory in
        if words[1] & 1 != 0 { words[4] = memory.enter?.words[2] ?? 1 }
      },
      .words("status-refusal", of: "XdndStatus") { words, memory in
        if words[1] & 1 == 0 { words[4] = memory.position?.words[4] ?? 1 }
      },
      .words("status-reserved", of: "XdndStatus") { words, _ in words[1] |= 0xFFFF_FFF0 },
      // A rectangle at the root's origin, as if converted from window-local coordinates wrongly.
      .words("status-rectangle", of: "XdndStatus") { words, _ in
        guard words[1] & 1 != 0 else { return }
        words[2] = 0
        words[3] = 20 << 16 | 20
      },
      .message("status-unasked", "XdndStatus") { message, _ in [.message(message), .message(message)] },
      .message("finished-once", "XdndFinished") { message, _ in [.message(message), .message(message)] },
      .words("finished-window", of: "XdndFinished") { words, _ in words[0] += 1 },
      // As tkdnd 2.6 and 2.10 do.
      .words("finished-result", of: "XdndFinished") { words, _ in words[1] |= 0b10 },
      .words("finished-action", of: "XdndFinished") { words, memory in
        words[2] = words[1] & 1 != 0 ? 0 : memory.position?.words[4] ?? 1
      },
      // Reports success for a refused drop.
      .words("refused-drop", of: "XdndFinished") { words, memory in
        guard words[1] & 1 == 0 else { return }
        words[1] = 1
        words[2] = memory.position?.words[4] ?? 0
      },
      // Ignores XdndLeave.
      .hearing("session-forgotten", "XdndLeave") { _, _ in nil },
      // Accepts unknown types, of which the tool then requests none.
      .words("unknown-types-refused", of: "XdndStatus") { words, memory in
        guard words[1] & 1 == 0 else { return }
        words = [words[0], 0b11, 0, 0, memory.position?.words[4] ?? 0]
      },
      // Ignores sources of older versions.
      Fault(
        id: "version-negotiated",
        heard: { action, memory in
          guard case .message(let message) = action, let enter = memory.enter, enter.words.count == 5,
            message.kind != .enter || message == enter
          else { return action }
          return enter.xdnd.statedVersion < 5 ? nil : action
        }),
    ]
  }

  static var ofAnyTarget: [Fault] {
    [
      .slow,
      Fault(
        id: "silent",
        instead: { action, _ in action.isMessage("XdndStatus") || action.isMessage("XdndFinished") ? [] : [action] }),
      .message("flood", "XdndStatus") { message, _ in Array(repeating: .message(message), count: 300) },
      .death("die-on-enter", heard: { $0.isMessage("XdndEnter") }),
      .death("die-on-position", heard: { $0.isMessage("XdndPosition") }),
      .death("die-on-drop", heard: { $0.isMessage("XdndDrop") }),
      .death("die-on-convert", done: \.isConversion),
      aware("version-3", version: 3), aware("version-4", version: 4),
    ]
  }

  /// Announces another version. The source determines what the session is then like.
  private static func aware(_ id: String, version: UInt32) -> Fault {
    .property(id, .written) { property, _ in
      [property.name.rawValue == "XdndAware" ? property.with(word: version, appended: false) : property]
    }
  }
}
