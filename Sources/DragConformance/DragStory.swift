import DragRecording
import XDnD

/// A recording grouped into visits (XdndEnter to XdndLeave or XdndDrop) and transfers of content.
struct DragStory {
  /// An XDND client message with its place in the recording.
  struct Message {
    /// The entry's number from 1, as in the evidence.
    var number: Int
    /// Microseconds since the beginning of the recording.
    var time: Int
    var content: WireEvent.Message
    /// Whether a client had grabbed the pointer when the message arrived; `nil` if unknown.
    var isPointerGrabbed: Bool?

    var kind: String { content.type.rawValue }
    /// The word at an index; 0 if there is none.
    func word(_ index: Int) -> UInt32 { content.words.indices.contains(index) ? content.words[index] : 0 }
    func name(_ index: Int) -> String? { content.names[index]?.rawValue }
    var label: String { "#\(number) \(kind)" }
    /// Two signed 16-bit halves, x above y: the packing of root coordinates.
    func point(_ index: Int) -> Point {
      Point(x: Int(Int16(truncatingIfNeeded: word(index) >> 16)), y: Int(Int16(truncatingIfNeeded: word(index))))
    }
    /// The rectangle of an `XdndStatus`, in root pixels.
    var rectangle: Rect {
      let origin = point(2)
      return Rect(x: origin.x, y: origin.y, width: Int(word(3) >> 16), height: Int(word(3) & 0xFFFF))
    }
    var accepts: Bool { word(1) & 1 != 0 }
  }

  /// One stay of a drag over the target: from `XdndEnter` to `XdndLeave` or `XdndDrop`.
  struct Visit {
    var enter: Message
    /// Positions and statuses in the order of their arrival, also statuses after the end.
    var timeline: [Message] = []
    /// `XdndLeave` or `XdndDrop`.
    var ends: [Message] = []
    var finished: [Message] = []
    /// Whether the next `XdndEnter` came without a Leave or Drop.
    var isReplaced = false
    var types: [String] = []

    var positions: [Message] { timeline.filter { $0.kind == "XdndPosition" } }
    var statuses: [Message] { timeline.filter { $0.kind == "XdndStatus" } }
    var drop: Message? { ends.first { $0.kind == "XdndDrop" } }
    var lastStatus: Message? { statuses.last { drop == nil || $0.number < drop?.number ?? 0 } }
    var version: Int { Int(enter.word(1) >> 24) }
    var hasTypeList: Bool { enter.word(1) & 1 != 0 }
    /// The types in `XdndEnter` itself.
    var inlineTypes: [String] { [2, 3, 4].compactMap { enter.name($0) } }
  }

  /// A conversion, its answer, and all changes of its property.
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
  /// The target window's frame, in root pixels; `nil` if unknown.
  let frame: Rect?
  private(set) var visits: [Visit] = []
  /// The source's messages outside of all visits.
  private(set) var strays: [Message] = []
  /// Statuses that answer positions outside of all visits.
  private(set) var strayStatuses: [Message] = []
  /// Other messages of the target that belong to no visit.
  private(set) var strayAnswers: [Message] = []
  private(set) var transfers: [Transfer] = []
  /// The time of the last entry, in microseconds.
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
      // A refusal may lack the target. It then answers the oldest open request.
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
      // A drop may end when the next drag is already over the window.
      if let dropped = visits.lastIndex(where: { $0.drop != nil }) {
        visits[dropped].finished.append(message)
      } else {
        strayAnswers.append(message)
      }
    default: break
    }
  }

  /// The types of a visit: from XdndTypeList if the bit in XdndEnter is set, otherwise from XdndEnter.
  private func types(of visit: Visit) -> [String] {
    guard visit.hasTypeList, let list = typeList(for: visit) else { return visit.inlineTypes }
    return list.property.names.compactMap { $0?.rawValue }
  }

  /// The `XdndTypeList` of a visit: a target reads it after XdndEnter, a source writes it before.
  func typeList(for visit: Visit) -> (number: Int, property: WireEvent.Property)? {
    let lists = properties("XdndTypeList", of: WindowID(rawValue: visit.enter.word(0)))
    return role == .target
      ? lists.first { $0.number > visit.enter.number } : lists.last { $0.number < visit.enter.number }
  }

  /// All reads and writes of a property.
  func properties(_ name: String, of window: WindowID? = nil) -> [(number: Int, property: WireEvent.Property)] {
    entries.enumerated().compactMap { index, entry in
      guard case .property(let property) = entry.event.action, property.name.rawValue == name,
        property.change == .read || property.change == .written, window == nil || property.window == window
      else { return nil }
      return (index + 1, property)
    }
  }

  /// The owners of XdndSelection, from look-ups and notifications.
  var owners: [(number: Int, window: WindowID, time: Timestamp)] {
    entries.enumerated().compactMap { index, entry in
      guard case .owner(let selection, let window, let time) = entry.event.action,
        selection.rawValue == "XdndSelection"
      else { return nil }
      return (index + 1, window, time)
    }
  }

  /// The requests after the drop of a visit and before the next visit.
  func transfers(of visit: Visit) -> [Transfer] {
    guard let drop = visit.drop else { return [] }
    let next = visits.first { $0.enter.number > drop.number }?.enter.number ?? .max
    return transfers.filter { $0.number > drop.number && $0.number < next }
  }

  /// The outcome of a drop's requests for content.
  enum Service {
    /// Nothing was requested before XdndFinished.
    case nothingAsked
    case delivered
    /// All requests were refused; the first of them.
    case refused(Transfer)
    /// A request had no answer for 1.5 s or more.
    case unanswered(Transfer)
  }

  func service(of visit: Visit) -> Service {
    let finished = visit.finished.first
    let mine = transfers(of: visit).filter { $0.number < finished?.number ?? .max && !Self.orders.contains($0.target) }
    guard let first = mine.first else { return .nothingAsked }
    if let hanging = mine.first(where: { isGivenUp($0, at: finished) }) { return .unanswered(hanging) }
    return mine.allSatisfy(\.isRefused) ? .refused(first) : .delivered
  }

  /// Whether a request had no answer for so long that its requestor may give up.
  func isGivenUp(_ transfer: Transfer, at finished: Message?) -> Bool {
    let end = min(transfer.answer?.time ?? end, finished?.time ?? end)
    return end - transfer.time >= Self.promptness
  }

  /// The time after which a missing answer counts as none, in microseconds.
  private static let promptness = 1_500_000

  /// The last visit that began before an entry.
  func visit(at number: Int) -> Visit? { visits.last { $0.enter.number < number } }
}
