extension Scene {
  /// A heading that stands for the whole list and is there to be dragged, instead of a title.
  public struct Handle: Hashable, Sendable {
    /// What it says.
    public var label: String
    /// How many things there are, in a pill behind it; none if empty.
    public var badge: String
    /// At its other end, smaller; may be empty.
    public var details: String
    /// Whether it is being dragged.
    public var isHighlighted = false

    /// A heading.
    public init(_ label: String, badge: String = "", details: String = "") {
      self.label = label
      self.badge = badge
      self.details = details
    }
  }
}

extension SceneLayout {
  static let handleHeight = 40.0
}

/// What the pointer is over or has taken hold of, besides buttons and the field.
struct HoverState: Equatable {
  enum Place: Equatable {
    case row(Int)
    case handle
    case scrollbar
  }

  /// What is under the pointer.
  var place: Place?
  /// How far below the upper end of the scroll bar's thumb the pointer holds it, in logical pixels; `nil` if it does not.
  var grip: Double?
}
