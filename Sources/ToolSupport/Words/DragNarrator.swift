package import XDnDToolWindow
package import XDnD

/// Describes a drag's position and the effect of a drop there.
///
/// The caller reports each change, and calls ``rest()`` when the drag rests.
package struct DragNarration {
  private enum Place: Equatable {
    /// Where the drag began, or on the way to the first target.
    case origin
    case nowhere
    /// Over a window whose name is not known yet.
    case unnamed
    case named(String)
  }

  private var place = Place.origin
  private var operation: DragOperation?
  /// The last result of ``rest()`` that was not `nil`.
  private var said: String?

  /// - Parameter titles: The titles of the dragged items.
  package static func start(of titles: [String]) -> String {
    titles.count == 1 ? "Drag started: \(titles[0])" : "Drag started: \(Formatting.count(titles.count, "item"))"
  }

  package init() {}

  /// Records that the drag has moved over a window that accepts drops, or away from all such windows.
  package mutating func move(overTarget isTarget: Bool) { place = isTarget ? .unnamed : .nowhere }

  /// - Parameter name: The name by which the user knows the window; empty if it has no name.
  package mutating func nameTarget(_ name: String) {
    if place == .unnamed { place = .named(name) }
  }

  package var needsName: Bool { place == .unnamed }

  /// The name of the program under the drag; `nil` without a name.
  package var targetName: String? {
    if case .named(let name) = place, !name.isEmpty { Self.program(in: name).clipped(to: Self.nameLimit) } else { nil }
  }

  package mutating func propose(_ operation: DragOperation?) { self.operation = operation }

  /// Returns where the drag is and what a drop would do; `nil` if that was already the last message.
  package mutating func rest() -> String? {
    let outcome = operation.map { "would \(OperationWords.verb($0))" } ?? "would be refused"
    let words =
      switch place {
      case .origin, .nowhere: "Nothing here takes drops"
      case .unnamed, .named(""): "Over a window without a name: a drop \(outcome)"
      case .named(let name): "Over \(Formatting.quoted(name)): a drop \(outcome)"
      }
    defer { said = words }
    return words == said ? nil : words
  }

  /// Returns hints for the user's next step in the drag.
  ///
  /// - Parameters:
  ///   - operations: The offered operations.
  ///   - isByKeys: Whether keys move the drag, and no button is held.
  package func hints(offering operations: [DragOperation], isByKeys: Bool) -> [String] {
    let keys = isByKeys ? ["Tab next window"] : []
    switch (place, operation) {
    case (.origin, _) where !isByKeys: return ["Drag it to another window", OperationWords.cancelHint]
    case (.origin, _), (.nowhere, _):
      return (isByKeys ? keys + ["Arrow keys move"] : ["Nothing here takes drops"]) + [OperationWords.cancelHint]
    case (_, nil): return ["Not taken here"] + keys + [OperationWords.cancelHint]
    case (_, let operation?):
      let modifiers = OperationWords.modifierHints(besides: operation, among: operations)
      // A narrow window has no room for both the name and the keys.
      if isByKeys {
        return ["Return \(OperationWords.presentTense(operation))"] + keys + [OperationWords.cancelHint] + modifiers
      }
      var words = "Drop to \(operation == .ask ? "choose what to do" : OperationWords.verb(operation))"
      if operation != .ask, let targetName { words += " to \(Formatting.quoted(targetName))" }
      return [words] + OperationWords.hints(modifiers)
    }
  }

  /// Returns the program's name. By convention it follows the document's name in a title: `notes.txt – Text Editor`.
  private static func program(in title: String) -> String {
    [" – ", " — ", " - "].compactMap { title.ranges(of: $0).last.map { String(title[$0.upperBound...]) } }.min {
      $0.count < $1.count
    } ?? title
  }

  /// The limit leaves room for the keys.
  private static let nameLimit = LabelLimit(scalarCount: 20, keepsEnd: false)
}

/// Describes a drag in the terminal, and to assistive technology through the window.
package final class DragNarrator {
  /// Called when ``hints`` may have changed.
  package var onChange: () -> Void = {}

  private let window: ToolWindow
  private let driver: DragAndDrop
  private let loop: EventLoop
  private let reporter: Reporter
  /// `nil` while there is no drag, and after a drop.
  private var narration: DragNarration?
  /// The drag that began last. The content of an earlier drag may still be in transfer.
  private weak var drag: DragSession?
  private var target: WindowID?
  private var operations: [DragOperation] = []
  private var isByKeys = false
  /// The number of changes of target or operation. Only the last one is announced.
  private var changes = 0

  /// How long a drag rests before the tool announces its target, in seconds. Otherwise speech would lag behind a
  /// pointer that crosses several windows. The name of a window also takes round trips, and a new target usually
  /// answers within this time.
  private static let rest = 0.2

  package init(in window: ToolWindow, driver: DragAndDrop, loop: EventLoop, reporter: Reporter) {
    self.window = window
    self.driver = driver
    self.loop = loop
    self.reporter = reporter
  }

  /// The hints for the current stage of the drag; empty without a drag.
  package var hints: [String] {
    guard let narration else { return [] }
    // The button is up. The library writes promised files before it sends the drop.
    guard drag?.takesItems == true else { return ["Preparing the drop", OperationWords.cancelHint] }
    return narration.hints(offering: operations, isByKeys: isByKeys)
  }

  /// - Parameters:
  ///   - titles: The titles of the dragged items.
  ///   - isByKeys: Whether keys move the drag, and no button is held.
  package func began(_ drag: DragSession, _ titles: [String], isByKeys: Bool) {
    narration = DragNarration()
    self.drag = drag
    target = nil
    operations = drag.operations
    self.isByKeys = isByKeys
    window.announce(DragNarration.start(of: titles))
    onChange()
  }

  /// - Parameter target: The target's window; `nil` if there is none.
  package func moved(over target: WindowID?) {
    self.target = target
    narration?.move(overTarget: target != nil)
    wait()
  }

  package func proposed(_ operation: DragOperation?) {
    narration?.propose(operation)
    wait()
  }

  /// Announces the target of the drop, unless it has been announced.
  ///
  /// - Returns: The name of the target's program; `nil` without a name.
  @discardableResult
  package func dropped() -> String? {
    announceTarget()
    defer { narration = nil }
    return narration?.targetName
  }

  /// - Parameter words: The outcome; `nil` if the window's footer says it.
  package func ended(_ drag: DragSession, _ words: String? = nil) {
    if drag === self.drag { narration = nil }
    if let words { window.announce(words) }
  }

  private func wait() {
    changes += 1
    onChange()
    loop.after(Self.rest) { [weak self, changes] in
      if let self, changes == self.changes { announceTarget() }
    }
  }

  private func announceTarget() {
    if narration?.needsName == true, let target { narration?.nameTarget(name(of: target)) }
    guard let words = narration?.rest() else { return }
    window.announce(words)
    reporter.printForPeople("\(words).")
    onChange()
  }

  private func name(of target: WindowID) -> String {
    if target.rawValue == window.windowID { return window.title }
    return driver.display.map { WindowNames.name(of: target, on: $0) } ?? ""
  }
}
