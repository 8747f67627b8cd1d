/// What a drop does with the content: on the wire, one of the `XdndAction…` atoms.
///
/// An open set. An unknown name from a peer is kept as it is and never taken for one of the known ones.
public struct DragOperation: Hashable, Sendable, CustomStringConvertible {
  /// The name of the atom.
  public let name: AtomName

  /// An operation by the name of its atom; private operations should be named after their vendor.
  public init(name: AtomName) {
    self.name = name
  }

  /// The destination gets its own copy. The wire name is `XdndActionCopy`.
  public static let copy = DragOperation(name: AtomName("XdndActionCopy"))
  /// The destination takes the content and the source gives it up. The wire name is `XdndActionMove`.
  public static let move = DragOperation(name: AtomName("XdndActionMove"))
  /// The destination refers to the source's content. The wire name is `XdndActionLink`.
  public static let link = DragOperation(name: AtomName("XdndActionLink"))
  /// The destination asks the user which of the offered operations to do. The wire name is `XdndActionAsk`.
  public static let ask = DragOperation(name: AtomName("XdndActionAsk"))
  /// The destination does something of its own; the source needs to do nothing. The wire name is `XdndActionPrivate`.
  ///
  /// Emacs answers every offer with it.
  public static let `private` = DragOperation(name: AtomName("XdndActionPrivate"))

  /// Whether the name is one of the five that the protocol defines.
  ///
  /// tkdnd fills `XdndActionList` with atoms named `copy` and `move`: those are not.
  var isStandard: Bool {
    switch self {
    case .copy, .move, .link, .ask, .private: true
    default: false
    }
  }

  /// A short word for people: `copy`, `move`, `link`, `ask`, `private`, or the whole name of an unknown one.
  public var description: String {
    let prefix = "XdndAction"
    guard isStandard else { return name.rawValue }
    return String(name.rawValue.dropFirst(prefix.count)).lowercased()
  }
}
