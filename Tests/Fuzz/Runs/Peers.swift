// Only debug builds and fuzzers have `@testable` imports, and `swift build -c release` builds this target, too.
#if DEBUG || XDND_FUZZ

@testable package import XDnD

/// Says what a source says.
package struct SourcePeer {
  package let window: WindowID

  package init(_ window: UInt32) {
    self.window = WindowID(rawValue: window)
  }

  package func enter(version: UInt32 = 5, types: [String] = ["text/plain"], hasTypeList: Bool = false) -> XdndMessage {
    .enter(
      .init(
        source: window, statedVersion: version, hasTypeList: hasTypeList,
        inlineTypes: types.map { AtomName(rawValue: $0) }))
  }

  package func position(_ x: Int = 10, _ y: Int = 20, time: UInt32 = 1000, _ operation: DragOperation? = .copy)
    -> XdndMessage
  {
    .position(
      .init(source: window, point: Point(x: x, y: y), time: Timestamp(rawValue: time), operation: operation))
  }

  package func leave() -> XdndMessage { .leave(.init(source: window)) }

  package func drop(time: UInt32 = 2000) -> XdndMessage {
    .drop(.init(source: window, time: Timestamp(rawValue: time)))
  }
}

/// Says what a target says.
package struct TargetPeer {
  package let window: WindowID

  package init(_ window: UInt32) {
    self.window = WindowID(rawValue: window)
  }

  package func accept(_ operation: DragOperation?) -> XdndMessage {
    .status(.init(target: window, acceptance: .init(operation: operation)))
  }

  package func accept(_ operation: DragOperation?, quietIn region: Rect) -> XdndMessage {
    .status(
      .init(
        target: window,
        acceptance: .init(operation: operation, region: region, wantsPositionsInside: false)))
  }

  package func refuse() -> XdndMessage { .status(.init(target: window, acceptance: nil)) }

  package func finished(_ operation: DragOperation?) -> XdndMessage {
    .finished(.init(target: window, result: .accepted(operation)))
  }

  package func failed() -> XdndMessage { .finished(.init(target: window, result: .refused)) }
}

#endif
