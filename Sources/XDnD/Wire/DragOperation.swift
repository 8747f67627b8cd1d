/// What a drop does with the content: one of the `XdndAction…` atoms of XDND.
///
/// An open set. An unknown operation from a peer is kept unchanged, and never mapped to a known one. The counterpart of
/// AppKit's `NSDragOperation` and UIKit's `UIDropOperation`.
public struct DragOperation: Hashable, Sendable, CustomStringConvertible {
  /// The name of its atom, such as `XdndActionCopy`.
  package let name: AtomName

  /// Creates an operation from the name of its atom. Private operations should be named after their vendor.
  package init(name: AtomName) {
    self.name = name
  }

  /// The target gets a copy of the content. The wire name is `XdndActionCopy`.
  public static let copy = DragOperation(name: AtomName("XdndActionCopy"))
  /// The target takes the content, and the source gives it up. The wire name is `XdndActionMove`.
  public static let move = DragOperation(name: AtomName("XdndActionMove"))
  /// The target refers to the source's content. The wire name is `XdndActionLink`.
  public static let link = DragOperation(name: AtomName("XdndActionLink"))
  /// The target asks the user which of the offered operations to perform. The wire name is `XdndActionAsk`.
  public static let ask = DragOperation(name: AtomName("XdndActionAsk"))
  /// The target does something that concerns only itself; the source does nothing. The wire name is
  /// `XdndActionPrivate`.
  ///
  /// Emacs answers every offer with it.
  public static let `private` = DragOperation(name: AtomName("XdndActionPrivate"))

  /// Whether the operation is one of the five that XDND defines.
  ///
  /// tkdnd fills `XdndActionList` with atoms named `copy` and `move`, which are not standard.
  var isStandard: Bool {
    switch self {
    case .copy, .move, .link, .ask, .private: true
    default: false
    }
  }

  /// A short word for display: `copy`, `move`, `link`, `ask`, `private`, or the full atom name of any other operation.
  public var description: String {
    let prefix = "XdndAction"
    guard isStandard else { return name.rawValue }
    return String(name.rawValue.dropFirst(prefix.count)).lowercased()
  }
}
