import XDnD

/// Faults of a source. They are named after the rules that they break.
extension Fault {
  static var ofSourceMessages: [Fault] {
    [
      .words("enter-version", of: .enter) { words, _ in words[1] = 9 << 24 | words[1] & 0xFF_FFFF },
      enterFirst,
      .message("source-window", .position) { message, _ in
        var stranger = message
        stranger.words[0] += 1
        return [.message(stranger), .message(message)]
      },
      .words("type-list-bit", of: .enter) { words, _ in words[1] ^= 1 },
      // No atom: servers number atoms from 1 and do not reach this number.
      .written("type-list-names", "XdndTypeList") { [$0.with(bytes: $0.bytes + UInt32(0x1FFF_FFFF).bytes)] },
      .words("inline-types", of: .enter) { words, _ in
        words.replaceSubrange(2..., with: words[1] & 1 != 0 ? [0, 0, 0] : [0, words[2], words[3]])
      },
      Fault(
        id: "selection-owned",
        instead: { action, _ in if case .owner = action { [] } else { [action] } }),
      .message("position-waits", .position) { message, _ in [.message(message), .message(message)] },
      .words("position-time", of: .position) { words, _ in words[3] = 0 },
      // Predefined atoms, none of which names an action. tkdnd uses atoms named `copy` and `move`.
      .written("action-list", "XdndActionList") { property in
        [property.with(bytes: (0..<UInt32(property.bytes.count / 4)).flatMap { ($0 + 1).bytes })]
      },
      .words("position-action", of: .position) { words, _ in words[4] = 0 },
      .words("position-coordinates", of: .position) { words, _ in words[2] = 0x7FFF_7FFF },
      // Behaves as if the target had asked for all positions.
      .hearing("quiet-rectangle", .status) { message, _ in
        var status = message
        status.words[1] |= 0b10
        return status
      },
      .message("leave-or-drop") { message, _ in
        guard message.kind == .drop else { return message.kind == .leave ? [] : [.message(message)] }
        let leave = Message(
          type: XdndMessageKind.leave.name, window: message.window, destination: message.destination,
          words: [message.words[0], 0, 0, 0, 0], names: message.names)
        return [.message(message), .message(leave)]
      },
      // Behaves as if the target had accepted the requested action.
      .hearing("drop-accepted", .status) { message, history in
        guard !message.xdnd.isAcceptance, let position = history.position else { return message }
        var status = message
        status.words = [message.words[0], 0b11, 0, 0, position.words[4]]
        return status
      },
      .message("drop-after-status", .drop) { message, history in
        [history.position, message].compactMap { $0.map(Action.message) }
      },
      .words("drop-time", of: .drop) { words, _ in words[2] = 0 },
      .message("selection-kept", .drop) { message, history in
        guard let owner = history.owner else { return [.message(message)] }
        return [.message(message), .owner(of: AtomName("XdndSelection"), .none, owner.time)]
      },
      .message("unused-words-zero") { message, _ in
        var changed = message
        switch message.kind {
        case .enter: changed.words[1] |= 0x00_5A5A << 1
        case .leave, .drop: changed.words.replaceSubrange(3..., with: [0xDEAD, 0xBEEF])
        default: break
        }
        return [.message(changed)]
      },
    ]
  }

  static var ofSourceContent: [Fault] {
    [
      .answer("conversion-answered") { _, _ in [] },
      // The content is written, but the answer names no property.
      .answer("advertised-delivered") { answer, history in
        let isAdvertised = answer.target.map(history.types.contains) ?? false
        return [.converted(isAdvertised ? answer.with(property: nil) : answer)]
      },
      // Qt 5.15, 6.4 and 6.12 do this if the request also comes from another window than the target's.
      .answer("hidden-requestor-served") { answer, _ in
        [.converted(answer.time == .currentTime ? answer.with(property: nil) : answer)]
      },
      .answer("answer-fields") { answer, _ in
        var wrong = answer
        wrong.time = Timestamp(rawValue: answer.time.rawValue &+ 1)
        return [.converted(wrong)]
      },
      .property("data-type", .written) { property, history in
        [history.isContent(property) && !property.isAnnouncement ? property.with(type: "x-wrong/type") : property]
      },
      .content("targets", "TARGETS") { $0.with(bytes: Array($0.bytes.prefix(4))) },
      .content("timestamp", "TIMESTAMP") { $0.with(firstWord: 0) },
      .answer("multiple") { answer, _ in
        [.converted(answer.target?.rawValue == "MULTIPLE" ? answer.with(property: nil) : answer)]
      },
      .answer("unadvertised-refused") { answer, history in
        guard answer.property == nil, let target = answer.target,
          let property = history.requests.values.first(where: {
            $0.requestor == answer.requestor && $0.target == target
          })?.property
        else { return [.converted(answer)] }
        let nonsense = Property(
          .written, property, of: answer.requestor, type: target, format: 8, bytes: Array("nonsense".utf8))
        return [.property(nonsense), .converted(answer.with(property: property))]
      },
      .content("uri-list-form", "text/uri-list") { property in
        property.with(bytes: property.bytes.filter { $0 != UInt8(ascii: "\r") })
      },
      .property("text-form", .written) { property, history in
        guard history.isWhole(property), let target = history.target(of: property)?.rawValue,
          target.hasPrefix("text/plain") || target == "UTF8_STRING" || target == "STRING"
        else { return [property] }
        return [property.with(bytes: property.bytes + [0])]
      },
      .property("incr-form", .written) { property, _ in
        [property.isAnnouncement ? property.with(firstWord: 0x0FFF_FFFF) : property]
      },
      .property("direct-save", .written) { property, history in
        if history.target(of: property)?.rawValue == "XdndDirectSave0" {
          return [property.with(bytes: [UInt8(ascii: "X")])]
        }
        guard property.name.rawValue == "XdndDirectSave0" else { return [property] }
        return [property.with(bytes: Array("../".utf8) + property.bytes)]
      },
    ]
  }

  static var ofAnySource: [Fault] {
    [
      .slow,
      // Requests for content get no answer.
      Fault(
        id: "silent",
        instead: { action, history in
          switch action {
          case .converted: []
          case .property(let property) where history.target(of: property) != nil: []
          default: [action]
          }
        }),
      .message("flood", .position) { message, _ in Array(repeating: .message(message), count: 300) },
      .death("die-on-enter", done: { $0.isMessage(.enter) }),
      .death("die-on-position", done: { $0.isMessage(.position) }),
      .death("die-on-drop", done: { $0.isMessage(.drop) }),
      .death("die-on-convert", heard: \.isConversion),
      oldVersion(3), oldVersion(4),
    ]
  }

  /// Sends the first position before XdndEnter, and again after it.
  private static var enterFirst: Fault {
    var held: Message?
    return .message("enter-first") { message, _ in
      if message.kind == .enter {
        held = message
        return []
      }
      guard let enter = held else { return [.message(message)] }
      held = nil
      return [.message(message), .message(enter), .message(message)]
    }
  }

  /// A source that names an old version. It ignores the result in XdndFinished and assumes success.
  private static func oldVersion(_ version: UInt32) -> Fault {
    var fault = words("version-\(version)", of: .enter) { words, _ in words[1] = version << 24 | words[1] & 0xFF_FFFF }
    fault.heard =
      hearing("", .finished) { message, history in
        var finished = message
        finished.words[1] = 1
        finished.words[2] = history.status?.words[4] ?? 0
        return finished
      }.heard
    return fault
  }
}
