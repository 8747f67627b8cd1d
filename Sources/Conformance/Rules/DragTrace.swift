import XDnD

/// A recording grouped into visits (XdndEnter to XdndLeave or XdndDrop) and transfers of content.
struct DragTrace {
  let role: Recording.Role
  let entries: [Recording.Entry]
  let frame: Rect?
  private(set) var visits: [Visit] = []
  /// The source's messages outside of all visits.
  private(set) var strays: [RecordedMessage] = []
  /// Statuses that answer positions outside of all visits.
  private(set) var strayStatuses: [RecordedMessage] = []
  /// Other messages of the target that belong to no visit.
  private(set) var strayAnswers: [RecordedMessage] = []
  private(set) var transfers: [ContentTransfer] = []
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
        RecordedMessage(
          number: number, time: entry.time, content: content, isPointerGrabbed: entry.isPointerGrabbed))
    case .conversion(let conversion):
      transfers.append(ContentTransfer(number: number, time: entry.time, asked: conversion))
    case .converted(let answer):
      // A refusal may lack the target. It then answers the oldest open request.
      let open = transfers.firstIndex {
        $0.answer == nil && $0.asked.requestor == answer.requestor && $0.asked.selection == answer.selection
          && (answer.target == nil || $0.asked.target == answer.target)
      }
      let any = open ?? transfers.firstIndex { $0.answer == nil && $0.asked.requestor == answer.requestor }
      if let any { transfers[any].answer = (number, entry.time, answer) }
    case .property(let property):
      let place = transfers.lastIndex { $0.asked.place == property.place }
      if let place { transfers[place].steps.append((number, entry.time, property)) }
    default: break
    }
  }

  private mutating func take(_ message: RecordedMessage) {
    let last = visits.indices.last
    let isOpen = visits.last.map { $0.ends.isEmpty } ?? false
    switch message.kind {
    case .enter:
      if isOpen, let last { visits[last].isReplaced = true }
      visits.append(Visit(enter: message))
    case .position:
      if isOpen, let last { visits[last].timeline.append(message) } else { strays.append(message) }
    case .leave, .drop:
      if isOpen, let last { visits[last].ends.append(message) } else { strays.append(message) }
    case .status:
      if !isOpen, strayStatuses.count < strays.count(where: { $0.kind == .position }) {
        strayStatuses.append(message)
      } else if let last {
        visits[last].timeline.append(message)
      } else {
        strayAnswers.append(message)
      }
    case .finished:
      // A drop may end when the next drag is already over the window.
      if let dropped = visits.lastIndex(where: { $0.drop != nil }) {
        visits[dropped].finished.append(message)
      } else {
        strayAnswers.append(message)
      }
    case nil: break
    }
  }

  /// The types of a visit: from XdndTypeList if the bit in XdndEnter is set, otherwise from XdndEnter.
  private func types(of visit: Visit) -> [String] {
    guard visit.hasTypeList, let list = typeList(for: visit) else { return visit.inlineTypes }
    return list.property.names.compactMap { $0?.rawValue }
  }

  var statuses: [(visit: Visit, message: RecordedMessage)] { messages(\.statuses) }

  var positions: [(visit: Visit, message: RecordedMessage)] { messages(\.positions) }

  var finished: [(visit: Visit, message: RecordedMessage)] { messages(\.finished) }

  /// The first `XdndFinished` of each visit.
  var firstFinished: [(visit: Visit, message: RecordedMessage)] {
    visits.compactMap { visit in visit.finished.first.map { (visit, $0) } }
  }

  var drops: [(visit: Visit, message: RecordedMessage)] {
    visits.compactMap { visit in visit.drop.map { (visit, $0) } }
  }

  private func messages(_ kind: KeyPath<Visit, [RecordedMessage]>) -> [(visit: Visit, message: RecordedMessage)] {
    visits.flatMap { visit in visit[keyPath: kind].map { (visit, $0) } }
  }

  var contentTransfers: [ContentTransfer] { transfers.filter(\.requestsContent) }

  /// The `XdndTypeList` of a visit: a target reads it after XdndEnter, a source writes it before.
  func typeList(for visit: Visit) -> (number: Int, property: WireEvent.Property)? {
    let lists = properties("XdndTypeList", of: visit.enter.xdnd.sender)
    return role == .target
      ? lists.first { $0.number > visit.enter.number } : lists.last { $0.number < visit.enter.number }
  }

  func properties(_ name: String, of window: WindowID? = nil) -> [(number: Int, property: WireEvent.Property)] {
    entries.enumerated().compactMap { index, entry in
      guard case .property(let property) = entry.event.action, property.name.rawValue == name,
        property.change == .read || property.change == .written, window == nil || property.window == window
      else { return nil }
      return (index + 1, property)
    }
  }

  /// The last `XdndActionList` that was read or written after a visit began.
  func actionList(for visit: Visit) -> (number: Int, property: WireEvent.Property)? {
    properties("XdndActionList", of: visit.enter.xdnd.sender).last { $0.number > visit.enter.number }
  }

  var owners: [(number: Int, window: WindowID, time: Timestamp)] {
    entries.enumerated().compactMap { index, entry in
      guard case .owner(let selection, let window, let time) = entry.event.action,
        selection.rawValue == "XdndSelection"
      else { return nil }
      return (index + 1, window, time)
    }
  }

  /// The requests after the drop of a visit and before the next visit.
  func transfers(of visit: Visit) -> [ContentTransfer] {
    guard let drop = visit.drop else { return [] }
    let next = visits.first { $0.enter.number > drop.number }?.enter.number ?? .max
    return transfers.filter { $0.number > drop.number && $0.number < next }
  }

  /// The outcome of a drop's requests for content.
  enum DropDelivery {
    /// Nothing was requested before XdndFinished.
    case nothingRequested
    case delivered
    /// All requests were refused. The value is the first one.
    case refused(ContentTransfer)
    /// A request had no answer for 1.5 s or more.
    case unanswered(ContentTransfer)
  }

  func dropDelivery(of visit: Visit) -> DropDelivery {
    let finished = visit.finished.first
    let mine = transfers(of: visit).filter {
      $0.number < finished?.number ?? .max && $0.requestsContent
    }
    guard let first = mine.first else { return .nothingRequested }
    if let hanging = mine.first(where: { isGivenUp($0, at: finished) }) { return .unanswered(hanging) }
    return mine.allSatisfy(\.isRefused) ? .refused(first) : .delivered
  }

  enum Delivery {
    case content(ContentTransfer.Content)
    case refused(by: Int)
    /// Answered, but without a property.
    case missing
    case unanswered
    /// The recording ended too soon to tell.
    case open
  }

  func delivery(of transfer: ContentTransfer) -> Delivery {
    if let answer = transfer.answer, transfer.isRefused { return .refused(by: answer.number) }
    if let content = transfer.content { return .content(content) }
    guard isOverdue(since: transfer.time) else { return .open }
    return transfer.answer == nil ? .unanswered : .missing
  }

  /// Whether a request had no answer for so long that its requestor may give up.
  func isGivenUp(_ transfer: ContentTransfer, at finished: RecordedMessage?) -> Bool {
    let end = min(transfer.answer?.time ?? end, finished?.time ?? end)
    return end - transfer.time >= Self.promptness
  }

  /// How long a request waits before it counts as unanswered, in microseconds.
  private static let promptness = 1_500_000

  /// Whether an expected event is so late that it counts as missing.
  ///
  /// - Parameters:
  ///   - start: The earliest time at which the event was expected, in microseconds.
  ///   - moment: The time from which it was no longer expected; `nil` for the end of the recording.
  func isOverdue(since start: Int, at moment: Int? = nil) -> Bool { (moment ?? end) - start > 900_000 }

  func visit(at number: Int) -> Visit? { visits.last { $0.enter.number < number } }

  /// Whether any visit of the source offers the type that a conversion requests.
  func isOffered(_ transfer: ContentTransfer) -> Bool { visits.contains { $0.types.contains(transfer.target) } }
}

/// One stay of a drag over the target: from `XdndEnter` to `XdndLeave` or `XdndDrop`.
struct Visit {
  var enter: RecordedMessage
  /// Positions and statuses in the order of their arrival, including statuses after the end.
  var timeline: [RecordedMessage] = []
  /// `XdndLeave` or `XdndDrop`.
  var ends: [RecordedMessage] = []
  var finished: [RecordedMessage] = []
  /// Whether another `XdndEnter` came without a Leave or Drop before it.
  var isReplaced = false
  var types: [String] = []

  var positions: [RecordedMessage] { timeline.filter { $0.kind == .position } }
  var statuses: [RecordedMessage] { timeline.filter { $0.kind == .status } }
  var drop: RecordedMessage? { ends.first { $0.kind == .drop } }
  var lastStatus: RecordedMessage? { statuses.last { drop == nil || $0.number < drop?.number ?? 0 } }
  /// Whether the last status before the drop accepted it.
  var isAccepted: Bool { lastStatus?.accepts ?? false }
  var version: Int { Int(enter.xdnd.statedVersion) }
  var hasTypeList: Bool { enter.xdnd.hasTypeList }
  var inlineTypes: [String] { enter.content.inlineTypes.map(\.rawValue) }
}

/// An XDND client message with its place in the recording.
struct RecordedMessage {
  /// The entry's number from 1, as in the evidence.
  var number: Int
  /// Microseconds since the beginning of the recording.
  var time: Int
  var content: WireEvent.Message
  /// Whether a client had grabbed the pointer when the message arrived; `nil` if unknown.
  var isPointerGrabbed: Bool?

  var kind: XdndMessageKind? { content.kind }
  var xdnd: MessageWords { content.xdnd }
  /// The word at an index; 0 if there is none.
  func word(_ index: Int) -> UInt32 { xdnd.array[index] }
  func name(_ index: Int) -> String? { content.names[index]?.rawValue }
  var accepts: Bool { xdnd.isAcceptance }
  var label: String { "#\(number) \(content.type)" }
}

extension WireEvent.Property {
  /// Why the value is not a list of atoms, as evidence; `nil` if it is one.
  func atomListFault(at number: Int) -> String? {
    if type != .atom || format != 32 {
      return "#\(number) \(name) is \(type?.rawValue ?? "of no type") of format \(format)"
    }
    return names.firstIndex(of: nil).map { "#\(number) \(name) has no atom in place \($0)" }
  }
}

/// A word as `0x2`, or `0`, for evidence.
func hexadecimal(_ word: UInt32) -> String { word == 0 ? "0" : Hexadecimal.text(word) }

/// A conversion, its answer, and all accesses to its property.
struct ContentTransfer {
  var number: Int
  var time: Int
  var asked: WireEvent.Conversion
  var answer: (number: Int, time: Int, conversion: WireEvent.Conversion)?
  var steps: [(number: Int, time: Int, property: WireEvent.Property)] = []

  var target: String { asked.target.orNone }
  var label: String { "#\(number) \(target)" }
  var isRefused: Bool { answer.map { $0.conversion.property == nil } ?? false }

  /// Whether it requests content, rather than data about the selection or an action of its owner.
  var requestsContent: Bool { !Self.otherTargets.contains(target) }

  static let otherTargets: Set<String> = [
    "TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE", "SAVE_TARGETS", "XdndDirectSave0",
  ]

  struct Content {
    var type: String
    var format: Int
    /// The beginning of the content; recordings cut long content.
    var bytes: [UInt8]
    var byteCount: Int
    var words: [UInt32]
    var isWhole: Bool { bytes.count == byteCount }
  }

  // MARK: Content that the recorder read, as the target

  /// The reads of the property after the answer.
  var reads: [WireEvent.Property] {
    steps.filter { $0.property.change == .read && $0.number > answer?.number ?? .max }.map(\.property)
  }

  var isIncremental: Bool { reads.first?.isAnnouncement ?? false }

  /// The reads of an INCR transfer. Each part may have been read in several steps.
  var parts: [WireEvent.Property] { isIncremental ? Array(reads.dropFirst()) : [] }

  var content: Content? {
    let all = isIncremental ? parts : reads
    guard let first = all.first else { return nil }
    return Content(
      type: first.type.orNone, format: first.format, bytes: all.flatMap(\.bytes),
      byteCount: all.reduce(0) { $0 + $1.byteCount }, words: all.flatMap(\.words))
  }

  // MARK: Content that the recorder sent, as the source

  private var written: [(number: Int, time: Int, property: WireEvent.Property)] {
    steps.filter { $0.property.change == .written }
  }

  private var announcement: WireEvent.Property? { written.first { $0.property.isAnnouncement }?.property }

  var isAnnounced: Bool { announcement != nil }

  var bytesAnnounced: Int { Int(announcement?.words.first ?? 0) }

  /// The written parts without the announcement. Each was written after the part before was deleted.
  var partsWritten: [WireEvent.Property] { written.map(\.property).filter { !$0.isAnnouncement } }

  /// The entry that wrote the empty last part, which shows that all content was taken.
  var lastPart: Int? { written.last { $0.property.byteCount == 0 && !$0.property.isAnnouncement }?.number }

  /// The number of bytes that the target has read: all written parts, but the last one only if it was deleted.
  var bytesTaken: Int {
    let isLastTaken =
      steps.last { $0.property.change == .written || $0.property.change == .removed }?.property.change == .removed
    return partsWritten.dropLast(isLastTaken ? 0 : 1).reduce(0) { $0 + $1.byteCount }
  }
}
