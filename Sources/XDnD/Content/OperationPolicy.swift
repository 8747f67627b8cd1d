/// The operation of a drop without modifier keys, depending on the drop location.
///
/// Modifier keys override the policy: Control copies, Shift moves, both link, Alt asks. A policy chooses only among the
/// offered operations.
public struct OperationPolicy: Hashable, Sendable {
  /// The operations within one container, best first.
  public var sameContainer: [DragOperation]
  /// The operations between two containers of this program, best first.
  public var sameApplication: [DragOperation]
  /// The operations between this program and another, best first.
  public var otherApplication: [DragOperation]

  /// Creates a policy. Where it names no offered operation, the first operation of the ``DragItem`` is the default.
  public init(
    sameContainer: [DragOperation] = [], sameApplication: [DragOperation] = [], otherApplication: [DragOperation] = []
  ) {
    self.sameContainer = sameContainer
    self.sameApplication = sameApplication
    self.otherApplication = otherApplication
  }

  /// Moves within a container and copies everywhere else, because a copy loses nothing. The guidelines of desktop
  /// platforms recommend this.
  public static let standard = OperationPolicy(
    sameContainer: [.move], sameApplication: [.copy], otherApplication: [.copy])

  /// Always the first operation of the ``DragItem``.
  public static let firstOffered = OperationPolicy()

  /// Returns the default operation for `relation` among `offered`; `nil` only if `offered` is empty.
  func preferred(for relation: DragRelation, from offered: [DragOperation]) -> DragOperation? {
    let wishes =
      switch relation {
      case .sameContainer: sameContainer
      case .sameApplication: sameApplication
      case .otherApplication: otherApplication
      }
    return wishes.first(where: offered.contains) ?? offered.first
  }
}
