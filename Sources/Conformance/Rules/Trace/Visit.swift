import XDnD

/// One stay of a drag over the target: from `XdndEnter` to `XdndLeave` or `XdndDrop`.
struct Visit {
  var enter: RecordedMessage
  /// Positions and statuses in the order of their arrival, also statuses after the end.
  var timeline: [RecordedMessage] = []
  /// `XdndLeave` or `XdndDrop`.
  var ends: [RecordedMessage] = []
  var finished: [RecordedMessage] = []
  /// Whether the next `XdndEnter` came without a Leave or Drop.
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
