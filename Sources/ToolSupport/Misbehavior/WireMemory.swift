import XDnD

/// What somebody who does wrong has to know of what went before: a lie is made of true words.
final class WireMemory {
  private(set) var enter: WireEvent.Message?
  private(set) var position: WireEvent.Message?
  private(set) var status: WireEvent.Message?
  /// When the selection was taken, and by whom.
  private(set) var owner: (window: WindowID, time: Timestamp)?
  /// The types that are offered: what the list says, or else what `XdndEnter` says.
  private(set) var types: [AtomName] = []
  /// What was asked for, by where it was to be put.
  private(set) var requests: [Place: WireEvent.Conversion] = [:]
  /// The places where content comes in parts, or goes out in parts.
  private(set) var incremental: Set<Place> = []
  /// The places where the empty last part has come.
  private var ended: Set<Place> = []
  /// Whether a drop has asked for content, and what it has got.
  private var (isAsking, isAnswered, isServed) = (false, false, false)
  /// What is kept back, and what was begun and has to be ended: faults have places of their own.
  var held: WireEvent.Message?
  var leftovers: [WireEvent.Property] = []
  var hasFinished = false

  struct Place: Hashable {
    var window: WindowID
    var property: AtomName
  }

  func note(sent action: WireEvent.Action) {
    switch action {
    case .message(let message): note(message)
    case .owner(let selection, let window, let time) where selection.rawValue == "XdndSelection":
      owner = (window, time)
    case .conversion(let conversion):
      isAsking = true
      if let place = conversion.property.map({ Place(window: conversion.requestor, property: $0) }) {
        incremental.remove(place)
        ended.remove(place)
      }
    case .property(let property) where property.change == .written:
      if property.name.rawValue == "XdndTypeList" { types = property.names.compactMap { $0 } }
      if property.isAnnouncement { incremental.insert(property.place) }
    default: break
    }
  }

  func note(read action: WireEvent.Action) {
    guard case .property(let property) = action, property.change == .read else { return }
    if property.isAnnouncement { incremental.insert(property.place) }
    if property.byteCount == 0, property.format > 0, incremental.contains(property.place) {
      ended.insert(property.place)
    }
  }

  func note(heard action: WireEvent.Action) {
    switch action {
    case .message(let message): note(message)
    case .conversion(let conversion):
      guard let property = conversion.property ?? conversion.target else { break }
      let place = Place(window: conversion.requestor, property: property)
      requests[place] = conversion
      incremental.remove(place)
    case .converted(let answer):
      isAnswered = true
      isServed = isServed || answer.property != nil
    default: break
    }
  }

  private func note(_ message: WireEvent.Message) {
    switch message.type.rawValue {
    case "XdndEnter":
      enter = message
      hasFinished = false
      if message.words.count == 5, message.words[1] & 1 == 0 { types = [2, 3, 4].compactMap { message.names[$0] } }
      (isAsking, isAnswered, isServed) = (false, false, false)
    case "XdndPosition": position = message
    case "XdndStatus": status = message
    default: break
    }
  }

  /// Whether all that this drag has asked for was refused.
  var isRefused: Bool { isAsking && isAnswered && !isServed }

  /// Whether this drag has asked for something and had no answer.
  var isUnanswered: Bool { isAsking && !isAnswered }

  /// Whether the empty last part of content has come.
  func hasEnded(_ place: Place) -> Bool { ended.contains(place) }

  /// What a property that is written now was asked for as; `nil` if it is none of those.
  func target(of property: WireEvent.Property) -> AtomName? { requests[property.place]?.target }

  /// Whether that is content, and not something about the selection.
  func isContent(_ property: WireEvent.Property) -> Bool {
    target(of: property).map { !Self.orders.contains($0.rawValue) } ?? false
  }

  static let orders: Set<String> = ["TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE", "XdndDirectSave0"]

  /// Whether a property is content that goes in one piece.
  func isWhole(_ property: WireEvent.Property) -> Bool { isContent(property) && !incremental.contains(property.place) }
}

extension WireEvent.Property {
  var place: WireMemory.Place { WireMemory.Place(window: window, property: name) }

  /// Whether it says that content comes in parts.
  var isAnnouncement: Bool { type?.rawValue == "INCR" }

  /// The same with other bytes.
  func with(bytes: [UInt8]) -> WireEvent.Property {
    var property = self
    property.bytes = bytes
    property.byteCount = bytes.count
    return property
  }

  /// The same with a word more, or with a word in place of the first.
  func with(word: UInt32, appended: Bool) -> WireEvent.Property {
    let bytes = withUnsafeBytes(of: word) { Array($0) }
    return with(bytes: appended ? self.bytes + bytes : bytes + self.bytes.dropFirst(4))
  }

  /// The same of another type.
  func with(type: String) -> WireEvent.Property {
    var property = self
    property.type = AtomName(rawValue: type)
    return property
  }
}
