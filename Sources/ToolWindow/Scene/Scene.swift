/// The content of a ``ToolWindow`` as a value.
package struct Scene: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package enum State: Hashable, Sendable, CaseIterable {
      case plain
      /// Selected by the user; filled.
      case selected
      /// Being dragged; tinted.
      case highlighted
      /// Unavailable or finished.
      case dimmed
      /// Failed; marked in the error color.
      case error
    }

    /// The progress of the work that a row stands for.
    package enum Progress: Hashable, Sendable {
      /// The part that is done, from 0 to 1.
      case fraction(Double)
      /// The total is unknown.
      case indeterminate
    }

    /// The effect of the button at the end of a row.
    package enum Action: Hashable, Sendable {
      /// Gives up a transfer.
      case cancel
      /// Ends a command.
      case stop
    }

    package var primary: String
    /// The details, in a smaller font; may be empty.
    package var secondary: String
    package var state: State
    /// The progress bar; `nil` for none.
    package var progress: Progress?
    /// The button at the end of the row; `nil` for none.
    package var action: Action?
    /// The icon before the name. If any row has an icon, all names are indented alike.
    package var icon: Icon?
    /// Whether texts that are too long wrap, to at most three lines, and make the row higher. In compact rows with
    /// details, only the details wrap; they begin after the widest name.
    package var wraps: Bool

    package init(
      _ primary: String, secondary: String = "", state: State = .plain, progress: Progress? = nil,
      action: Action? = nil, icon: Icon? = nil, wraps: Bool = false
    ) {
      self.primary = primary
      self.secondary = secondary
      self.state = state
      self.progress = progress
      self.action = action
      self.icon = icon
      self.wraps = wraps
    }
  }

  /// The layout of a row.
  package enum Density: Hashable, Sendable {
    /// Details below the name.
    case comfortable
    /// Details at the end of the name's line.
    case compact
  }

  package enum DropHighlight: Hashable, Sendable, CaseIterable {
    /// No drag is over the window, or its drop would be refused, which the cursor shows.
    case none
    /// A drop would be accepted.
    case accepting
  }

  /// `highContrast` and `highContrastDark` have a contrast of at least 7:1, and an edge around filled areas.
  package enum Appearance: Hashable, Sendable, CaseIterable {
    case light, dark, highContrast, highContrastDark

    package var isHighContrast: Bool { self == .highContrast || self == .highContrastDark }
  }

  /// The heading above the list; none if empty.
  package var title: String
  /// Replaces the title.
  package var handle: Handle?
  package var rows: [Row]
  /// The row with the keyboard focus, drawn with a focus ring while typed keys go to the window.
  package var focusedRow: Int?
  /// The text below the list, in at most two lines; none if empty.
  package var footer: String
  /// The effects of keys, one phrase each, shown instead of an empty footer. A narrow window omits the last phrases.
  package var hints: [String] = []
  /// Whether the hints are hidden while typed keys go to another window. Their place stays free.
  package var hintsNeedKeyboard = true
  package var bar: Bar?
  /// The text in the middle of the list while it is empty.
  package var placeholder: String
  package var pane: Pane?
  package var density: Density
  package var dropHighlight: DropHighlight
  package var appearance: Appearance

  package init(
    title: String = "", rows: [Row] = [], footer: String = "", placeholder: String = "",
    density: Density = .comfortable, dropHighlight: DropHighlight = .none, appearance: Appearance = .light,
    bar: Bar? = nil
  ) {
    self.title = title
    self.rows = rows
    self.footer = footer
    self.placeholder = placeholder
    self.density = density
    self.dropHighlight = dropHighlight
    self.appearance = appearance
    self.bar = bar
  }
}

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
