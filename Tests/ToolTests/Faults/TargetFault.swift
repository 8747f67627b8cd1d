import Testing
import XDnD

/// One way in which a target is wrong. A fault that breaks a rule of conformance has the rule's name.
struct TargetFault: Sendable, CustomTestStringConvertible {
  let id: String
  let change: @Sendable (inout TargetBehavior) -> Void
  var testDescription: String { id }

  private init(_ id: String, _ change: @escaping @Sendable (inout TargetBehavior) -> Void) {
    self.id = id
    self.change = change
  }

  static let all = ofAnswers + ofRequests + ofAnyRule

  static func named(_ id: String) -> TargetFault? { all.first { $0.id == id } }

  // MARK: Ways to make a fault

  private typealias Change = @Sendable (_ words: inout [UInt32], _ visit: TargetBehavior.Visit) -> Void

  private static func status(_ id: String, _ change: @escaping Change) -> TargetFault {
    TargetFault(id) { $0.changeStatus = change }
  }

  private static func finished(_ id: String, _ change: @escaping Change) -> TargetFault {
    TargetFault(id) { $0.changeFinished = change }
  }

  // MARK: Answers

  private static let ofAnswers: [TargetFault] = [
    TargetFault("aware-version") { $0.version = 9 },
    // A window that does not exist, so its XdndProxy cannot name it.
    TargetFault("proxy-self") { $0.proxy = 1 },
    TargetFault("status-answers") { $0.statusCount = 0 },
    status("status-window") { words, _ in words[0] += 1 },
    // The atom of an offered type: neither an action nor what was requested.
    status("status-action") { words, visit in if words[1] != 0 { words[4] = visit.firstType } },
    status("status-refusal") { words, visit in if words[1] == 0 { words[4] = visit.action } },
    status("status-reserved") { words, _ in words[1] |= 0xFFFF_FFF0 },
    // A rectangle at the root's origin, as if converted from window-local coordinates wrongly.
    status("status-rectangle") { words, _ in
      if words[1] != 0 { words.replaceSubrange(2...3, with: [0, 20 << 16 | 20]) }
    },
    TargetFault("status-unasked") { $0.statusCount = 2 },
    TargetFault("finished-once") { $0.finishedCount = 2 },
    finished("finished-window") { words, _ in words[0] += 1 },
    // As tkdnd 2.6 and 2.10 do.
    finished("finished-result") { words, _ in words[1] |= 0b10 },
    finished("finished-action") { words, visit in words[2] = words[1] != 0 ? 0 : visit.action },
    // Reports success for a refused drop.
    finished("refused-drop") { words, visit in if words[1] == 0 { words[1...] = [1, visit.action] } },
    TargetFault("session-forgotten") { $0.forgetsVisits = false },
    // Accepts all types, but requests none of the unknown ones.
    status("unknown-types-refused") { words, visit in if words[1] == 0 { words[1...] = [3, 0, 0, visit.action] } },
    TargetFault("version-negotiated") { $0.oldestVersion = 5 },
  ]

  // MARK: Requests

  private static let ofRequests: [TargetFault] = [
    TargetFault("finished-after-data") { $0.finishesOnRequest = true },
    TargetFault("fetch-after-drop") { $0.fetchesOnPosition = true },
    TargetFault("conversion-time") { $0.requestTime = .currentTime },
    TargetFault("conversion-advertised") { $0.requestsUnofferedType = true },
    TargetFault("property-deleted") { $0.deletesContent = false },
    TargetFault("reads-incr") { $0.readsParts = false },
    // As OpenJDK does. No content is lost.
    TargetFault("incr-end-deleted") { $0.deletesLastPart = false },
    // As FLTK and GLFW do.
    TargetFault("refusal-ends-drop") { $0.finishes = { $0 != .refusal } },
    TargetFault("silence-ends-drop") { $0.finishes = { $0 != .silence } },
  ]

  // MARK: Faults that break no rule, or many

  private static let ofAnyRule: [TargetFault] = [
    TargetFault("slow") { $0.isSlow = true },
    TargetFault("flood") { $0.statusCount = 300 },
    TargetFault("die-on-enter") { $0.deadlyMessage = .enter },
    TargetFault("die-on-position") { $0.deadlyMessage = .position },
    TargetFault("die-on-drop") { $0.deadlyMessage = .drop },
    TargetFault("die-on-convert") { $0.diesOnRequest = true },
    TargetFault("version-3") { $0.version = 3 },
    TargetFault("version-4") { $0.version = 4 },
  ]
}
