public import XDnD

/// A drag over a window, under SwiftUI's name.
public typealias DropInfo = DropSession

extension DropSession {
  /// Whether an item has one of these types. The counterpart of SwiftUI's `DropInfo.hasItemsConforming(to:)`.
  ///
  /// - Parameter types: The types, or patterns such as `ContentType.image`.
  public func hasItemsConforming(to types: [ContentType]) -> Bool { !itemProviders(for: types).isEmpty }

  /// Returns the items that have one of these types, in order. The counterpart of SwiftUI's
  /// `DropInfo.itemProviders(for:)`.
  ///
  /// A drag from another program has one item, which represents the whole offer, or one for each file whose content is
  /// accepted.
  ///
  /// - Parameter types: The types, or patterns such as `ContentType.image`.
  public func itemProviders(for types: [ContentType]) -> [ItemProvider] {
    items.filter { $0.offers(types) }.map(\.itemProvider)
  }
}

/// Receives the drags over a part of a window and the drops on it. The counterpart of SwiftUI's `DropDelegate`, with the
/// same method names; it may be a value. `XDnD.DropDelegate` reports more, and answers drops explicitly.
///
/// A drop needs no answer: when the loads of ``performDrop(info:)`` have ended, the library finishes the drop if one
/// has succeeded, and rejects it if none has. A drop within the program that begins no load, for example because a row
/// moves within its list, is finished, too. `DropSession` has the details.
public protocol DropInfoDelegate {
  /// Returns whether the delegate handles a drag at all. Called once for each visit. The default returns `true`.
  func validateDrop(info: DropInfo) -> Bool

  /// Tells the delegate that a drag has entered. The default does nothing.
  func dropEntered(info: DropInfo)

  /// Returns the proposal for a drop at the pointer; `nil`, the default, for the proposal that follows from the
  /// accepted types and operations.
  func dropUpdated(info: DropInfo) -> DropProposal?

  /// Tells the delegate that the drag has left without a drop. The default does nothing.
  func dropExited(info: DropInfo)

  /// Tells the delegate that the content was dropped.
  ///
  /// - Returns: Whether the drop is taken; `false` rejects it.
  func performDrop(info: DropInfo) -> Bool
}

extension DropInfoDelegate {
  /// Returns `true`.
  public func validateDrop(info: DropInfo) -> Bool { true }
  /// Does nothing.
  public func dropEntered(info: DropInfo) {}
  /// Returns `nil`.
  public func dropUpdated(info: DropInfo) -> DropProposal? { nil }
  /// Does nothing.
  public func dropExited(info: DropInfo) {}
}

extension DragAndDrop {
  /// Adds a region to a window, above the existing ones, and handles its drops with a delegate. The counterpart of
  /// SwiftUI's `onDrop(of:delegate:)`.
  ///
  /// - Parameters:
  ///   - types: The accepted types, best first.
  ///   - operations: The supported operations, preferred ones first; `nil` for the default.
  ///   - window: A top-level window of this connection.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  ///   - delegate: Retained by the region.
  /// - Returns: The region, for further configuration and for `removeDropRegion(_:from:)`.
  @discardableResult
  public func onDrop(
    of types: [ContentType], operations: [DragOperation]? = nil, in window: WindowID, frame: Rect? = nil,
    delegate: any DropInfoDelegate
  ) -> DropRegion {
    onDrop(
      of: types, operations: operations, in: window, frame: frame,
      delegate: DropInfoAdapter(delegate: delegate) as any DropDelegate)
  }
}

extension DragAndDrop {
  /// Adds a region to a window, above the existing ones, and handles its drops with closures. The counterpart of SwiftUI's
  /// `onDrop(of:isTargeted:perform:)`.
  ///
  /// A drop needs no answer: see ``DropInfoDelegate``.
  ///
  /// - Parameters:
  ///   - types: The accepted types, best first.
  ///   - isTargeted: Called with `true` when a drop would be accepted in the region, and with `false` when it no longer
  ///     would. SwiftUI has a binding here.
  ///   - operations: The supported operations, preferred ones first; `nil` for the default.
  ///   - window: A top-level window of this connection.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  ///   - perform: Called for a drop, with the items that have one of the types. Returns whether the drop is taken;
  ///     `false` rejects it.
  /// - Returns: The region, for further configuration and for `removeDropRegion(_:from:)`.
  @discardableResult
  public func onDrop(
    of types: [ContentType], isTargeted: ((Bool) -> Void)?, operations: [DragOperation]? = nil,
    in window: WindowID, frame: Rect? = nil, perform: @escaping ([ItemProvider]) -> Bool
  ) -> DropRegion {
    onDrop(of: types, operations: operations, in: window, frame: frame, isTargeted: isTargeted) { (drop: DropSession) in
      drop.end(isTaken: perform(drop.itemProviders(for: types)))
    }
  }
}

private final class DropInfoAdapter: DropDelegate {
  private let delegate: any DropInfoDelegate

  init(delegate: any DropInfoDelegate) { self.delegate = delegate }

  func validateDrop(_ drop: DropSession) -> Bool { delegate.validateDrop(info: drop) }
  func dropEntered(_ drop: DropSession) { delegate.dropEntered(info: drop) }
  func dropUpdated(_ drop: DropSession) -> DropProposal { delegate.dropUpdated(info: drop) ?? drop.suggestedProposal }
  func dropExited(_ drop: DropSession, _ reason: DropExit) { delegate.dropExited(info: drop) }

  func performDrop(_ drop: DropSession) {
    drop.end(isTaken: delegate.performDrop(info: drop))
  }
}

extension DropSession {
  /// Ends `performDrop`: rejects the drop if it is not taken. Otherwise the drop ends with its loads; a drop within the
  /// program needs none.
  fileprivate func end(isTaken: Bool) {
    guard isTaken else { return reject() }
    if localItems != nil { operationWithoutLoad = droppedOperation }
  }
}
