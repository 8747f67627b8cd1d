/// What a drop does when no modifier key says otherwise.
///
/// The user's keys always win: Control copies, Shift moves, both link, Alt asks. A policy only chooses among what is
/// offered.
public struct OperationPolicy: Hashable, Sendable {
  /// Within one container, best first.
  public var sameContainer: [DragOperation]
  /// Between two containers of this program, best first.
  public var sameApplication: [DragOperation]
  /// To another program, best first.
  public var otherApplication: [DragOperation]

  /// A policy; where it names nothing that is offered, the first operation of the ``DragItem`` counts.
  public init(
    sameContainer: [DragOperation] = [], sameApplication: [DragOperation] = [], otherApplication: [DragOperation] = []
  ) {
    self.sameContainer = sameContainer
    self.sameApplication = sameApplication
    self.otherApplication = otherApplication
  }

  /// What the guidelines of the desktop platforms say: within a container things are moved, and copied to everywhere else,
  /// since that loses nothing.
  public static let standard = OperationPolicy(
    sameContainer: [.move], sameApplication: [.copy], otherApplication: [.copy])

  /// The first operation of the ``DragItem``, wherever it goes.
  public static let firstOffered = OperationPolicy()

  /// The default for `relation` among `offered`.
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
