/// What the pointer shows during a drag.
enum CursorShape: Hashable, CaseIterable, Sendable {
  case copy
  case move
  case link
  case ask
  /// No target here, or one that refuses.
  case notAllowed

  /// The shape for what a drop at the pointer would do; `nil` for nothing.
  init(for operation: DragOperation?) {
    switch operation {
    case .move: self = .move
    case .link: self = .link
    case .ask: self = .ask
    case nil: self = .notAllowed
    // A private or unknown operation takes nothing away from the source.
    default: self = .copy
    }
  }

  /// The names that cursor themes have for it, best first.
  ///
  /// The `dnd-` names are those that GTK and Qt ask for; then come the names of the CSS cursors, then older ones.
  /// `03b6e0fcb3499374a867c041f52298f0` is the hash under which X core applications find the crossed circle.
  var themeNames: [String] {
    switch self {
    case .copy: ["dnd-copy", "copy"]
    case .move: ["dnd-move", "move", "grabbing", "closedhand"]
    case .link: ["dnd-link", "alias", "link"]
    case .ask: ["dnd-ask", "copy", "question_arrow"]
    case .notAllowed:
      [
        "dnd-no-drop", "no-drop", "not-allowed", "dnd-none", "forbidden", "crossed_circle", "circle",
        "03b6e0fcb3499374a867c041f52298f0",
      ]
    }
  }
}
