internal import XDnDLoadedLibraries

/// What assistive technology sees of a part of the window, as a value.
struct AccessibleNode: Equatable, Sendable {
  /// The part of the window that a node stands for. Requests name it.
  enum Part: Hashable, Sendable {
    case window
    /// The title, or the handle that replaces it.
    case heading
    case list
    case row(Int)
    case rowProgress(Int)
    case rowButton(Int)
    case placeholder
    case pane
    case preview
    case fact(Int)
    /// The footer.
    case message
    /// The bar.
    case question
    case button(Int)
  }

  enum Role: Sendable {
    case frame, heading, list, listItem, progressBar, button, checkBox, label, panel, image, statusBar, alert

    var atkRole: AtkRole {
      switch self {
      case .frame: ATK_ROLE_FRAME
      case .heading: ATK_ROLE_HEADING
      case .list: ATK_ROLE_LIST
      case .listItem: ATK_ROLE_LIST_ITEM
      case .progressBar: ATK_ROLE_PROGRESS_BAR
      case .button: ATK_ROLE_PUSH_BUTTON
      case .checkBox: ATK_ROLE_CHECK_BOX
      case .label: ATK_ROLE_LABEL
      case .panel: ATK_ROLE_PANEL
      case .image: ATK_ROLE_IMAGE
      case .statusBar: ATK_ROLE_STATUSBAR
      case .alert: ATK_ROLE_ALERT
      }
    }

    var interfaces: Int {
      switch self {
      case .frame: XDND_ACCESSIBLE_WINDOW
      case .list: XDND_ACCESSIBLE_SELECTION
      case .listItem, .button, .checkBox: XDND_ACCESSIBLE_ACTION
      case .progressBar: XDND_ACCESSIBLE_VALUE
      case .heading, .label, .panel, .image, .statusBar, .alert: 0
      }
    }
  }

  /// Bit N is the state of ATK with the value N.
  struct States: OptionSet, Sendable {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(_ state: AtkStateType) { rawValue = 1 << UInt64(state.rawValue) }

    static let active = States(ATK_STATE_ACTIVE)
    static let checked = States(ATK_STATE_CHECKED)
    static let enabled: States = [States(ATK_STATE_ENABLED), States(ATK_STATE_SENSITIVE)]
    static let focusable = States(ATK_STATE_FOCUSABLE)
    static let focused = States(ATK_STATE_FOCUSED)
    static let multiselectable = States(ATK_STATE_MULTISELECTABLE)
    static let selectable = States(ATK_STATE_SELECTABLE)
    static let selected = States(ATK_STATE_SELECTED)
    /// On the screen: the window is mapped, and the node is not scrolled away.
    static let showing = States(ATK_STATE_SHOWING)
    static let visible = States(ATK_STATE_VISIBLE)
    static let indeterminate = States(ATK_STATE_INDETERMINATE)
    /// Failed.
    static let invalid = States(ATK_STATE_INVALID_ENTRY)
    /// Activated by Return.
    static let isDefault = States(ATK_STATE_DEFAULT)
  }

  struct Action: Equatable, Sendable {
    var name: String
    /// The key that does the same; may be empty.
    var key = ""
  }

  var part: Part
  var role: Role
  var name: String
  var description = ""
  var states: States
  /// In device pixels, window-local.
  var box: PixelArea
  var action: Action?
  /// The progress, from 0 to 1.
  var value: Double?
  /// The message that is spoken when it appears or changes.
  var announcement: String?
  var children: [AccessibleNode] = []
}
