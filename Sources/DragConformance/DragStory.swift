import DragRecording
import XDnD

/// A recording, put in order: which messages belong together, and what was fetched.
struct DragStory {
  /// A client message of the protocol, with its place in the recording.
  struct Message {
    /// From 1, as evidence names it.
    var number: Int
    /// Microseconds since the recording began.
    var time: Int
    var content: WireEvent.Message
    /// Whether a client held the pointer when it came; `nil` if unknown.
    var isPointerGrabbed: Bool?

    var kind: String { content.type.rawValue }
    /// The word at an index; 0 beyond them.
    func word(_ index: Int) -> UInt32 { content.words.indices.contains(index) ? content.words[index] : 0 }
    func name(_ index: Int) -> String? { content.names[index]?.rawValue }
    var label: String { "#\(number) \(kind)" }
    /// Two signed halves, as coordinates are packed.
    func point(_ index: Int) -> Point {
      Point(x: Int(Int16(truncatingIfNeeded: word(index) >> 16)), y: Int(Int16(truncatingIfNeeded: word(index))))
    }
    /// Where a status wants silence.
    var rectangle: Rect {
      let origin = point(2)
      return Rect(x: origin.x, y: origin.y, width: Int(word(3) >> 16), height: Int(word(3) & 0xFFFF))
    }
    var accepts: Bool { word(1) & 1 != 0 }
  }

  /// From an Enter to a Leave or a Drop.
  struct Visit {
    var enter: Message
    /// Positions and statuses as they came, and the end.
    var timeline: [Message] = []
    /// The Leave or the Drop; there may be more than one.
    var ends: [Message] = []
    var finished: [Message] = []
    /// Whether another Enter came without an end.
    var isReplaced = false
    var types: [String] = []

    var positions: [Message] { timeline.filter { $0.kind == "XdndPosition" } }
    var statuses: [Message] { timeline.filter { $0.kind == "XdndStatus" } }
    var drop: Message? { ends.first { $0.kind == "XdndDrop" } }
    var lastStatus: Message? { statuses.last { drop == nil || $0.number < drop?.number ?? 0 } }
    var version: Int { Int(enter.word(1) >> 24) }
    var hasTypeList: Bool { enter.word(1) & 1 != 0 }
    /// Those in the message itself.
    var inlineTypes: [String] { [2, 3, 4].compactMap { enter.name($0) } }
  }

  /// A conversion, its answer, and what happened to the property.
  struct Transfer {
    var number: Int
    var time: Int
    var asked: WireEvent.Conversion
    var answer: (number: Int, time: Int, conversion: WireEvent.Conversion)?
    var steps: [(number: Int, time: Int, property: WireEvent.Property)] = []

    var target: String { asked.target?.rawValue ?? "None" }
    var label: String { "#\(number) \(target)" }
    var isRefused: Bool { answer.map { $0.conversion.property == nil } ?? false }
  }

  let role: Recording.Role
  let entries: [Recording.Entry]
  /// What the target's window covers, in root coordinates, if it is known.
  let frame: Rect?
  private(set) var visits: [Visit] = []
  /// Messages of the source that belong to no visit.
  private(set) var strays: [Message] = []
  /// What was answered to positions that belong to no visit.
  private(set) var strayStatuses: [Message] = []
  /// Statuses and Finished of the target that belong to no visit.
  private(set) var strayAnswers: [Message] = []
  private(set) var transfers: [Transfer] = []
  /// When the recording ends.
  let end: Int

  init(role: Recording.Role, entries: [Recording.Entry], frame: Rect?) {
    self.role = role
    self.entries = entries
    self.frame = frame
    end = entries.last?.time ?? 0
    for (index, entry) in entries.enumerated() { take(entry, number: index + 1) }
    for index in visits.indices { visits[index].types = types(of: visits[index]) }
  }

  private mutating func take(_ entry: Recording.Entry, number: Int) {
    switch entry.event.action {
    case .message(let content) where content.type.rawValue.hasPrefix("Xdnd"):
      take(
        Message(
          number: number, time: entry.time, content: content, isPointerGrabbed: entry.isPointerGrabbed))
    case .conversion(let conversion):
      transfers.append(Transfer(number: number, time: entry.time, asked: conversion))
    case .converted(let answer):
      // Who refuses may leave out the target; then it is the oldest.
      let open = transfers.firstIndex {
        $0.answer == nil && $0.asked.requestor == answer.requestor && $0.asked.selection == answer.selection
          && (answer.target == nil || $0.asked.target == answer.target)
      }
      let any = open ?? transfers.firstIndex { $0.answer == nil && $0.asked.requestor == answer.requestor }
      if let any { transfers[any].answer = (number, entry.time, answer) }
    case .property(let property):
      let place = transfers.lastIndex {
        $0.asked.requestor == property.window && ($0.asked.property ?? $0.asked.target) == property.name
      }
      if let place { transfers[place].steps.append((number, entry.time, property)) }
    default: break
    }
  }

  private mutating func take(_ message: Message) {
    let last = visits.indices.last
    let isOpen = visits.last.map { $0.ends.isEmpty } ?? false
    switch message.kind {
    case "XdndEnter":
      if isOpen, let last { visits[last].isReplaced = true }
      visits.append(Visit(enter: message))
    case "XdndPosition":
      if isOpen, let last { visits[last].timeline.append(message) } else { strays.append(message) }
    case "XdndLeave", "XdndDrop":
      if isOpen, let last { visits[last].ends.append(message) } else { strays.append(message) }
    case "XdndStatus":
      if !isOpen, strayStatuses.count < strays.count(where: { $0.kind == "XdndPosition" }) {
        strayStatuses.append(message)
      } else if let last {
        visits[last].timeline.append(message)
      } else {
        strayAnswers.append(message)
      }
    case "XdndFinished":
      // A drop lives on by itself while the next drag may already be over the window.
      if let dropped = visits.lastIndex(where: { $0.drop != nil }) {
        visits[dropped].finished.append(message)
      } else {
        strayAnswers.append(message)
      }
    default: break
    }
  }

  /// What a visit offers: the list, if the message says that there is one, else what is in the message.
  private func types(of visit: Visit) -> [String] {
    guard visit.hasTypeList, let list = typeList(for: visit) else { return visit.inlineTypes }
    return list.property.names.compactMap { $0?.rawValue }
  }

  /// The `XdndTypeList` that holds for a visit: read after its Enter by a target, written before it by a source.
  func typeList(for visit: Visit) -> (number: Int, property: WireEvent.Property)? {
    let lists = properties("XdndTypeList", of: WindowID(rawValue: visit.enter.word(0)))
    return role == .target
      ? lists.first { $0.number > visit.enter.number } : lists.last { $0.number < visit.enter.number }
  }

  /// What was read or written of a property.
  func properties(_ name: String, of window: WindowID? = nil) -> [(number: Int, property: WireEvent.Property)] {
    entries.enumerated().compactMap { index, entry in
      guard case .property(let property) = entry.event.action, property.name.rawValue == name,
        property.change == .read || property.change == .written, window == nil || property.window == window
      else { return nil }
      return (index + 1, property)
    }
  }

  /// The owners of the selection, as they were looked up or told.
  var owners: [(number: Int, window: WindowID, time: Timestamp)] {
    entries.enumerated().compactMap { index, entry in
      guard case .owner(let selection, let window, let time) = entry.event.action,
        selection.rawValue == "XdndSelection"
      else { return nil }
      return (index + 1, window, time)
    }
  }

  /// What was asked for after the drop of a visit, and before the next visit.
  func transfers(of visit: Visit) -> [Transfer] {
    guard let drop = visit.drop else { return [] }
    let next = visits.first { $0.enter.number > drop.number }?.enter.number ?? .max
    return transfers.filter { $0.number > drop.number && $0.number < next }
  }

  /// What became of the requests of a drop.
  enum Service {
    /// Nothing was asked for before the end.
    case nothingAsked
    case delivered
    /// All of them were refused; the first of them.
    case refused(Transfer)
    /// One of them had no answer for long.
    case unanswered(Transfer)
  }

  func service(of visit: Visit) -> Service {
    let finished = visit.finished.first
    let mine = transfers(of: visit).filter { $0.number < finished?.number ?? .max && !Self.orders.contains($0.target) }
    guard let first = mine.first else { return .nothingAsked }
    if let hanging = mine.first(where: { isGivenUp($0, at: finished) }) { return .unanswered(hanging) }
    return mine.allSatisfy(\.isRefused) ? .refused(first) : .delivered
  }

  /// Whether a request had no answer for so long that its requestor may give it up.
  func isGivenUp(_ transfer: Transfer, at finished: Message?) -> Bool {
    let end = min(transfer.answer?.time ?? end, finished?.time ?? end)
    return end - transfer.time >= Self.promptness
  }

  /// How long an answer may take before it counts as none, in microseconds.
  private static let promptness = 1_500_000

  /// The visit that an entry is in or after.
  func visit(at number: Int) -> Visit? { visits.last { $0.enter.number < number } }
}
