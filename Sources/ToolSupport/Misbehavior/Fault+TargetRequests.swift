import XDnD

/// Faults in a target's requests for content. They are named after the rules that they break.
extension Fault {
  static var ofTargetRequests: [Fault] {
    [
      finishedAfterData, fetchAfterDrop,
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
        property.isTransfer && !memory.incremental.contains(property.place) ? [] : [property]
      },
      .property("reads-incr", .deleted) { property, memory in
        memory.incremental.contains(property.place) ? [] : [property]
      },
    ]
  }

  /// Sends XdndFinished together with the first request.
  private static var finishedAfterData: Fault {
    var hasFinished = false
    return Fault(
      id: "finished-after-data",
      instead: { action, memory in
        if action.isMessage("XdndFinished") { return hasFinished ? [] : [action] }
        guard case .conversion = action, !hasFinished, let position = memory.position, let status = memory.status else {
          return [action]
        }
        hasFinished = true
        let finished = WireEvent.Message(
          type: AtomName("XdndFinished"), window: position.xdnd.sender,
          words: [status.words[0], 1, status.words[4], 0, 0])
        return [action, .message(finished)]
      },
      heard: { action, _ in
        if action.isMessage("XdndEnter") { hasFinished = false }
        return action
      })
  }

  /// Requests content with each XdndStatus. The answer stays on the window until the next message.
  private static var fetchAfterDrop: Fault {
    var leftovers: [WireEvent.Property] = []
    return Fault(
      id: "fetch-after-drop",
      instead: { action, memory in
        guard case .message(let message) = action else { return [action] }
        defer { leftovers = [] }
        let rest = leftovers.map(Action.property)
        guard message.kind == .status, let position = memory.position, let type = memory.enter?.names[2] else {
          return rest + [action]
        }
        let early = WireEvent.Conversion(
          selection: AtomName("XdndSelection"), target: type, property: earlyProperty, requestor: position.window,
          time: position.xdnd.positionTime)
        return rest + [.conversion(early), action]
      },
      heard: { action, _ in
        guard case .converted(let answer) = action, answer.property == earlyProperty else { return action }
        leftovers = [WireEvent.Property(.deleted, earlyProperty, of: answer.requestor)]
        return nil
      })
  }

  private static var earlyProperty: AtomName { AtomName(rawValue: "XDND_MISBEHAVIOR") }
  private static var unknownType: AtomName { AtomName(rawValue: "x-unadvertised/type") }
}
