import XDnD

/// One stay of a drag over the target: from `XdndEnter` to `XdndLeave` or `XdndDrop`.
struct Visit {
  var enter: XdndMessage
  /// Positions and statuses in the order of their arrival, also statuses after the end.
  var timeline: [XdndMessage] = []
  /// `XdndLeave` or `XdndDrop`.
  var ends: [XdndMessage] = []
  var finished: [XdndMessage] = []
  /// Whether the next `XdndEnter` came without a Leave or Drop.
  var isReplaced = false
  var types: [String] = []

  var positions: [XdndMessage] { timeline.filter { $0.kind == "XdndPosition" } }
  var statuses: [XdndMessage] { timeline.filter { $0.kind == "XdndStatus" } }
  var drop: XdndMessage? { ends.first { $0.kind == "XdndDrop" } }
  var lastStatus: XdndMessage? { statuses.last { drop == nil || $0.number < drop?.number ?? 0 } }
  var version: Int { Int(enter.word(1) >> 24) }
  var hasTypeList: Bool { enter.word(1) & 1 != 0 }
  /// The types in `XdndEnter` itself.
  var inlineTypes: [String] { [2, 3, 4].compactMap { enter.name($0) } }
}
