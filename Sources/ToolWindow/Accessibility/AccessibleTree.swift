internal import XDnDLoadedLibraries

/// A part of the window as assistive technology sees it.
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

  struct Role: Equatable, Sendable {
    /// The value of the role in ATK.
    let value: AtkRole.RawValue
    /// The interfaces of its objects, besides `AtkComponent`.
    let interfaces: UInt32

    private init(_ role: AtkRole, _ interfaces: Int = 0) {
      value = role.rawValue
      self.interfaces = UInt32(interfaces)
    }

    static let frame = Role(ATK_ROLE_FRAME, XDND_ACCESSIBLE_WINDOW)
    static let heading = Role(ATK_ROLE_HEADING)
    static let list = Role(ATK_ROLE_LIST, XDND_ACCESSIBLE_SELECTION)
    static let listItem = Role(ATK_ROLE_LIST_ITEM, XDND_ACCESSIBLE_ACTION)
    static let progressBar = Role(ATK_ROLE_PROGRESS_BAR, XDND_ACCESSIBLE_VALUE)
    static let button = Role(ATK_ROLE_PUSH_BUTTON, XDND_ACCESSIBLE_ACTION)
    static let checkBox = Role(ATK_ROLE_CHECK_BOX, XDND_ACCESSIBLE_ACTION)
    static let label = Role(ATK_ROLE_LABEL)
    static let panel = Role(ATK_ROLE_PANEL)
    static let image = Role(ATK_ROLE_IMAGE)
    static let statusBar = Role(ATK_ROLE_STATUSBAR)
    static let alert = Role(ATK_ROLE_ALERT)
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
    /// The key that performs the action; may be empty.
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

/// The nodes of a window. Matches new nodes with the old ones, and computes the changes.
///
/// An ATK object lives as long as its node. A row has no identity in a scene, so rows are matched by their names: equal
/// rows at the start and the end of both lists stay, and the rows between are matched in order.
struct AccessibleTree {
  typealias ID = Int

  private final class Entry {
    let id: ID
    /// Without its children.
    var node: AccessibleNode
    var children: [Entry] = []

    init(id: ID, node: AccessibleNode) {
      self.id = id
      self.node = node
    }
  }

  private var root: Entry?
  private var lastID = 0
  private var parts: [ID: AccessibleNode.Part] = [:]

  /// Returns the part that an object stands for now; `nil` if the part no longer exists.
  func part(of id: ID) -> AccessibleNode.Part? { parts[id] }

  /// Updates the tree to the window's current content.
  ///
  /// - Returns: The changes, in an order in which they can be applied: parents are added before their children, and
  ///   each index is valid after the changes before it. A new focus and announcements come last.
  mutating func update(to node: AccessibleNode) -> [AccessibleChange] {
    var changes: [AccessibleChange] = []
    var last: [AccessibleChange] = []
    if let root {
      update(root, to: node, &changes, &last)
    } else {
      root = add(node, to: nil, at: 0, &changes)
    }
    return changes + last
  }

  private mutating func add(
    _ node: AccessibleNode, to parent: ID?, at index: Int, _ changes: inout [AccessibleChange]
  ) -> Entry {
    lastID += 1
    var bare = node
    bare.children = []
    let entry = Entry(id: lastID, node: bare)
    parts[entry.id] = node.part
    changes.append(.added(entry.id, parent: parent, index: index, bare))
    entry.children = node.children.enumerated().map { add($1, to: entry.id, at: $0, &changes) }
    return entry
  }

  private mutating func forget(_ entry: Entry) {
    parts[entry.id] = nil
    for child in entry.children { forget(child) }
  }

  private mutating func update(
    _ entry: Entry, to node: AccessibleNode, _ changes: inout [AccessibleChange],
    _ last: inout [AccessibleChange]
  ) {
    let old = entry.node
    entry.node = node
    entry.node.children = []
    parts[entry.id] = node.part
    let hasNewSelection = update(childrenOf: entry, to: node.children, &changes, &last)
    if node.name != old.name { changes.append(.renamed(entry.id, node.name)) }
    if node.description != old.description { changes.append(.described(entry.id, node.description)) }
    if node.box != old.box { changes.append(.moved(entry.id, node.box)) }
    if node.action != old.action { changes.append(.action(entry.id, node.action)) }
    if let value = node.value, value != old.value { changes.append(.value(entry.id, value)) }
    if node.states != old.states {
      let isFocused = node.states.contains(.focused) && !old.states.contains(.focused)
      let change = AccessibleChange.states(entry.id, node.states)
      if isFocused { last.append(change) } else { changes.append(change) }
    }
    if hasNewSelection { changes.append(.selection(entry.id)) }
    if node.part == .window, node.states.contains(.active) != old.states.contains(.active) {
      changes.append(.activation(entry.id, node.states.contains(.active)))
    }
    if let announcement = node.announcement, announcement != old.announcement {
      last.append(.announcement(announcement))
    }
  }

  /// - Returns: Whether the selected children have changed.
  private mutating func update(
    childrenOf parent: Entry, to nodes: [AccessibleNode], _ changes: inout [AccessibleChange],
    _ last: inout [AccessibleChange]
  ) -> Bool {
    let matches = parent.node.part == .list ? rows(parent.children, nodes) : parts(parent.children, nodes)
    let old = parent.children
    let selectedBefore = old.filter { $0.node.states.contains(.selected) }.map(\.id)
    let kept = Set(matches.compactMap(\.self))
    // From the last one, so that the indices of the others stay valid.
    for index in old.indices.reversed() where !kept.contains(index) {
      forget(old[index])
      changes.append(.removed(old[index].id))
    }
    parent.children = []
    for (node, match) in zip(nodes, matches) {
      if let match {
        update(old[match], to: node, &changes, &last)
        parent.children.append(old[match])
      } else {
        parent.children.append(add(node, to: parent.id, at: parent.children.count, &changes))
        if let announcement = node.announcement { last.append(.announcement(announcement)) }
      }
    }
    return parent.children.filter { $0.node.states.contains(.selected) }.map(\.id) != selectedBefore
  }

  /// Returns for each new row the index of the matching old one; `nil` if there is none.
  private func rows(_ old: [Entry], _ new: [AccessibleNode]) -> [Int?] {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start].node.name == new[start].name { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end].node.name == new[new.count - 1 - end].name { end += 1 }
    let middle = shorter - start - end
    return new.indices.map { index in
      if index < start + middle { return index }
      return index >= new.count - end ? index - new.count + old.count : nil
    }
  }

  private func parts(_ old: [Entry], _ new: [AccessibleNode]) -> [Int?] {
    new.map { node in old.firstIndex { $0.node.part == node.part && $0.node.role == node.role } }
  }
}

/// A change to the nodes that assistive technology sees.
enum AccessibleChange: Equatable, Sendable {
  /// - Parameters:
  ///   - parent: `nil` for the window.
  ///   - index: The place among the children of the parent.
  case added(AccessibleTree.ID, parent: AccessibleTree.ID?, index: Int, AccessibleNode)
  /// With all descendants.
  case removed(AccessibleTree.ID)
  case renamed(AccessibleTree.ID, String)
  case described(AccessibleTree.ID, String)
  case states(AccessibleTree.ID, AccessibleNode.States)
  case moved(AccessibleTree.ID, PixelArea)
  case action(AccessibleTree.ID, AccessibleNode.Action?)
  case value(AccessibleTree.ID, Double)
  /// The selected children have changed.
  case selection(AccessibleTree.ID)
  /// The window has gained or lost the keyboard focus.
  case activation(AccessibleTree.ID, Bool)
  case announcement(String)
}
