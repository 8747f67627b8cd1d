public import XDnD

/// Begins drags from a part of a window, and asks a delegate for the items. The counterpart of `UIDragInteraction`.
///
/// `XDnD.DragInteraction` does the same without UIKit's names.
public final class DragSourceInteraction {
  /// The delegate. Not retained.
  public private(set) weak var delegate: (any DragSourceDelegate)?

  /// Creates an interaction for ``XDnD/DragAndDrop/add(_:to:frame:)``.
  ///
  /// - Parameter delegate: Not retained. Once it is deallocated, no drag begins.
  public init(delegate: any DragSourceDelegate) {
    self.delegate = delegate
  }
}

@available(*, unavailable)
extension DragSourceInteraction: Sendable {}

/// A protocol for ``DragSourceSession``, because UIKit's sessions are protocols.
public protocol DragInteractionSession: DragSourceSession {}

extension DragSourceSession: DragInteractionSession {}

/// A protocol for ``DragLiftAnimator``, because UIKit's animators are protocols.
public protocol DragInteractionAnimating: DragLiftAnimator {}

extension DragLiftAnimator: DragInteractionAnimating {}

/// Decides what a ``DragSourceInteraction`` drags, and follows its drags. The counterpart of `UIDragInteractionDelegate`,
/// with the same method names. `XDnD.DragInteractionDelegate` reports more.
///
/// When a press has become a drag, all methods but the last are called, in the order below. There is no lift before
/// that.
public protocol DragSourceDelegate: AnyObject {
  /// Returns the items to drag; an empty array if there is nothing to drag at that place. No drag begins then.
  func dragInteraction(
    _ interaction: DragSourceInteraction, itemsForBeginning session: any DragInteractionSession
  ) -> [DragItem]

  /// Returns whether a target may move the items. The default returns `true` as in UIKit, except for lists of files.
  ///
  /// In UIKit a move stays in the program. Here every target may move, and a file manager moves the originals of a list of
  /// files.
  func dragInteraction(
    _ interaction: DragSourceInteraction, sessionAllowsMoveOperation session: any DragInteractionSession
  ) -> Bool

  /// Returns the drag image of an item; `nil` for the item's own preview, or else a drawn one. The default returns `nil`.
  func dragInteraction(
    _ interaction: DragSourceInteraction, previewForLifting item: DragItem, session: any DragInteractionSession
  ) -> DragImage?

  /// Tells the delegate that the items are lifted. The default does nothing.
  func dragInteraction(
    _ interaction: DragSourceInteraction, willAnimateLiftWith animator: any DragInteractionAnimating,
    session: any DragInteractionSession)

  /// Tells the delegate that the drag begins. The default does nothing.
  func dragInteraction(_ interaction: DragSourceInteraction, sessionWillBegin session: any DragInteractionSession)

  /// Tells the delegate that the drag is over. The default does nothing.
  ///
  /// Also called for a drag that could not begin after ``dragInteraction(_:sessionWillBegin:)``, because another program has
  /// grabbed the pointer.
  ///
  /// - Parameters:
  ///   - interaction: The interaction.
  ///   - session: The drag. ``DragSourceSession/drag`` has its outcome.
  ///   - operation: The operation of the drop; `nil`, the same as `.cancel` and `.forbidden`, if there was none or it
  ///     failed.
  func dragInteraction(
    _ interaction: DragSourceInteraction, session: any DragInteractionSession, didEndWith operation: DragOperation?)
}

extension DragSourceDelegate {
  /// Returns `true`, except for lists of files.
  public func dragInteraction(
    _ interaction: DragSourceInteraction, sessionAllowsMoveOperation session: any DragInteractionSession
  ) -> Bool { !session.items.contains { $0.types.contains(.uriList) } }
  /// Returns `nil`.
  public func dragInteraction(
    _ interaction: DragSourceInteraction, previewForLifting item: DragItem, session: any DragInteractionSession
  ) -> DragImage? { nil }
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragSourceInteraction, willAnimateLiftWith animator: any DragInteractionAnimating,
    session: any DragInteractionSession
  ) {}
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragSourceInteraction, sessionWillBegin session: any DragInteractionSession
  ) {}
  /// Does nothing.
  public func dragInteraction(
    _ interaction: DragSourceInteraction, session: any DragInteractionSession, didEndWith operation: DragOperation?
  ) {}
}

/// A press that becomes a drag, and then the drag. Like its counterpart `UIDragSession`, it exists before its items.
public final class DragSourceSession {
  /// The dragged items; empty until the delegate has returned them.
  public fileprivate(set) var items: [DragItem] = []
  /// The drag; `nil` before ``DragSourceDelegate/dragInteraction(_:sessionWillBegin:)``.
  public fileprivate(set) var drag: DragSession?

  private let press: DragPress
  private let window: WindowID

  fileprivate init(_ press: DragPress, in window: WindowID) {
    self.press = press
    self.window = window
  }

  /// Returns the position of the press, in device pixels.
  ///
  /// - Parameter window: The window of the interaction. For another window, the position is in root coordinates.
  public func location(in window: WindowID) -> Point { window == self.window ? press.location : press.rootLocation }

  /// Whether a target may move the items.
  public var allowsMoveOperation: Bool { items.allSatisfy { $0.operations.contains(.move) } }

  /// Whether an item has one of these types. See ``ItemProvider/hasItemConformingToTypeIdentifier(_:)``.
  public func hasItemsConforming(toTypeIdentifiers identifiers: [String]) -> Bool {
    items.contains { item in identifiers.contains(where: item.itemProvider.hasItemConformingToTypeIdentifier) }
  }
}

@available(*, unavailable)
extension DragSourceSession: Sendable {}

/// The counterpart of `UIDragAnimating`. The library animates only the drag image and nothing in the window, so changes
/// are made at once.
public final class DragLiftAnimator {
  /// The position at which an animation has ended. The counterpart of `UIViewAnimatingPosition`.
  public enum Position: Hashable, Sendable {
    /// The items are lifted. A press that does not become a drag lifts nothing, so there is no other position.
    case end
  }

  private var completions: [(Position) -> Void] = []

  /// Calls a closure immediately, to change the display of the window.
  public func addAnimations(_ animations: () -> Void) { animations() }

  /// Adds a closure that is called before the drag begins.
  public func addCompletion(_ completion: @escaping (Position) -> Void) { completions.append(completion) }

  fileprivate func complete() { for completion in completions { completion(.end) } }
}

extension DragAndDrop {
  /// Attaches a drag interaction to a part of a window. The counterpart of `UIView.addInteraction(_:)`.
  ///
  /// - Parameters:
  ///   - interaction: Retained until the window is destroyed, or until `remove(_:)` of the returned interaction.
  ///   - window: A window of this connection. Select the host's events before this call.
  ///   - frame: The part of the window, in window-local device pixels; `nil` for the whole window.
  /// - Returns: The library's interaction, to set its trigger and for `remove(_:)`.
  @discardableResult
  public func add(_ interaction: DragSourceInteraction, to window: WindowID, frame: Rect? = nil) -> DragInteraction {
    let recognizer = DragInteraction(self, retaining: DragSourceAdapter(interaction, in: window))
    add(recognizer, to: window, frame: frame)
    return recognizer
  }

  /// Makes a part of a window draggable. The counterpart of SwiftUI's `onDrag(_:)`.
  ///
  /// - Parameters:
  ///   - operations: The permitted operations, best first.
  ///   - window: A window of this connection. Select the host's events before this call.
  ///   - frame: The part of the window, in window-local device pixels; `nil` for the whole window.
  ///   - data: Returns the item. Called when a press has become a drag. No drag begins with a provider without
  ///     representations.
  /// - Returns: The interaction, for `remove(_:)`. The closure is retained with it.
  @discardableResult
  public func onDrag(
    operations: [DragOperation] = [.copy], in window: WindowID, frame: Rect? = nil,
    _ data: @escaping () -> ItemProvider
  ) -> DragInteraction {
    onDrag(in: window, frame: frame) { _ in
      var item = DragItem(itemProvider: data())
      item.operations = operations
      return item.types.isEmpty && item.filePromises.isEmpty ? [] : [item]
    }
  }
}

private final class DragSourceAdapter: DragInteractionDelegate {
  private let interaction: DragSourceInteraction
  private let window: WindowID
  /// The drags that are not over. The last one may not have begun yet.
  private var sessions: [DragSourceSession] = []

  init(_ interaction: DragSourceInteraction, in window: WindowID) {
    self.interaction = interaction
    self.window = window
  }

  func dragInteraction(_: DragInteraction, itemsForBeginningAt press: DragPress) -> [DragItem] {
    guard let delegate = interaction.delegate else { return [] }
    let session = DragSourceSession(press, in: window)
    session.items = delegate.dragInteraction(interaction, itemsForBeginning: session)
    guard !session.items.isEmpty else { return [] }
    let allowsMove = delegate.dragInteraction(interaction, sessionAllowsMoveOperation: session)
    for index in session.items.indices {
      session.items[index].permitMove(allowsMove)
      let preview = delegate.dragInteraction(interaction, previewForLifting: session.items[index], session: session)
      if let preview { session.items[index].preview = preview }
    }
    let animator = DragLiftAnimator()
    delegate.dragInteraction(interaction, willAnimateLiftWith: animator, session: session)
    animator.complete()
    sessions.append(session)
    return session.items
  }

  func dragInteraction(_: DragInteraction, began drag: DragSession) {
    guard let session = sessions.last else { return }
    session.drag = drag
    interaction.delegate?.dragInteraction(interaction, sessionWillBegin: session)
  }

  func drag(_ drag: DragSession, ended outcome: DragOutcome) {
    guard let index = sessions.firstIndex(where: { $0.drag === drag }) else { return }
    let session = sessions.remove(at: index)
    interaction.delegate?.dragInteraction(interaction, session: session, didEndWith: outcome.operation)
  }
}

extension DragItem {
  fileprivate mutating func permitMove(_ isPermitted: Bool) {
    if !isPermitted {
      operations.removeAll { $0 == .move }
    } else if !operations.contains(.move) {
      operations.append(.move)
    }
  }
}

extension DragOutcome {
  fileprivate var operation: DragOperation? {
    switch self {
    case .dropped(let operation), .unconfirmed(let operation): operation
    default: nil
    }
  }
}
