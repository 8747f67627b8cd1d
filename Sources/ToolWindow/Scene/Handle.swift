extension Scene {
  /// A draggable heading that stands for all rows and replaces the title.
  package struct Handle: Hashable, Sendable {
    package var label: String
    /// The number of items, shown in a pill after the label; none if empty.
    package var badge: String
    /// Details at the right end, in a smaller font; may be empty.
    package var details: String
    /// Whether the handle is being dragged.
    package var isHighlighted = false

    package init(_ label: String, badge: String = "", details: String = "") {
      self.label = label
      self.badge = badge
      self.details = details
    }
  }
}
