import XDnD

/// What a target can do wrong with its answers; the names are those of the rules.
extension Fault {
  static var ofTargetAnswers: [Fault] {
    [
      aware("aware-version", version: 9),
      // A window that nobody has, and so names nobody.
      .property("proxy-self", .written) { property, _ in
        guard property.name.rawValue == "XdndAware" else { return [property] }
        let proxy = WireEvent.Property(
          .written, AtomName(rawValue: "XdndProxy"), of: property.window, type: AtomName(rawValue: "WINDOW"),
          format: 32, bytes: [1, 0, 0, 0])
        return [proxy, property]
      },
      .message("status-answers", "XdndStatus") { _, _ in [] },
      .words("status-window", of: "XdndStatus") { words, _ in words[0] += 1 },
      // A type is no action, and nobody has asked for it.
      .words("status-action", of: "XdndStatus") { words, memory in
        if words[1] & 1 != 0 { words[4] = memory.enter?.words[2] ?? 1 }
      },
      .words("status-refusal", of: "XdndStatus") { words, memory in
        if words[1] & 1 == 0 { words[4] = memory.position?.words[4] ?? 1 }
      },
      .words("status-reserved", of: "XdndStatus") { words, _ in words[1] |= 0xFFFF_FFF0 },
      // As if the window's corner were the screen's.
      .words("status-rectangle", of: "XdndStatus") { words, _ in
        guard words[1] & 1 != 0 else { return }
        words[2] = 0
        words[3] = 20 << 16 | 20
      },
      .message("status-unasked", "XdndStatus") { message, _ in [.message(message), .message(message)] },
      .message("finished-once", "XdndFinished") { message, _ in [.message(message), .message(message)] },
      .words("finished-window", of: "XdndFinished") { words, _ in words[0] += 1 },
      // As tkdnd does.
      .words("finished-result", of: "XdndFinished") { words, _ in words[1] |= 0b10 },
      .words("finished-action", of: "XdndFinished") { words, memory in
        words[2] = words[1] & 1 != 0 ? 0 : memory.position?.words[4] ?? 1
      },
      // What was refused has been a success.
      .words("refused-drop", of: "XdndFinished") { words, memory in
        guard words[1] & 1 == 0 else { return }
        words[1] = 1
        words[2] = memory.position?.words[4] ?? 0
      },
      // Nobody has left.
      .hearing("session-forgotten", "XdndLeave") { _, _ in nil },
      // Whatever it is, it is welcome, and then nobody wants it.
      .words("unknown-types-refused", of: "XdndStatus") { words, memory in
        guard words[1] & 1 == 0 else { return }
        words = [words[0], 0b11, 0, 0, memory.position?.words[4] ?? 0]
      },
      // Who is older than this is not there.
      Fault(
        id: "version-negotiated",
        heard: { action, memory in
          guard case .message(let message) = action, let enter = memory.enter, enter.words.count == 5,
            message.type.rawValue != "XdndEnter" || message == enter
          else { return action }
          return enter.words[1] >> 24 < 5 ? nil : action
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

  /// Says to be of another version. What a session is like then is what the source makes of it.
  private static func aware(_ id: String, version: UInt32) -> Fault {
    .property(id, .written) { property, _ in
      [property.name.rawValue == "XdndAware" ? property.with(word: version, appended: false) : property]
    }
  }
}
