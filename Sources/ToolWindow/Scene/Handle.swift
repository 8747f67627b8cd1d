extension Scene {
  /// A draggable heading that stands for all rows and replaces the title.
  public struct Handle: Hashable, Sendable {
    /// The text.
    public var label: String
    /// The number of items, shown in a pill after the label; none if empty.
    public var badge: String
    /// Details at the right end, in a smaller font; may be empty.
    public var details: String
    /// Whether the handle is being dragged.
    public var isHighlighted = false

    /// Creates a handle.
    public init(_ label: String, badge: String = "", details: String = "") {
      self.label = label
      self.badge = badge
      self.details = details
    }
  }
}
