import XDnD

/// The layout-independent model of a sequence diagram of a drag.
struct DragDiagram: Equatable {
  enum Lane: Equatable {
    case source
    /// The X server, which holds properties and selections.
    case server
    case target
  }

  /// What a row shows: an arrow between two lanes, or a note beside them.
  enum Shape: Equatable {
    case arrow(from: Lane, to: Lane)
    /// The end of a lane's window.
    case end(of: Lane)
    /// Several entries that are not drawn.
    case fold
    /// A period without events.
    case wait
  }

  struct Row: Equatable {
    /// Microseconds since the beginning of the recording.
    var time: Int
    var shape: Shape
    var caption: EventCaption
    /// Whether the row explains a failed drag: a refusal or a window that vanished. Drawn in red.
    var isRefusal = false
    var remarks: [Remark] = []
  }

  struct Header: Equatable {
    var lane: Lane
    var title: String
    var subtitle: String
  }

  var headers: [Header] = []
  var rows: [Row] = []

  /// The shortest period without events that gets a row, in microseconds.
  static let longWait = 500_000

  init(_ recording: Recording, noting remarks: [Remark] = []) {
    let own: Lane = recording.role == .source ? .source : .target
    let other: Lane = own == .source ? .target : .source
    var last: Int?
    let entries = recording.withoutEchoes
    // By an entry's number from 1: the row that shows it. Remarks about other entries go to the row before.
    var rowOfEntry: [Int: Int] = [:]
    var numbers = entries.map { $0.offset + 1 }[...]
    for group in EntryGroup.groups(of: entries.map(\.element)) {
      if let last, group.start - last >= Self.longWait {
        let wait = "nothing for " + Self.duration(group.start - last)
        rows.append(Row(time: last, shape: .wait, caption: EventCaption(wait)))
      }
      last = group.end
      for _ in group.entries { rowOfEntry[numbers.removeFirst()] = rows.count }
      if let summary = group.summary {
        let isRefusal = summary.hasSuffix("no")
        rows.append(Row(time: group.start, shape: .fold, caption: EventCaption(summary), isRefusal: isRefusal))
      } else {
        rows += group.entries.map { Self.row($0, own: own, other: other, of: recording) }
      }
    }
    for remark in remarks {
      guard let number = remark.entry, let shown = rowOfEntry.keys.filter({ $0 <= number }).max() else { continue }
      rows[rowOfEntry[shown] ?? 0].remarks.append(remark)
    }
    headers = [Header(lane: .source, title: "source", subtitle: Self.name(of: .source, in: recording))]
    let hasServer = rows.contains { row in
      if case .arrow(let from, let to) = row.shape { from == .server || to == .server } else { false }
    }
    if hasServer { headers.append(Header(lane: .server, title: "X server", subtitle: "properties, selections")) }
    headers.append(Header(lane: .target, title: "target", subtitle: Self.name(of: .target, in: recording)))
  }

  private static func row(_ entry: Recording.Entry, own: Lane, other: Lane, of recording: Recording) -> Row {
    let isSent = entry.event.direction == .sent
    var isRefusal = false
    var shape: Shape = .arrow(from: isSent ? own : other, to: isSent ? other : own)
    switch entry.event.action {
    case .message(let message):
      isRefusal =
        message.kind == .status && message.answer == "no"
        || message.kind == .finished && !message.xdnd.isSuccess
    case .conversion: break
    case .converted(let answer): isRefusal = answer.property == nil
    // A read property goes from the server to its reader, and so does a notification.
    case .property(let property) where property.change == .read: shape = .arrow(from: .server, to: own)
    case .owner, .property: shape = isSent ? .arrow(from: own, to: .server) : .arrow(from: .server, to: own)
    case .vanished(let window):
      shape = .end(of: window == recording.target?.window ? .target : other)
      isRefusal = true
    }
    return Row(time: entry.time, shape: shape, caption: entry.event.action.caption, isRefusal: isRefusal)
  }

  private static func name(of lane: Lane, in recording: Recording) -> String {
    let isPeer = (recording.role == .source) == (lane == .target)
    let target = lane == .target ? recording.target?.window : nil
    guard isPeer else {
      return ["recorded here", target?.description].compactMap { $0 }.joined(separator: ", ")
    }
    let peer = recording.peer
    let parts = [
      peer.program, (peer.window ?? target)?.description, peer.processID.map { "pid \($0)" },
    ].compactMap { $0 }
    return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
  }

  /// A duration as text: `1.8 s`, `640 ms`.
  static func duration(_ microseconds: Int) -> String {
    guard microseconds >= 1_000_000 else { return "\(microseconds / 1000) ms" }
    let tenths = (microseconds + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
