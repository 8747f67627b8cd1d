import XDnDConformance
import Testing
import XDnD

/// One way in which a source is wrong. A fault that breaks a rule of conformance has the rule's name.
struct SourceFault: Sendable, CustomTestStringConvertible {
  let id: String
  let change: @Sendable (inout SourceBehavior) -> Void
  var testDescription: String { id }

  private init(_ id: String, _ change: @escaping @Sendable (inout SourceBehavior) -> Void) {
    self.id = id
    self.change = change
  }

  static let all = ofMessages + ofContent + ofAnyRule

  static func named(_ id: String) -> SourceFault? { all.first { $0.id == id } }

  // MARK: Ways to make a fault

  private static func script(_ id: String, _ change: @escaping @Sendable (inout SourceScript) -> Void) -> SourceFault {
    SourceFault(id) { $0.changeScript = change }
  }

  private static func words(
    _ id: String, of kind: XdndMessageKind, _ change: @escaping @Sendable (inout [UInt32]) -> Void
  ) -> SourceFault {
    script(id) { $0.change(kind, change) }
  }

  private static func steps(
    _ id: String, insteadOf kind: XdndMessageKind,
    _ steps: @escaping @Sendable (SourceScript.Message) -> [SourceScript.Step]
  ) -> SourceFault {
    script(id) { $0.replace(kind, with: steps) }
  }

  private static func answer(
    _ id: String,
    _ answer: @escaping @Sendable (SourceBehavior.Request, SourceBehavior.Answer) -> SourceBehavior.Answer
  ) -> SourceFault {
    SourceFault(id) { $0.answer = answer }
  }

  /// A fault in the content for one target.
  private static func content(
    _ id: String, of target: String, _ change: @escaping @Sendable (inout ScriptedClient.Content) -> Void
  ) -> SourceFault {
    answer(id) { request, answer in
      guard request.target == target, case .content(var content) = answer else { return answer }
      change(&content)
      return .content(content)
    }
  }

  // MARK: Messages

  private static let ofMessages: [SourceFault] = [
    words("enter-version", of: .enter) { $0[1] = 9 << 24 | $0[1] & 0xFF_FFFF },
    script("enter-first") { script in
      guard let position = script.messages(.position).first else { return }
      script.steps.insert(.send(position.unawaited), at: 0)
    },
    steps("source-window", insteadOf: .position) { position in
      var stranger = position.unawaited
      stranger.words[0] += 1
      return [.send(stranger), .send(position)]
    },
    words("type-list-bit", of: .enter) { $0[1] ^= 1 },
    // No atom: servers number atoms from 1 and do not reach this number.
    SourceFault("type-list-names") { $0.changeTypeList = { $0.append(0x1FFF_FFFF) } },
    words("inline-types", of: .enter) { $0.replaceSubrange(2..., with: [0, 0, 0]) },
    script("selection-owned") { script in
      script.steps.removeAll { if case .own = $0 { true } else { false } }
    },
    steps("position-waits", insteadOf: .position) { [.send($0.unawaited), .send($0)] },
    words("position-time", of: .position) { $0[3] = 0 },
    // Predefined atoms, none of which names an action. tkdnd uses atoms named `copy` and `move`.
    SourceFault("action-list") { $0.changeActionList = { $0 = [1] } },
    words("position-action", of: .position) { $0[4] = 0 },
    words("position-coordinates", of: .position) { $0[2] = 0x7FFF_7FFF },
    script("quiet-rectangle") { script in
      guard let position = script.messages(.position).last else { return }
      script.replace(.drop) { [.send(position), .send($0)] }
    },
    steps("leave-or-drop", insteadOf: .drop) { drop in
      [.send(drop), .send(SourceScript.Message(kind: .leave, words: [drop.words[0], 0, 0, 0, 0]))]
    },
    SourceFault("drop-accepted") { behavior in
      behavior.isInRightQuarter = true
      behavior.dropsWhenRefused = true
    },
    script("drop-after-status") { script in
      guard let position = script.messages(.position).last else { return }
      script.replace(.drop) { [.send(position.unawaited), .send($0)] }
    },
    words("drop-time", of: .drop) { $0[2] = 0 },
    steps("selection-kept", insteadOf: .drop) { [.send($0), .disown] },
    script("unused-words-zero") { script in
      script.change(.enter) { $0[1] |= 0x00_5A5A << 1 }
      script.change(.drop) { $0.replaceSubrange(3..., with: [0xDEAD, 0xBEEF]) }
    },
  ]

  // MARK: Content

  private static let ofContent: [SourceFault] = [
    answer("conversion-answered") { _, _ in .silence },
    answer("advertised-delivered") { $0.isOffered ? .refusal : $1 },
    // Qt 5.15, 6.4 and 6.12 refuse a request from another window than the target's.
    answer("hidden-requestor-served") { $0.conversion.time == .currentTime ? .refusal : $1 },
    SourceFault("answer-fields") { behavior in
      behavior.changeNotice = { $0.time = Timestamp(rawValue: $0.time.rawValue &+ 1) }
    },
    answer("data-type") { request, answer in
      guard request.isOffered, case .content(var content) = answer else { return answer }
      content.type = AtomName("x-wrong/type")
      return .content(content)
    },
    content("targets", of: "TARGETS") { $0.bytes = Array($0.bytes.prefix(4)) },
    content("timestamp", of: "TIMESTAMP") { $0.bytes = [0, 0, 0, 0] },
    answer("multiple") { $0.target == "MULTIPLE" ? .refusal : $1 },
    answer("unadvertised-refused") { request, answer in
      guard case .refusal = answer else { return answer }
      return .content(ScriptedClient.Content(type: AtomName(request.target), bytes: Array("nonsense".utf8)))
    },
    SourceFault("uri-list-form") { behavior in
      behavior.content = [("text/uri-list", Array("file:///etc/hosts\n".utf8))]
      behavior.savedName = nil
    },
    SourceFault("text-form") { behavior in
      behavior.content = behavior.content.map { ($0.type, $0.bytes + [0]) }
    },
    // Announces 256 MiB.
    SourceFault("incr-form") { behavior in
      behavior.content = [("a/b", Array(repeating: 7, count: 200_000))]
      behavior.savedName = nil
      behavior.parts = (length: 50_000, announced: 0x0FFF_FFFF)
    },
    SourceFault("direct-save") { behavior in
      behavior.savedName = "../note.txt"
      behavior.answer = { request, answer in
        guard request.target == "XdndDirectSave0" else { return answer }
        return .content(ScriptedClient.Content(type: .string, bytes: Array("X".utf8)))
      }
    },
  ]

  // MARK: Faults that break no rule, or many

  private static let ofAnyRule: [SourceFault] = [
    SourceFault("slow") { $0.isSlow = true },
    steps("flood", insteadOf: .position) { position in
      Array(repeating: SourceScript.Step.send(position.unawaited), count: 299) + [.send(position)]
    },
    steps("die-on-enter", insteadOf: .enter) { [.send($0), .die] },
    steps("die-on-position", insteadOf: .position) { [.send($0.unawaited), .die] },
    steps("die-on-drop", insteadOf: .drop) { [.send($0), .die] },
    SourceFault("die-on-convert") { $0.diesOnRequest = true },
    words("version-3", of: .enter) { $0[1] = 3 << 24 | $0[1] & 0xFF_FFFF },
    words("version-4", of: .enter) { $0[1] = 4 << 24 | $0[1] & 0xFF_FFFF },
  ]
}
