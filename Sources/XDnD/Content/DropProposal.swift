/// A target's answer to one position of a drag: on the wire, `XdndStatus`.
public struct DropProposal: Hashable, Sendable {
  /// What a drop here would do; `nil` when it would not be taken.
  public var operation: DragOperation?

  /// Root coordinates within which the answer stays the same, so that the source may keep silent there.
  ///
  /// Empty by default: each position is asked about, which is what insertion points and auto-scroll need.
  public var quietRegion: Rect

  /// A drop here would do `operation`.
  public static func accept(
    _ operation: DragOperation, quietIn region: Rect = Rect(x: 0, y: 0, width: 0, height: 0)
  ) -> DropProposal {
    DropProposal(operation: operation, quietRegion: region)
  }

  /// A drop here would not be taken.
  public static let forbidden = DropProposal(operation: nil, quietRegion: Rect(x: 0, y: 0, width: 0, height: 0))
}
