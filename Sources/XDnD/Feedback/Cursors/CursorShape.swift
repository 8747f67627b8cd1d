/// What the pointer shows during a drag.
enum CursorShape: Hashable, CaseIterable, Sendable {
  case copy
  case move
  case link
  case ask
  /// No target here, or one that refuses.
  case notAllowed
  /// A drop here takes the item away, and nobody gets it.
  case disappearing
  /// A drag of which is not known what it would do here: the target has not answered yet.
  case dragging

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
  /// The `dnd-` names are those that GTK and Qt ask for; then come the names of the CSS cursors, then those of the cursor
  /// font and what else is around. The hashes are what libXcursor computes from the bitmaps of old programs, and themes
  /// made links of: from Mozilla's and KDE's cursors of drags, and from the crossed circle of the cursor font.
  ///
  /// Names that mean one thing here and another there come late or not at all: `dnd-none` forbids in GTK's themes, and is
  /// a closed hand in KDE's.
  var themeNames: [String] {
    switch self {
    case .copy:
      [
        "dnd-copy", "copy", "1081e37283d90000800003c07f3ef6bf", "6407b0e94181790501fd1e167b474872",
        "b66166c04f8c3109214a4fbd64a50fc8",
      ]
    case .move:
      [
        "dnd-move", "move", "4498f0e0c1937ffe01fd06f973665830", "9081237383d90e509aa00f00170e968f",
        "fcf21c00b30f7e3f83fe0dfd12e71cff", "pointer-move", "pointer_move", "grabbing", "closedhand", "dnd-none",
      ]
    case .link:
      [
        "dnd-link", "alias", "link", "3085a0e285430894940527032f8b26df", "640fb0e74195791501fd1ed57b41487f",
        "a2a266d0498c3104214a47bd64ab0fc8",
      ]
    // No plain copy: it would promise what the user has yet to choose.
    case .ask:
      [
        "dnd-ask", "left_ptr_help", "question_arrow", "whats_this", "help", "5c6cd98b3f3ebcb1f9c7f1c204630408",
        "d9ce0ab605698f320427677b458ad60b",
      ]
    case .notAllowed:
      [
        "dnd-no-drop", "no-drop", "not-allowed", "forbidden", "crossed_circle", "circle",
        "03b6e0fcb3499374a867c041f52298f0", "dnd-none",
      ]
    // No toolkit on X11 has one, so there is no name that themes could follow.
    case .disappearing: ["dnd-disappear"]
    case .dragging: ["default", "left_ptr", "arrow", "top_left_arrow"]
    }
  }
}
