/// The nodes of a window over time: which of the new ones are the old ones, and what has changed.
///
/// An object of assistive technology lives as long as its node. A row has no identity in a scene, so rows are matched by
/// their names: what is the same at the start and the end of both lists stays, and what lies between is matched in order.
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

  /// The part that an object stands for now; `nil` if it is gone.
  func part(of id: ID) -> AccessibleNode.Part? { parts[id] }

  /// Takes in what the window shows now.
  ///
  /// - Returns: The changes, in an order in which they can be applied: parents are added before their children, and each
  ///   index is valid after the changes before it. Announcements come last.
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

  /// - Returns: Whether other children are selected than before.
  private mutating func update(
    childrenOf parent: Entry, to nodes: [AccessibleNode], _ changes: inout [AccessibleChange],
    _ last: inout [AccessibleChange]
  ) -> Bool {
    let matches = parent.node.part == .list ? rows(parent.children, nodes) : parts(parent.children, nodes)
    let old = parent.children
    let selectedBefore = old.filter { $0.node.states.contains(.selected) }.map(\.id)
    let kept = Set(matches.compactMap(\.self))
    // From the last on, so that the indices of the others stay valid.
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

  /// Returns for each row the index of the old one that it is; `nil` for a new one.
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

/// A change of what assistive technology sees.
enum AccessibleChange: Equatable, Sendable {
  /// - Parameters:
  ///   - parent: `nil` for the window.
  ///   - index: The place among the children of the parent.
  case added(AccessibleTree.ID, parent: AccessibleTree.ID?, index: Int, AccessibleNode)
  /// With all below it.
  case removed(AccessibleTree.ID)
  case renamed(AccessibleTree.ID, String)
  case described(AccessibleTree.ID, String)
  case states(AccessibleTree.ID, AccessibleNode.States)
  case moved(AccessibleTree.ID, PixelArea)
  case action(AccessibleTree.ID, AccessibleNode.Action?)
  case value(AccessibleTree.ID, Double)
  /// Other children are selected.
  case selection(AccessibleTree.ID)
  /// The window has got or lost the keyboard.
  case activation(AccessibleTree.ID, Bool)
  case announcement(String)
}
