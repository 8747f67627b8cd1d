@testable import XDnD

extension DragWorld.Place {
  /// The proxy of the window that two programs share.
  static let proxyWindow = WindowID(rawValue: 0x111)

  /// The window in whose name messages are.
  var window: WindowID { WindowID(rawValue: self == .window ? 0x100 : 0x110) }

  /// Where it is: as far from its neighbours as an arrow key moves the pointer.
  var point: Point { Point(x: (Int(rawValue) + 1) * KeyboardNavigation.Step.small, y: 0) }
}

extension DragWorld {
  /// A program that takes drops: its machine, its links, and what it has been asked and not answered.
  struct Part: Sendable {
    var machine: TargetMachine
    var inbox: [Letter] = []
    var outbox: [Letter] = []
    var isThere: Bool
    var isUnregistered = false
    /// Whether what it answers now belongs to the source's present visit.
    var isPresent = false

    var isReading = false
    var asked: TargetMachine.ProposalRequest?
    private(set) var performing: [SessionID] = []
    var deleting: SessionID?
    private(set) var complaint: String?

    /// How many Finished messages the drag's source, and the stranger, are owed.
    private(set) var owed = (source: 0, stranger: 0)
    private var watches = 0

    init(_ place: Place, isThere: Bool) {
      self.isThere = isThere
      machine = TargetMachine(
        window: place.window, offer: DropOffer(["text/plain"], operations: [.copy, .move]))
    }

    func combine(into hasher: inout Hasher) {
      hasher.combine(isThere)
      guard isThere || !inbox.isEmpty || !outbox.isEmpty else { return }
      hasher.combine(machine.state)
      hasher.combine(inbox)
      hasher.combine(outbox)
      hasher.combine(isUnregistered)
      hasher.combine(isPresent)
      hasher.combine(isReading)
      hasher.combine(asked)
      hasher.combine(performing)
      hasher.combine(deleting)
      hasher.combine(owed.source)
      hasher.combine(owed.stranger)
      hasher.combine(watches)
    }

    /// Whether an answer has been given that can change without a new question.
    var canReconsider: Bool {
      if case .hovering(let hovering) = machine.state.hover { hovering.answer?.operation != nil } else { false }
    }

    mutating func hear(_ drop: XdndMessage.Drop) {
      if drop.source == DragWorld.source { owed.source += 1 } else { owed.stranger += 1 }
    }

    mutating func sourceDied() { owed.source = 0 }

    /// The source has begun another visit somewhere: what belongs to the last one is out of date.
    mutating func forgetVisit() {
      isPresent = false
      for index in inbox.indices { inbox[index].isPresent = false }
      for index in outbox.indices { outbox[index].isPresent = false }
    }

    mutating func note(_ effect: TargetMachine.Effect, isSourceThere: Bool) {
      switch effect {
      case .watch: watches += 1
      case .unwatch: watches -= 1
      case .readOffer: isReading = true
      case .askForProposal(let request): asked = request
      case .exited(let session, _): if asked?.session == session { asked = nil }
      case .dropped(let session, _):
        asked = nil
        performing.append(session)
      case .requestDeletion(let session): deleting = session
      case .ended(let session, _):
        guard performing.contains(session) else {
          return complain("a drop ended that had not begun, or had ended before")
        }
        performing.removeAll { $0 == session }
        if deleting == session { deleting = nil }
      case .send(.finished, let source, _):
        if source == DragWorld.stranger { owed.stranger -= 1 } else if isSourceThere { owed.source -= 1 }
        if owed.source < 0 || owed.stranger < 0 { complain("Finished without Drop") }
      default: break
      }
      if watches < 0 { complain("the target unwatched what was not watched") }
      if machine.state.drops.count > owed.source + owed.stranger + (isSourceThere ? 0 : performing.count) {
        complain("the list of drops grows")
      }
    }

    private mutating func complain(_ text: String) { complaint = complaint ?? text }

    var complaintAtRest: String? {
      guard isThere else { return nil }
      if machine.nextDeadline != nil { return "the target waits for ever" }
      if owed.source != 0 || owed.stranger != 0 { return "a Finished is owed for ever" }
      if watches != 0 { return "the target watches for ever" }
      if !performing.isEmpty { return "a drop has no end" }
      if asked != nil { return "the program is asked about a drag that is over" }
      return nil
    }
  }
}
