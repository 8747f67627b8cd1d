public import XDnD

/// What one end of a recorded drag did, as something to be done again.
public struct ReplayScript: Hashable, Sendable {
  /// Something to do, or to wait for.
  public enum Action: Hashable, Sendable {
    /// A message of this end.
    case send(WireEvent.Message)
    /// A request for content, of this end.
    case convert(WireEvent.Conversion)
    /// A message of the other end.
    case hear(WireEvent.Message)
    /// The selection is given up.
    case disown
    /// The window of this end is gone.
    case vanish
  }

  /// Something to do, or to wait for, and when.
  public struct Step: Hashable, Sendable {
    /// Microseconds since the recording began.
    public var time: Int
    /// What.
    public var action: Action
  }

  /// What a target does after each thing that its source says, from one `XdndEnter` to the next.
  public struct Visit: Hashable, Sendable {
    /// After `XdndEnter`.
    public var afterEnter: [Step] = []
    /// After each `XdndPosition`. Those that had no answer of their own go with the next that had one.
    public var afterPosition: [[Step]] = []
    /// After `XdndDrop`, or `XdndLeave`.
    public var afterEnd: [Step] = []
    /// When it was dropped, as the source has said; `nil` if it left.
    public var dropTime: Timestamp?
  }

  /// Which end it is.
  public let side: Recording.Role
  /// In order, without what answers by itself: content is given whenever it is asked for.
  public private(set) var steps: [Step] = []
  /// The windows of this end and of the other one; `nil` if they never say.
  public private(set) var (ownWindow, otherWindow): (WindowID?, WindowID?)
  /// What is on the window of this end, with its first content.
  public private(set) var properties: [WireEvent.Property] = []

  /// - Parameter side: Which end is to be done again; both are in the recording.
  public init(_ recording: Recording, as side: Recording.Role) {
    self.side = side
    (ownWindow, otherWindow) = Self.windows(in: recording, of: side)
    var known: Set<AtomName> = []
    var isPositionOpen = false
    for entry in recording.entries {
      let isOwn = recording.side(of: entry.event) == side
      var action: Action?
      switch entry.event.action {
      case .message(let message) where message.type.rawValue.hasPrefix("Xdnd"):
        let type = message.type.rawValue
        action = isOwn ? .send(message) : .hear(message)
        if type == "XdndPosition" { isPositionOpen = true }
        if type == "XdndStatus" {
          // Nothing that nobody has asked for is waited for.
          if !isOwn, !isPositionOpen { action = nil }
          isPositionOpen = false
        }
      case .conversion(let conversion) where side == .target && conversion.selection == Recording.selection:
        action = .convert(conversion)
      case .owner(of: Recording.selection, let window, _) where side == .source && window != ownWindow:
        // Another owner is somebody else's drag, and begins with the end of this one.
        if !steps.isEmpty { action = .disown }
      case .vanished(let window) where window == ownWindow:
        action = .vanish
      case .property(let property) where property.window == ownWindow:
        let isContent = property.change == .read || property.change == .written
        if isContent, property.format > 0, property.offset == 0, Self.announcements.contains(property.name.rawValue),
          known.insert(property.name).inserted
        {
          properties.append(property)
        }
      default: break
      }
      if let action { steps.append(Step(time: entry.time, action: action)) }
    }
  }

  /// The properties by which an end says what it can do. Others of the same prefix may be content: Tk has it put into
  /// `XdndSelection`.
  private static let announcements: Set<String> = [
    "XdndAware", "XdndTypeList", "XdndActionList", "XdndActionDescription", "XdndDirectSave0",
  ]

  /// By what the messages say: a source names itself in each, and a target in its answers.
  private static func windows(in recording: Recording, of side: Recording.Role) -> (own: WindowID?, other: WindowID?) {
    var (source, target): (WindowID?, WindowID?)
    for case .message(let message) in recording.entries.map(\.event.action) {
      switch message.type.rawValue {
      case "XdndEnter", "XdndPosition", "XdndLeave", "XdndDrop":
        source = source ?? WindowID(rawValue: message.words[0])
        target = target ?? message.window
      case "XdndStatus", "XdndFinished": target = target ?? WindowID(rawValue: message.words[0])
      default: break
      }
    }
    // What was named on a command line may be a window around the one that takes drops.
    target = target ?? recording.target?.window
    return side == .source ? (source, target) : (target, source)
  }

  /// The earliest time of the server that this end names; 0 is none.
  public var firstTimestamp: Timestamp? {
    steps.lazy.compactMap { step -> UInt32? in
      switch step.action {
      case .send(let message), .hear(let message):
        switch message.type.rawValue {
        case "XdndPosition": message.words[3]
        case "XdndDrop": message.words[2]
        default: nil
        }
      default: nil
      }
    }.first { $0 != 0 }.map(Timestamp.init(rawValue:))
  }

  /// The steps of a target by what its source says before each of them.
  public var visits: [Visit] {
    var visits: [Visit] = []
    var isOver = false
    for step in steps {
      if case .hear(let message) = step.action {
        switch message.type.rawValue {
        case "XdndEnter":
          visits.append(Visit())
          isOver = false
        case "XdndPosition" where !visits.isEmpty:
          let last = visits.count - 1
          if visits[last].afterPosition.last?.isEmpty != true { visits[last].afterPosition.append([]) }
        case "XdndDrop" where !visits.isEmpty:
          visits[visits.count - 1].dropTime = Timestamp(rawValue: message.words[2])
          isOver = true
        case "XdndLeave": isOver = true
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
