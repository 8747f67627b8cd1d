@testable import XDnD

/// Says what a source says.
struct SourcePeer {
  let window: WindowID

  init(_ window: UInt32) {
    self.window = WindowID(rawValue: window)
  }

  func enter(version: UInt32 = 5, types: [String] = ["text/plain"], hasTypeList: Bool = false) -> XdndMessage {
    .enter(
      .init(
        source: window, statedVersion: version, hasTypeList: hasTypeList,
        inlineTypes: types.map { AtomName(rawValue: $0) }))
  }

  func position(_ x: Int = 10, _ y: Int = 20, time: UInt32 = 1000, _ operation: DragOperation? = .copy) -> XdndMessage {
    .position(
      .init(source: window, point: Point(x: x, y: y), time: Timestamp(rawValue: time), operation: operation))
  }

  func leave() -> XdndMessage { .leave(.init(source: window)) }

  func drop(time: UInt32 = 2000) -> XdndMessage { .drop(.init(source: window, time: Timestamp(rawValue: time))) }
}

/// Says what a target says.
struct TargetPeer {
  let window: WindowID

  init(_ window: UInt32) {
    self.window = WindowID(rawValue: window)
  }

  func accept(_ operation: DragOperation?) -> XdndMessage {
    .status(.init(target: window, acceptance: .init(operation: operation)))
  }

  func accept(_ operation: DragOperation?, quietIn region: Rect) -> XdndMessage {
    .status(
      .init(
        target: window,
        acceptance: .init(operation: operation, region: region, wantsPositionsInside: false)))
  }

  func refuse() -> XdndMessage { .status(.init(target: window, acceptance: nil)) }

  func finished(_ operation: DragOperation?) -> XdndMessage {
    .finished(.init(target: window, result: .accepted(operation)))
  }

  func failed() -> XdndMessage { .finished(.init(target: window, result: .refused)) }
}
