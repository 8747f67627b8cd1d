import XDnD

/// Faults of a target. They are named after the rules that they break.
extension Fault {
  static var ofTargetAnswers: [Fault] {
    [
      aware("aware-version", version: 9),
      // A window that does not exist, so its XdndProxy cannot name it.
      .written("proxy-self", "XdndAware") { property in
        let proxy = Property(
          .written, AtomName("XdndProxy"), of: property.window, type: AtomName("WINDOW"), format: 32,
          bytes: [1, 0, 0, 0])
        return [proxy, property]
      },
      .message("status-answers", .status) { _, _ in [] },
      .words("status-window", of: .status) { words, _ in words[0] += 1 },
      // The atom of an offered type: neither an action nor what was requested.
      .words("status-action", of: .status) { words, history in
        if words[1] & 1 != 0 { words[4] = history.enter?.words[2] ?? 1 }
      },
      .words("status-refusal", of: .status) { words, history in
        if words[1] & 1 == 0 { words[4] = history.position?.words[4] ?? 1 }
      },
      .words("status-reserved", of: .status) { words, _ in words[1] |= 0xFFFF_FFF0 },
      // A rectangle at the root's origin, as if converted from window-local coordinates wrongly.
      .words("status-rectangle", of: .status) { words, _ in
        if words[1] & 1 != 0 { words.replaceSubrange(2...3, with: [0, 20 << 16 | 20]) }
      },
      .message("status-unasked", .status) { message, _ in [.message(message), .message(message)] },
      .message("finished-once", .finished) { message, _ in [.message(message), .message(message)] },
      .words("finished-window", of: .finished) { words, _ in words[0] += 1 },
      // As tkdnd 2.6 and 2.10 do.
      .words("finished-result", of: .finished) { words, _ in words[1] |= 0b10 },
      .words("finished-action", of: .finished) { words, history in
        words[2] = words[1] & 1 != 0 ? 0 : history.position?.words[4] ?? 1
      },
      // Reports success for a refused drop.
      .words("refused-drop", of: .finished) { words, history in
        guard words[1] & 1 == 0 else { return }
        words[1] = 1
        words[2] = history.position?.words[4] ?? 0
      },
      // Ignores XdndLeave.
      .hearing("session-forgotten", .leave) { _, _ in nil },
      // Accepts unknown types, of which the tool then requests none.
      .words("unknown-types-refused", of: .status) { words, history in
        guard words[1] & 1 == 0 else { return }
        words = [words[0], 0b11, 0, 0, history.position?.words[4] ?? 0]
      },
      // Ignores sources of older versions.
      Fault(
        id: "version-negotiated",
        heard: { action, history in
          guard let message = action.message, let enter = history.enter, enter.words.count == 5,
            message.kind != .enter || message == enter
          else { return action }
          return enter.xdnd.statedVersion < 5 ? nil : action
        }),
    ]
  }

  static var ofTargetRequests: [Fault] {
    [
      finishedAfterData, fetchAfterDrop,
      // No XdndFinished after a refusal, as FLTK and GLFW do.
      .message("refusal-ends-drop", .finished) { message, history in history.isRefused ? [] : [.message(message)] },
      .message("silence-ends-drop", .finished) { message, history in history.isUnanswered ? [] : [.message(message)] },
      // Keeps the empty last part of an INCR transfer, as OpenJDK does. No content is lost.
      .property("incr-end-deleted", .deleted) { property, history in
        history.hasEnded(property.place) ? [] : [property]
      },
      Fault(
        id: "conversion-time",
        instead: { action, _ in
          guard case .conversion(var request) = action else { return [action] }
          request.time = .currentTime
          return [.conversion(request)]
        }),
      Fault(
        id: "conversion-advertised",
        instead: { action, _ in
          guard case .conversion(var request) = action else { return [action] }
          request.target = unknownType
          request.property = earlyProperty
          return [.conversion(request), action]
        },
        heard: { action, _ in
          if case .converted(let answer) = action, answer.target == unknownType { nil } else { action }
        }),
      .property("property-deleted", .deleted) { property, history in
        property.isTransfer && !history.incremental.contains(property.place) ? [] : [property]
      },
      .property("reads-incr", .deleted) { property, history in
        history.incremental.contains(property.place) ? [] : [property]
      },
    ]
  }

  static var ofAnyTarget: [Fault] {
    [
      .slow,
      .message("silent") { message, _ in
        message.kind == .status || message.kind == .finished ? [] : [.message(message)]
      },
      .message("flood", .status) { message, _ in Array(repeating: .message(message), count: 300) },
      .death("die-on-enter", heard: { $0.isMessage(.enter) }),
      .death("die-on-position", heard: { $0.isMessage(.position) }),
      .death("die-on-drop", heard: { $0.isMessage(.drop) }),
      .death("die-on-convert", done: \.isConversion),
      aware("version-3", version: 3), aware("version-4", version: 4),
    ]
  }

  /// Announces another version. The source determines what the session is then like.
  private static func aware(_ id: String, version: UInt32) -> Fault {
    .written(id, "XdndAware") { [$0.with(firstWord: version)] }
  }

  /// Sends XdndFinished together with the first request.
  private static var finishedAfterData: Fault {
    var hasFinished = false
    return Fault(
      id: "finished-after-data",
      instead: { action, history in
        if action.isMessage(.finished) { return hasFinished ? [] : [action] }
        guard case .conversion = action, !hasFinished, let position = history.position, let status = history.status
        else { return [action] }
        hasFinished = true
        let finished = Message(
          type: XdndMessageKind.finished.name, window: position.xdnd.sender,
          words: [status.words[0], 1, status.words[4], 0, 0])
        return [action, .message(finished)]
      },
      heard: { action, _ in
        if action.isMessage(.enter) { hasFinished = false }
        return action
      })
  }

  /// Requests content with each XdndStatus. The answer stays on the window until the next message.
  private static var fetchAfterDrop: Fault {
    var leftovers: [Property] = []
    var fault = message("fetch-after-drop") { message, history in
      defer { leftovers = [] }
      let rest = leftovers.map(Action.property)
      guard message.kind == .status, let position = history.position, let type = history.enter?.names[2] else {
        return rest + [.message(message)]
      }
      let early = Conversion(
        selection: AtomName("XdndSelection"), target: type, property: earlyProperty, requestor: position.window,
        time: position.xdnd.positionTime)
      return rest + [.conversion(early), .message(message)]
    }
    fault.heard = { action, _ in
      guard case .converted(let answer) = action, answer.property == earlyProperty else { return action }
      leftovers = [Property(.deleted, earlyProperty, of: answer.requestor)]
      return nil
    }
    return fault
  }

  private static var earlyProperty: AtomName { AtomName("XDND_MISBEHAVIOR") }
  private static var unknownType: AtomName { AtomName("x-unadvertised/type") }
}
