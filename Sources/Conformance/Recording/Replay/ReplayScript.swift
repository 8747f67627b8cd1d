package import XDnD

/// The actions of one end of a recorded drag, as steps to replay.
package struct ReplayScript: Hashable, Sendable {
  /// An action of this end, or a message to wait for.
  package enum Action: Hashable, Sendable {
    /// Send a message of this end.
    case send(WireEvent.Message)
    /// Request content: this end is a target.
    case convert(WireEvent.Conversion)
    /// Wait for a message of the other end.
    case receive(WireEvent.Message)
    /// Give up the selection.
    case disown
    /// Destroy this end's window.
    case destroyWindow
  }

  /// An action with its recorded time.
  package struct Step: Hashable, Sendable {
    /// Microseconds since the beginning of the recording.
    package var time: Int
    package var action: Action
  }

  /// A target's responses to its source's messages, from one `XdndEnter` to the next.
  package struct Visit: Hashable, Sendable {
    /// The steps after `XdndEnter`.
    package var afterEnter: [Step] = []
    /// The steps after each `XdndPosition`. Positions without steps are merged with the next one that has some.
    package var afterPosition: [[Step]] = []
    /// The steps after `XdndDrop` or `XdndLeave`.
    package var afterEnd: [Step] = []
    /// The timestamp in the source's `XdndDrop`; `nil` if there was none.
    package var dropTime: Timestamp?
  }

  /// The end to replay.
  package let side: Recording.Role
  /// The steps in order. Answers to requests for content are not among them: a replay answers requests whenever they
  /// come.
  package private(set) var steps: [Step] = []
  /// The windows of this end and of the other end; `nil` if unknown.
  package private(set) var (ownWindow, otherWindow): (WindowID?, WindowID?)
  /// The properties to set on this end's window, with their first recorded content.
  package private(set) var properties: [WireEvent.Property] = []

  /// Creates the script for one end. A recording has the events of both.
  package init(_ recording: Recording, as side: Recording.Role) {
    self.side = side
    (ownWindow, otherWindow) = Self.windows(in: recording, of: side)
    var known: Set<AtomName> = []
    var isPositionOpen = false
    for entry in recording.entries {
      let isOwn = recording.side(of: entry.event) == side
      var action: Action?
      switch entry.event.action {
      case .message(let message) where message.type.rawValue.hasPrefix("Xdnd"):
        action = isOwn ? .send(message) : .receive(message)
        if message.kind == .position { isPositionOpen = true }
        if message.kind == .status {
          // A replay does not wait for a Status that answers no position.
          if !isOwn, !isPositionOpen { action = nil }
          isPositionOpen = false
        }
      case .conversion(let conversion) where side == .target && conversion.selection == .xdndSelection:
        action = .convert(conversion)
      case .owner(of: .xdndSelection, let window, _) where side == .source && window != ownWindow:
        // After the first step, another owner means that this end has lost the selection. Before that, the owner
        // belongs to another drag.
        if !steps.isEmpty { action = .disown }
      case .vanished(let window) where window == ownWindow:
        action = .destroyWindow
      case .property(let property) where property.window == ownWindow:
        let isContent = property.change == .read || property.change == .written
        if isContent, property.format > 0, property.offset == 0, Self.announcements.contains(property.name),
          known.insert(property.name).inserted
        {
          properties.append(property)
        }
      default: break
      }
      if let action { steps.append(Step(time: entry.time, action: action)) }
    }
  }

  /// The properties in which an end announces its types and actions. Other properties named `Xdnd…` may hold content:
  /// Tk requests content into a property named `XdndSelection`.
  private static let announcements: Set<AtomName> = [
    .xdndAware, .xdndTypeList, .xdndActionList, .xdndActionDescription, .xdndDirectSave,
  ]

  /// Finds both windows in the messages: each end names its own window in its messages.
  private static func windows(in recording: Recording, of side: Recording.Role) -> (own: WindowID?, other: WindowID?) {
    var (source, target): (WindowID?, WindowID?)
    for case .message(let message) in recording.entries.map(\.event.action) {
      switch message.kind {
      case .enter, .position, .leave, .drop:
        source = source ?? message.xdnd.sender
        target = target ?? message.window
      case .status, .finished: target = target ?? message.xdnd.sender
      case nil: break
      }
    }
    // The window named on a command line may be an ancestor of the one that takes drops.
    target = target ?? recording.target?.window
    return side == .source ? (source, target) : (target, source)
  }

  /// The first server timestamp in a message of either end; `nil` if all are 0.
  package var firstTimestamp: Timestamp? {
    steps.lazy.compactMap { step -> Timestamp? in
      switch step.action {
      case .send(let message), .receive(let message):
        switch message.kind {
        case .position: message.xdnd.positionTime
        case .drop: message.xdnd.dropTime
        default: nil
        }
      default: nil
      }
    }.first { $0 != .currentTime }
  }

  /// A target's steps, grouped by the source's message that precedes them.
  package var visits: [Visit] {
    var visits: [Visit] = []
    var isOver = false
    for step in steps {
      if case .receive(let message) = step.action {
        switch message.kind {
        case .enter:
          visits.append(Visit())
          isOver = false
        case .position where !visits.isEmpty:
          let last = visits.count - 1
          if visits[last].afterPosition.last?.isEmpty != true { visits[last].afterPosition.append([]) }
        case .drop where !visits.isEmpty:
          visits[visits.count - 1].dropTime = message.xdnd.dropTime
          isOver = true
        case .leave: isOver = true
        default: break
        }
      } else if let last = visits.indices.last {
        if isOver {
          visits[last].afterEnd.append(step)
        } else if let position = visits[last].afterPosition.indices.last {
          visits[last].afterPosition[position].append(step)
        } else {
          visits[last].afterEnter.append(step)
        }
      }
    }
    return visits
  }
}
