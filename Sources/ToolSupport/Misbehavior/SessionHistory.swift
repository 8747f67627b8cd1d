import XDnD

/// What a session has said so far, for faults that build plausible wrong messages.
final class SessionHistory {
  private(set) var enter: WireEvent.Message?
  private(set) var position: WireEvent.Message?
  private(set) var status: WireEvent.Message?
  /// The owner of XdndSelection, and the time at which it took the selection.
  private(set) var owner: (window: WindowID, time: Timestamp)?
  /// The offered types, from XdndTypeList or from XdndEnter.
  private(set) var types: [AtomName] = []
  /// The requests received, by the property that the requestor named.
  private(set) var requests: [WindowProperty: WireEvent.Conversion] = [:]
  /// The properties that are used for INCR transfers.
  private(set) var incremental: Set<WindowProperty> = []
  /// The properties whose INCR transfer has ended with an empty part.
  private var ended: Set<WindowProperty> = []
  /// Whether this drag requested content, had an answer, and received any content.
  private var (isAsking, isAnswered, isServed) = (false, false, false)

  func record(sent action: WireEvent.Action) {
    switch action {
    case .message(let message): record(message)
    case .owner(let selection, let window, let time) where selection.rawValue == "XdndSelection":
      owner = (window, time)
    case .conversion(let conversion):
      isAsking = true
      if conversion.property != nil, let place = conversion.place {
        incremental.remove(place)
        ended.remove(place)
      }
    case .property(let property) where property.change == .written:
      if property.name.rawValue == "XdndTypeList" { types = property.names.compactMap { $0 } }
      if property.isAnnouncement { incremental.insert(property.place) }
    default: break
    }
  }

  func record(read action: WireEvent.Action) {
    guard case .property(let property) = action, property.change == .read else { return }
    if property.isAnnouncement { incremental.insert(property.place) }
    if property.byteCount == 0, property.format > 0, incremental.contains(property.place) {
      ended.insert(property.place)
    }
  }

  func record(heard action: WireEvent.Action) {
    switch action {
    case .message(let message): record(message)
    case .conversion(let conversion):
      guard let place = conversion.place else { break }
      requests[place] = conversion
      incremental.remove(place)
    case .converted(let answer):
      isAnswered = true
      isServed = isServed || answer.property != nil
    default: break
    }
  }

  private func record(_ message: WireEvent.Message) {
    switch message.kind {
    case .enter:
      enter = message
      if message.words.count == 5, !message.xdnd.hasTypeList { types = message.inlineTypes }
      (isAsking, isAnswered, isServed) = (false, false, false)
    case .position: position = message
    case .status: status = message
    default: break
    }
  }

  var isRefused: Bool { isAsking && isAnswered && !isServed }

  /// Whether this drag requested content and had no answer at all.
  var isUnanswered: Bool { isAsking && !isAnswered }

  /// Whether the empty last part has arrived.
  func hasEnded(_ place: WindowProperty) -> Bool { ended.contains(place) }

  /// The target for which a property is written; `nil` if it answers no request.
  func target(of property: WireEvent.Property) -> AtomName? { requests[property.place]?.target }

  /// Whether the property answers a request for content, rather than for data about the selection.
  func isContent(_ property: WireEvent.Property) -> Bool {
    target(of: property).map { !Self.orders.contains($0.rawValue) } ?? false
  }

  static let orders: Set<String> = ["TARGETS", "TIMESTAMP", "MULTIPLE", "DELETE", "XdndDirectSave0"]

  /// Whether the property is content outside of an INCR transfer.
  func isWhole(_ property: WireEvent.Property) -> Bool { isContent(property) && !incremental.contains(property.place) }
}
