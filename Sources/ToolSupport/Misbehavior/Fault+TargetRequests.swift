import XDnD

/// Faults in a target's requests for content. They are named after the rules that they break.
extension Fault {
  static var ofTargetRequests: [Fault] {
    [
      // Sends XdndFinished together with the first request.
      Fault(
        id: "finished-after-data",
        instead: { action, memory in
          if action.isMessage("XdndFinished") { return memory.hasFinished ? [] : [action] }
          guard case .conversion = action, !memory.hasFinished, let position = memory.position,
            let status = memory.status
          else { return [action] }
          memory.hasFinished = true
          let finished = WireEvent.Message(
            type: AtomName(rawValue: "XdndFinished"), window: WindowID(rawValue: position.words[0]),
            words: [status.words[0], 1, status.words[4], 0, 0])
          return [action, .message(finished)]
        }),
      // Requests content with each XdndStatus. The answer stays on the window until the next message.
      Fault(
        id: "fetch-after-drop",
        instead: { action, memory in
          guard case .message(let message) = action else { return [action] }
          defer { memory.leftovers = [] }
          let rest = memory.leftovers.map(Action.property)
          guard message.type.rawValue == "XdndStatus", let position = memory.position, let type = memory.enter?.names[2]
          else { return rest + [action] }
          let early = WireEvent.Conversion(
            selection: AtomName(rawValue: "XdndSelection"), target: type, property: earlyProperty,
            requestor: position.window, time: Timestamp(rawValue: position.words[3]))
          return rest + [.conversion(early), action]
        },
        heard: { action, memory in
          guard case .converted(let answer) = action, answer.property == earlyProperty else { return action }
          memory.leftovers = [WireEvent.Property(.deleted, earlyProperty, of: answer.requestor)]
          return nil
        }),
      // No XdndFinished after a refusal, as FLTK and GLFW do.
      Fault(
        id: "refusal-ends-drop",
        instead: { action, memory in action.isMessage("XdndFinished") && memory.isRefused ? [] : [action] }),
      Fault(
        id: "silence-ends-drop",
        instead: { action, memory in action.isMessage("XdndFinished") && memory.isUnanswered ? [] : [action] }),
      // Keeps the empty last part of an INCR transfer, as OpenJDK does. No content is lost.
      .property("incr-end-deleted", .deleted) { property, memory in
        memory.hasEnded(property.place) ? [] : [property]
      },
      .request("conversion-time") { request, _ in
        var wrong = request
        wrong.time = .currentTime
        return [.conversion(wrong)]
      },
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
      .property("property-deleted", .deleted) { property, memory in
        memory.isTransfer(property) && !memory.incremental.contains(property.place) ? [] : [property]
      },
      .property("reads-incr", .deleted) { property, memory in
        memory.incremental.contains(property.place) ? [] : [property]
      },
    ]
  }

  private static var earlyProperty: AtomName { AtomName(rawValue: "XDND_MISBEHAVIOR") }
  private static var unknownType: AtomName { AtomName(rawValue: "x-unadvertised/type") }
}

extension WireMemory {
  /// Whether the property is one that the library uses for incoming content.
  func isTransfer(_ property: WireEvent.Property) -> Bool { property.name.rawValue.hasPrefix("XDND_TRANSFER_") }
}
