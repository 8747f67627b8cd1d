public import XDnD

/// Accepts drops on a part of a window, and notifies a delegate. The counterpart of `UIDropInteraction`.
///
/// `DropRegion` does the same without UIKit's names.
public final class DropInteraction {
  /// The delegate. Not retained.
  public private(set) weak var delegate: (any DropInteractionDelegate)?

  /// Creates an interaction for `DragAndDrop.add(_:to:accepting:operations:frame:)`.
  ///
  /// - Parameter delegate: Not retained. Once it is deallocated, drags are refused and drops are rejected.
  public init(delegate: any DropInteractionDelegate) {
    self.delegate = delegate
  }
}

@available(*, unavailable)
extension DropInteraction: Sendable {}

/// A protocol for `DropSession`, because UIKit's sessions are protocols: ported code writes `any` before the type.
public protocol DropInteractionSession: DropSession {}

extension DropSession: DropInteractionSession {}

/// Receives the drags over a ``DropInteraction`` and its drops. The counterpart of `UIDropInteractionDelegate`, with the
/// same method names. `XDnD.DropDelegate` reports more, and answers drops explicitly.
///
/// A drop needs no answer: when the loads of ``dropInteraction(_:performDrop:)`` have ended, the library finishes the
/// drop if one has succeeded, and rejects it if none has. A drop within the program needs no load. `DropSession` has
/// the details.
public protocol DropInteractionDelegate: AnyObject {
  /// Returns whether the delegate handles a drag at all. Called once for each visit. The default returns `true`.
  func dropInteraction(_ interaction: DropInteraction, canHandle session: any DropInteractionSession) -> Bool

  /// Tells the delegate that a drag has entered. The default does nothing.
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: any DropInteractionSession)

  /// Returns the proposal for a drop at the pointer. The default follows from the accepted types and operations.
  func dropInteraction(_ interaction: DropInteraction, sessionDidUpdate session: any DropInteractionSession)
    -> DropProposal

  /// Tells the delegate that the drag has left without a drop. The default does nothing.
  func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: any DropInteractionSession)

  /// Tells the delegate that the content was dropped. The delegate loads the content. The default does nothing, which
  /// rejects a drop from another program.
  func dropInteraction(_ interaction: DropInteraction, performDrop session: any DropInteractionSession)

  /// Tells the delegate that the drag is over. The default does nothing.
  ///
  /// As in UIKit, loads of the drop may still be running. Called only after ``dropInteraction(_:performDrop:)``: XDND
  /// does not tell a window that a drag has ended elsewhere.
  func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: any DropInteractionSession)
}

extension DropInteractionDelegate {
  /// Returns `true`.
  public func dropInteraction(_ interaction: DropInteraction, canHandle session: any DropInteractionSession) -> Bool {
    true
  }
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidEnter session: any DropInteractionSession) {}
  /// Returns the proposal that follows from the accepted types and operations.
  public func dropInteraction(
    _ interaction: DropInteraction, sessionDidUpdate session: any DropInteractionSession
  ) -> DropProposal { session.suggestedProposal }
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidExit session: any DropInteractionSession) {}
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, performDrop session: any DropInteractionSession) {}
  /// Does nothing.
  public func dropInteraction(_ interaction: DropInteraction, sessionDidEnd session: any DropInteractionSession) {}
}

extension DragAndDrop {
  /// Attaches a drop interaction to a part of a window, above the existing regions. The counterpart of
  /// `UIView.addInteraction(_:)`.
  ///
  /// - Parameters:
  ///   - interaction: Retained by the region.
  ///   - window: A top-level window of this connection.
  ///   - types: The types for which the delegate decides, best first; all by default.
  ///   - operations: The operations that a proposal may name, preferred ones first.
  ///   - frame: The region, in window-local device pixels; `nil` for the whole window.
  /// - Returns: The region, for further configuration and for `removeDropRegion(_:from:)`.
  @discardableResult
  public func add(
    _ interaction: DropInteraction, to window: WindowID, accepting types: [ContentType] = [.item],
    operations: [DragOperation] = [.copy, .move], frame: Rect? = nil
  ) -> DropRegion {
    onDrop(
      of: types, operations: operations, in: window, frame: frame,
      delegate: DropInteractionAdapter(interaction) as any DropDelegate)
  }
}

extension DropSession {
  /// `localDrag` under UIKit's name.
  public var localDragSession: DragSession? { localDrag }

  /// Whether the source permits a move. The counterpart of `UIDropSession.allowsMoveOperation`.
  public var allowsMoveOperation: Bool { operations.contains(.move) || requestedOperation == .move }

  /// Whether an item has one of these types. The counterpart of `UIDropSession.hasItemsConforming(toTypeIdentifiers:)`.
  ///
  /// - Parameter identifiers: See ``ItemProvider/hasItemConformingToTypeIdentifier(_:)``.
  public func hasItemsConforming(toTypeIdentifiers identifiers: [String]) -> Bool {
    hasItemsConforming(to: identifiers.map { ContentType(identifier: $0) })
  }

  /// Whether a value can be created from at least one item. The counterpart of
  /// `UIDropSession.canLoadObjects(ofClass:)`.
  public func canLoadObjects<Value: Transferable>(ofClass type: Value.Type) -> Bool { canLoad(type) }

  /// Loads a value from each item that has one, in order. The counterpart of
  /// `UIDropSession.loadObjects(ofClass:completion:)`.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - completion: Called once, in the isolation domain of the `DragAndDrop`, with the values, or with an empty array
  ///     if a load fails.
  /// - Returns: The load, to cancel it.
  @discardableResult
  public func loadObjects<Value: Transferable>(
    ofClass type: Value.Type, completion: @escaping ([Value]) -> Void
  ) -> LoadTask {
    load([Value].self) { result in completion((try? result.get()) ?? []) }
  }
}

extension DragOperation? {
  /// No operation: the drop is refused, or no drop took place. The counterpart of `UIDropOperation.forbidden`.
  public static var forbidden: DragOperation? { nil }

  /// The same as ``forbidden``: XDND does not distinguish a drop without effect from a refused one. The counterpart of
  /// `UIDropOperation.cancel`.
  public static var cancel: DragOperation? { nil }
}

private final class DropInteractionAdapter: DropDelegate {
  private let interaction: DropInteraction

  init(_ interaction: DropInteraction) { self.interaction = interaction }

  func validateDrop(_ drop: DropSession) -> Bool {
    interaction.delegate?.dropInteraction(interaction, canHandle: drop) ?? false
  }

  func dropEntered(_ drop: DropSession) { interaction.delegate?.dropInteraction(interaction, sessionDidEnter: drop) }

  func dropUpdated(_ drop: DropSession) -> DropProposal {
    interaction.delegate?.dropInteraction(interaction, sessionDidUpdate: drop) ?? .forbidden
  }

  func dropExited(_ drop: DropSession, _ reason: DropExit) {
    interaction.delegate?.dropInteraction(interaction, sessionDidExit: drop)
  }

  func performDrop(_ drop: DropSession) {
    // As in UIKit, the items of a drag within the program need not be loaded. Without a delegate, the session is released
    // without an answer, which rejects the drop.
    if interaction.delegate != nil, drop.localItems != nil { drop.operationWithoutLoad = drop.droppedOperation }
    interaction.delegate?.dropInteraction(interaction, performDrop: drop)
    interaction.delegate?.dropInteraction(interaction, sessionDidEnd: drop)
  }
}
