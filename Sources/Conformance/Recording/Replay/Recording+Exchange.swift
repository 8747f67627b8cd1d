package import XDnD

extension Recording {
  func side(of event: WireEvent) -> Role {
    event.direction == .sent ? role : role.other
  }

  /// Describes one end's messages, requests and answers, one line per event, without window numbers, times and
  /// positions, which differ in every run. Lines that repeat the previous one are left out.
  package func exchange(by side: Role) -> [String] { exchange(by: side) { _ in true } }

  /// Compares one end's part in this recording and in a replay of it.
  ///
  /// A recorder requests every type, so that a replay has all content. A live target chooses among these types, so its
  /// requests for them do not count as differences.
  package func difference(of side: Role, in live: Recording) -> ExchangeDifference {
    let own = entries.compactMap { entry -> AtomName? in
      guard entry.isRecordersOwn, case .conversion(let conversion) = entry.event.action else { return nil }
      return conversion.target
    }
    guard side == role, !own.isEmpty else {
      return ExchangeDifference(recorded: exchange(by: side), live: live.exchange(by: side))
    }
    let choices = Set(own)
    return ExchangeDifference(
      recorded: exchange(by: side) { !$0.isRecordersOwn },
      live: live.exchange(by: side) { entry in
        guard case .conversion(let conversion) = entry.event.action else { return true }
        return conversion.target.map { !choices.contains($0) } ?? true
      })
  }

  private func exchange(by side: Role, where isCounted: (Entry) -> Bool) -> [String] {
    var lines: [String] = []
    var isAskedFor = false
    var answers = self.answers[...]
    var lists = typeLists[...]
    func add(_ line: String) {
      if lines.last != line { lines.append(line) }
    }
    for entry in entries {
      if case .message(let message) = entry.event.action, message.kind == .enter { isAskedFor = false }
      switch entry.event.action {
      case .message(let message) where self.side(of: entry.event) == side && message.type.rawValue.hasPrefix("Xdnd"):
        add(message.kind == .finished ? message.result(isAskedFor: isAskedFor) : message.summary)
        // The list was written before XdndEnter, or read after it. In the description it follows XdndEnter.
        if message.kind == .enter, message.xdnd.hasTypeList, let list = lists.popFirst() {
          add("offers " + list.map(\.orNone).joined(separator: ", "))
        }
      case .conversion(let conversion) where conversion.selection == .xdndSelection:
        isAskedFor = true
        if side == .target {
          guard isCounted(entry) else { continue }
          add("asks for \(conversion.target.orNone)")
        } else if let answer = answers.popFirst() {
          add(answer.summary)
        }
      default: continue
      }
    }
    return lines
  }

  /// The type list of each drag: written by a source, read by a target.
  private var typeLists: [[AtomName?]] {
    entries.compactMap { entry in
      guard case .property(let property) = entry.event.action, property.name == .xdndTypeList,
        property.change == (role == .source ? .written : .read), property.format > 0
      else { return nil }
      return property.names
    }
  }
}

extension Recording.Role {
  package var other: Recording.Role { self == .source ? .target : .source }
}

extension WireEvent.Message {
  /// A description without window numbers, times and positions.
  var summary: String {
    switch kind {
    case .enter:
      return "\(type), version \(xdnd.statedVersion): "
        + (inlineTypes.map(\.rawValue) + (xdnd.hasTypeList ? ["and more"] : [])).joined(separator: ", ")
    case .position: return "\(type), asking for \(action(at: 4))"
    case .status: return "\(type): \(answer)"
    case .finished: return result(isAskedFor: true)
    case .leave, .drop, nil: return type.rawValue
    }
  }

  /// Describes the result in an `XdndFinished`, as `xdnd-source` interprets it.
  ///
  /// - Parameter isAskedFor: Whether the target requested anything during the drag. FLTK sends an `XdndFinished` of
  ///   zeros whether or not its widget took the drop; only the lack of a request shows the refusal.
  fileprivate func result(isAskedFor: Bool) -> String {
    let what = xdnd.isSuccess ? "done, \(action(at: 2))" : isAskedFor ? "nothing" : "nothing asked for"
    return "\(type): \(what)" + (isAskedFor || !xdnd.isSuccess ? "" : ", nothing asked for")
  }
}

extension RecordedAnswer {
  fileprivate var summary: String {
    guard isAnswered else { return "does not answer to \(target)" }
    guard let content else { return "refuses \(target)" }
    // Atom numbers differ between servers; names do not.
    let what =
      content.names.isEmpty
      ? "\(content.byteCount) bytes, \(Hexadecimal.text(Self.checksum(of: content.bytes)))"
      : content.names.map(\.orNone).joined(separator: ", ")
    return "gives \(target): \(content.type.orNone), \(what)"
  }

  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    bytes.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

/// The difference between one end's parts in two recordings.
package struct ExchangeDifference: Hashable, Sendable {
  /// Lines that only the recording has.
  package var missing: [String] = []
  /// Lines that only the live exchange has.
  package var additional: [String] = []

  /// Compares two lists of lines. Their order matters.
  package init(recorded: [String], live: [String]) {
    let difference = live.difference(from: recorded)
    for case .remove(_, let line, _) in difference.removals { missing.append(line) }
    for case .insert(_, let line, _) in difference.insertions { additional.append(line) }
  }

  package var isEmpty: Bool { missing.isEmpty && additional.isEmpty }
}

/// The content that a source delivered for one type, assembled from its parts.
package struct RecordedContent: Hashable, Sendable {
  /// The type of the property; `nil` if there was no property.
  package var type: AtomName?
  /// The format of the property: 8, 16 or 32 bits per unit.
  package var format = 8
  /// The content, in the machine's byte order.
  package var bytes: [UInt8] = []
  /// The number of bytes that were delivered. It exceeds `bytes.count` if the recorder has cut the content.
  package var byteCount = 0
  /// The names of a list of atoms. Atom numbers differ between servers.
  package var names: [AtomName?] = []
  /// The length of the first part of an INCR transfer; `nil` if the content came at once.
  package var partLength: Int?

  fileprivate mutating func append(_ property: WireEvent.Property) {
    if property.isAnnouncement {
      partLength = 0
      return
    }
    // A read from offset 0 repeats the previous one, except in an INCR transfer.
    if partLength == nil, property.offset == 0 {
      bytes = []
      byteCount = 0
      names = []
    }
    if let length = partLength, length == 0 { partLength = property.byteCount }
    // The empty part that ends an INCR transfer may have another type.
    if type == nil || property.byteCount > 0 { (type, format) = (property.type, property.format) }
    bytes += property.bytes
    byteCount += property.byteCount
    names += property.names
  }
}

/// A request for content, and its answer.
package struct RecordedAnswer: Hashable, Sendable {
  package var target: AtomName
  /// The delivered content; `nil` if the request was refused or never answered.
  package var content: RecordedContent?
  /// Whether there was an answer, even a refusal.
  package var isAnswered = false
}

extension Recording {
  /// All conversions of `XdndSelection`, in order, with their answers.
  package var answers: [RecordedAnswer] {
    var answers: [RecordedAnswer] = []
    var pending: [WindowProperty: Int] = [:]
    for entry in entries {
      switch entry.event.action {
      case .conversion(let conversion) where conversion.selection == .xdndSelection:
        guard let target = conversion.target, let place = conversion.place else { continue }
        pending[place] = answers.count
        answers.append(RecordedAnswer(target: target))
      case .converted(let answer) where answer.selection == .xdndSelection:
        let index =
          answer.property.flatMap { pending[WindowProperty($0, of: answer.requestor)] }
          // Qt's refusals do not name the target.
          ?? answers.firstIndex { !$0.isAnswered && ($0.target == answer.target || answer.target == nil) }
        guard let index else { continue }
        answers[index].isAnswered = true
        if answer.property == nil { answers[index].content = nil }
      case .property(let property):
        // The owner writes the property and the requestor reads it. A recording has one of the two.
        guard property.change == (role == .source ? .written : .read),
          let index = pending[property.place]
        else { continue }
        answers[index].content = answers[index].content ?? RecordedContent()
        answers[index].content?.append(property)
      default: continue
      }
    }
    return answers
  }
}
