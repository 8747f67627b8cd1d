import XDnDFiles
package import XDnDToolWindow
package import XDnD

/// A drag of the tool in words, for users who do not see it: `Drag started: 3 items`, `Over Text Editor, would copy`.
///
/// A value: the caller tells what happens, and when the drag has come to rest.
package struct DragNarration {
  private var target: String?
  private var operation: DragOperation?
  /// The last message about where the drag is.
  private var said: String?

  /// - Parameter titles: Those of the dragged items.
  package static func start(of titles: [String]) -> String {
    titles.count == 1 ? "Drag started: \(titles[0])" : "Drag started: \(Formatting.count(titles.count, "item"))"
  }

  package init() {}

  /// - Parameter name: What the user knows the target by; `nil` over none.
  package mutating func move(over name: String?) { target = name }

  package mutating func propose(_ operation: DragOperation?) { self.operation = operation }

  /// Returns where the drag is and what a drop would do, if that is other than what was said last.
  package mutating func rest() -> String? {
    let words =
      if let target {
        "Over \(target), \(operation.map { "would \(Self.verb(for: $0))" } ?? "would be refused")"
      } else {
        "Over nothing that takes a drop"
      }
    defer { said = words }
    return words == said ? nil : words
  }

  private static func verb(for operation: DragOperation) -> String {
    switch operation {
    case .copy: "copy"
    case .move: "move"
    case .link: "link"
    case .ask: "ask what to do"
    default: Formatting.visible(operation.description)
    }
  }
}

/// Speaks a ``DragNarration`` through the window, if assistive technology is on.
package final class DragNarrator {
  private let window: ToolWindow
  private let driver: DragAndDrop
  private let loop: EventLoop
  /// `nil` while there is no drag.
  private var narration: DragNarration?
  /// The number of changes of position, of which only the last one is spoken.
  private var changes = 0

  /// How long a drag rests before its place is spoken, in seconds: a pointer that crosses three windows would otherwise
  /// leave the speech far behind. It is also the time in which a new target usually answers.
  private static let rest = 0.2

  package init(in window: ToolWindow, driver: DragAndDrop, loop: EventLoop) {
    self.window = window
    self.driver = driver
    self.loop = loop
  }

  /// - Parameter titles: Those of the dragged items.
  package func began(_ titles: [String]) {
    narration = DragNarration()
    window.announce(DragNarration.start(of: titles))
  }

  /// - Parameter target: The target's window; `nil` over none.
  package func moved(over target: WindowID?) {
    // The name takes round trips.
    guard window.isAccessible else { return }
    narration?.move(over: target.map { name(of: $0) })
    wait()
  }

  package func proposed(_ operation: DragOperation?) {
    narration?.propose(operation)
    guard window.isAccessible else { return }
    wait()
  }

  /// - Parameter words: The outcome, unless the window's footer says it.
  package func ended(_ words: String? = nil) {
    narration = nil
    if let words { window.announce(words) }
  }

  private func wait() {
    changes += 1
    loop.after(Self.rest) { [weak self, changes] in
      guard let self, changes == self.changes, let words = narration?.rest() else { return }
      window.announce(words)
    }
  }

  /// Returns the title of a window or of the window that it is in.
  private func name(of target: WindowID) -> String {
    guard target.rawValue != window.windowID else { return "this window" }
    let title = driver.display.flatMap { display in
      DisplayHandle.borrowing(display) { display in
        let names = WindowNames(display)
        return ([target] + WindowQueries(display).ancestors(of: target)).firstNonNil { names.title(of: $0) }
      }
    }
    guard let title, !title.isEmpty else { return "a window without a name" }
    return Formatting.visible(title, limit: .title)
  }
}
