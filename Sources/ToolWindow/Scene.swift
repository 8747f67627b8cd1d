/// What a ``ToolWindow`` shows, as data: compare, change, assign.
public struct Scene: Hashable, Sendable {
  /// One line of the list.
  public struct Row: Hashable, Sendable {
    /// How a row stands out.
    public enum State: Hashable, Sendable, CaseIterable {
      /// As the others.
      case plain
      /// Chosen by the user: filled.
      case selected
      /// Under the pointer or just changed: tinted.
      case highlighted
      /// Not available, or done with.
      case dimmed
      /// Something went wrong with it.
      case error
    }

    /// The name.
    public var primary: String
    /// Details, smaller; may be empty.
    public var secondary: String
    /// How it stands out.
    public var state: State
    /// How much of it is done, from 0 to 1; `nil` for no bar.
    public var progress: Double?
    /// What stands before the name. If one row has an icon, the names of the others stand below its name all the same.
    public var icon: Icon?

    /// A row.
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

  /// How much room a row takes.
  public enum Density: Hashable, Sendable {
    /// Details stand below the name.
    case comfortable
    /// Details stand at the end of the name's line.
    case compact
  }

  /// What the window says about a drop on it.
  public enum Frame: Hashable, Sendable, CaseIterable {
    /// Nothing is over it.
    case none
    /// A drop would be taken: a solid line.
    case accepting
    /// A drop would be refused: a dashed line, so that it does not depend on telling red from green.
    case refusing
  }

  /// Bright or dark colors.
  public enum Appearance: Hashable, Sendable, CaseIterable {
    /// Dark text on bright ground.
    case light
    /// Bright text on dark ground.
    case dark
  }

  /// A heading above the list; none if empty.
  public var title: String
  /// A heading to drag, in the place of the title; usually there is none.
  public var handle: Handle?
  /// The list.
  public var rows: [Row]
  /// The row that keys act on, with a ring around it; usually there is none.
  public var focusedRow: Int?
  /// A line below the list; none if empty.
  public var footer: String
  /// A question with buttons at the bottom; usually there is none.
  public var bar: Bar?
  /// What stands in the middle while there are no rows.
  public var placeholder: String
  /// What something is, beside the list or below it; usually there is nothing.
  public var preview: Preview?
  /// A line to type in and to drop on, below the list; usually there is none.
  public var field: TextField?
  /// A strip at the upper end to choose among views; usually there is none.
  public var tabs: Tabs?
  /// What ``frame`` is drawn around.
  public var framedPart = Part.window
  /// How the rows are laid out.
  public var density: Density
  /// The drop highlight.
  public var frame: Frame
  /// The colors.
  public var appearance: Appearance

  /// A scene.
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
