/// The content of a ``ToolWindow`` as a value.
public struct Scene: Hashable, Sendable {
  /// A row of the list.
  public struct Row: Hashable, Sendable {
    /// The highlight of a row.
    public enum State: Hashable, Sendable, CaseIterable {
      /// No highlight.
      case plain
      /// Selected by the user; filled.
      case selected
      /// Under the pointer or just changed; tinted.
      case highlighted
      /// Unavailable or finished.
      case dimmed
      /// Failed; marked in the error color.
      case error
    }

    /// The name.
    public var primary: String
    /// The details, in a smaller font; may be empty.
    public var secondary: String
    /// The highlight.
    public var state: State
    /// Progress from 0 to 1; `nil` for no progress bar.
    public var progress: Double?
    /// The icon before the name. If any row has an icon, all names are indented alike.
    public var icon: Icon?

    /// Creates a row.
    public init(
      _ primary: String, secondary: String = "", state: State = .plain, progress: Double? = nil, icon: Icon? = nil
    ) {
      self.primary = primary
      self.secondary = secondary
      self.state = state
      self.progress = progress
      self.icon = icon
    }
  }

  /// The layout of a row.
  public enum Density: Hashable, Sendable {
    /// Details below the name.
    case comfortable
    /// Details at the end of the name's line.
    case compact
  }

  /// The drop highlight.
  public enum Frame: Hashable, Sendable, CaseIterable {
    /// No drag is over the window.
    case none
    /// A drop would be accepted: a solid line.
    case accepting
    /// A drop would be refused: a dashed line, so that the difference does not depend on color vision.
    case refusing
  }

  /// A part of the window that can accept drops of its own.
  public enum Part: Hashable, Sendable {
    /// The whole window.
    case window
    /// The list and the space left for it.
    case list
    /// The tab with this index.
    case tab(Int)
    /// The text field.
    case field
    /// The preview pane.
    case preview
  }

  /// The color scheme.
  public enum Appearance: Hashable, Sendable, CaseIterable {
    /// Dark text on a light background.
    case light
    /// Light text on a dark background.
    case dark
  }

  /// The heading above the list; none if empty.
  public var title: String
  /// A draggable heading that replaces the title, if there is one.
  public var handle: Handle?
  /// The rows of the list, from the top.
  public var rows: [Row]
  /// The row with the keyboard focus, drawn with a focus ring, if there is one.
  public var focusedRow: Int?
  /// The line below the list; none if empty.
  public var footer: String
  /// A question with buttons at the bottom of the window, if there is one.
  public var bar: Bar?
  /// The text in the middle of the list while it is empty.
  public var placeholder: String
  /// A preview beside or below the list, if there is one.
  public var preview: Preview?
  /// A text field below the list, if there is one.
  public var field: TextField?
  /// The tabs at the top of the window, if there are any.
  public var tabs: Tabs?
  /// The part of the window that ``frame`` is drawn around.
  public var framedPart = Part.window
  /// The layout of the rows.
  public var density: Density
  /// The drop highlight.
  public var frame: Frame
  /// The color scheme.
  public var appearance: Appearance

  /// Creates a scene.
  public init(
    title: String = "", rows: [Row] = [], footer: String = "", placeholder: String = "",
    density: Density = .comfortable, frame: Frame = .none, appearance: Appearance = .light, bar: Bar? = nil
  ) {
    self.title = title
    self.rows = rows
    self.footer = footer
    self.placeholder = placeholder
    self.density = density
    self.frame = frame
    self.appearance = appearance
    self.bar = bar
  }
}
