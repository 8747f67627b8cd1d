public import XDnD

/// The content that a source delivered for one type, assembled from its parts.
public struct RecordedContent: Hashable, Sendable {
  /// The type of the property; `nil` if there was no property.
  public var type: AtomName?
  /// The format of the property: 8, 16 or 32 bits per unit.
  public var format = 8
  /// The content, in the machine's byte order.
  public var bytes: [UInt8] = []
  /// The number of bytes that were delivered. More than `bytes` holds if the recorder has cut the content.
  public var byteCount = 0
  /// The names of a list of atoms. Atom numbers differ between servers.
  public var names: [AtomName?] = []
  /// The length of the first part of an INCR transfer; `nil` if the content came at once.
  public var partLength: Int?

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
public struct RecordedAnswer: Hashable, Sendable {
  /// The requested target.
  public var target: AtomName
  /// The delivered content; `nil` if the request was refused or never answered.
  public var content: RecordedContent?
  /// Whether there was an answer, be it a refusal.
  public var isAnswered = false
}

extension Recording {
  /// All conversions of `XdndSelection`, in order, with their answers.
  public var answers: [RecordedAnswer] {
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
