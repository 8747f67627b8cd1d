/// Divides the drags over another client's window between this program, which takes drops in parts of it, and that
/// client, which takes drops itself.
///
/// All messages of a source arrive at this program's proxy. Each side gets a complete visit: Enter before the first
/// position in its part, and Leave when the pointer moves to the other part. The source sees one target: both sides
/// answer in the name of the same window, and it waits for an answer before it sends the next position.
struct RelayMachine: Hashable, Sendable {
  enum Side: Hashable, Sendable {
    /// This program.
    case own
    /// The client that has created the window.
    case owner
  }

  struct Delivery: Equatable, Sendable {
    var message: XdndMessage
    var side: Side
  }

  private struct Visit: Hashable, Sendable {
    var enter: XdndMessage.Enter
    /// `nil` before the first position.
    var side: Side?
  }

  private var visit: Visit?

  /// The source whose drag is over the window.
  var source: WindowID? { visit?.enter.source }

  /// - Parameter side: The side whose part contains the position. Not used for other messages.
  /// - Returns: The messages to deliver, in order.
  mutating func receive(_ message: XdndMessage, at side: Side) -> [Delivery] {
    if case .enter(let enter) = message {
      // If the earlier source has not left, it has died; the side that has its visit detects that.
      visit = Visit(enter: enter)
      return []
    }
    // The target's machine handles messages that come out of turn.
    guard let visit, message.sender == visit.enter.source else { return [Delivery(message: message, side: .own)] }
    switch message {
    case .position: return move(visit, to: side) + [Delivery(message: message, side: side)]
    case .leave, .drop:
      self.visit = nil
      // Without a position, no side knows of the drag.
      return visit.side.map { [Delivery(message: message, side: $0)] } ?? []
    case .enter, .status, .finished: return [Delivery(message: message, side: .own)]
    }
  }

  /// Forgets the visit: its drag is over.
  mutating func end() { visit = nil }

  private mutating func move(_ visit: Visit, to side: Side) -> [Delivery] {
    guard visit.side != side else { return [] }
    self.visit?.side = side
    let leave = visit.side.map { Delivery(message: .leave(.init(source: visit.enter.source)), side: $0) }
    return [leave, Delivery(message: .enter(visit.enter), side: side)].compactMap(\.self)
  }
}
