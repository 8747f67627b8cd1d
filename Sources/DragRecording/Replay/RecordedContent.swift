public import XDnD

/// What a source has given for one type, put together from the parts that it came in.
public struct RecordedContent: Hashable, Sendable {
  /// The type of the property; `nil` if there was none.
  public var type: AtomName?
  /// 8, 16 or 32 bits a unit.
  public var format = 8
  /// In the machine's byte order.
  public var bytes: [UInt8] = []
  /// How many there were; more than ``bytes`` if the recorder has cut them off.
  public var byteCount = 0
  /// The names, if it is a list of atoms: its numbers mean something else in another server.
  public var names: [AtomName?] = []
  /// The length of the first part, if it came in parts: `INCR`.
  public var partLength: Int?

  fileprivate mutating func append(_ property: WireEvent.Property) {
    if property.type?.rawValue == "INCR" {
      partLength = 0
      return
    }
    // What is read from the beginning again is the same once more, but not in parts.
    if partLength == nil, property.offset == 0 {
      bytes = []
      byteCount = 0
      names = []
    }
    if let length = partLength, length == 0 { partLength = property.byteCount }
    // An empty part says that it was the last one.
    if type == nil || property.byteCount > 0 { (type, format) = (property.type, property.format) }
    bytes += property.bytes
    byteCount += property.byteCount
    names += property.names
  }
}

/// What became of a request for content.
public struct RecordedAnswer: Hashable, Sendable {
  /// What was asked for.
  public var target: AtomName
  /// `nil` if it was refused, or never answered.
  public var content: RecordedContent?
  /// Whether there was an answer.
  public var isAnswered = false
}

extension Recording {
  /// All requests for the content of a drag, in order, with what became of them.
  public var answers: [RecordedAnswer] {
    /// Where content is put: the property, and its window.
    struct Place: Hashable {
      var window: WindowID
      var name: AtomName
    }
    var answers: [RecordedAnswer] = []
    var pending: [Place: Int] = [:]
    for entry in entries {
      switch entry.event.action {
      case .conversion(let conversion) where conversion.selection == Self.selection:
        guard let target = conversion.target else { continue }
        // Without a property, old requestors mean one with the name of the target.
        pending[Place(window: conversion.requestor, name: conversion.property ?? target)] = answers.count
        answers.append(RecordedAnswer(target: target))
      case .converted(let answer) where answer.selection == Self.selection:
        let index =
          answer.property.flatMap { pending[Place(window: answer.requestor, name: $0)] }
          // Qt refuses without saying what.
          ?? answers.firstIndex { !$0.isAnswered && ($0.target == answer.target || answer.target == nil) }
        guard let index else { continue }
        answers[index].isAnswered = true
        if answer.property == nil { answers[index].content = nil }
      case .property(let property):
        // The owner writes it, the requestor reads it: a recording has one of the two.
        guard property.change == (role == .source ? .written : .read),
          let index = pending[Place(window: property.window, name: property.name)]
        else { continue }
        answers[index].content = answers[index].content ?? RecordedContent()
        answers[index].content?.append(property)
      default: continue
      }
    }
    return answers
  }

  static let selection = AtomName(rawValue: "XdndSelection")
}
