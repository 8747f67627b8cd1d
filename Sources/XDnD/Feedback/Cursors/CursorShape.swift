/// The cursor during a drag.
package enum CursorShape: Hashable, CaseIterable, Sendable {
  case copy
  case move
  case link
  case ask
  /// No target, or one that refuses the drop.
  case notAllowed
  /// A drop removes the items without giving them to a target.
  case disappearing
  /// The plain drag cursor: the target has not answered, the pointer is still in the drag's container, or only the
  /// application knows the drop's effect. Without it, ``notAllowed`` would flash whenever the pointer enters another
  /// window.
  case dragging

  /// The shape for an operation. A `nil` operation means that no drop is possible.
  init(for operation: DragOperation?) {
    switch operation {
    case .move: self = .move
    case .link: self = .link
    case .ask: self = .ask
    case nil: self = .notAllowed
    // A private or unknown operation removes nothing from the source.
    default: self = .copy
    }
  }

  /// The names of this shape in cursor themes, best first.
  ///
  /// First the `dnd-` names that GTK and Qt request, then the names of CSS cursors, then the cursor font's names and
  /// others in use. The hashes are libXcursor's hashes of bitmaps of older programs, for which themes have links:
  /// Mozilla's and KDE's drag cursors, and the crossed circle of the cursor font.
  ///
  /// Names with different meanings in different themes come last or not at all: `dnd-none` means "forbidden" in GTK's
  /// themes, and is a closed hand in KDE's.
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
    // Not the copy cursor: it would promise an operation that the user has yet to choose.
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
    // No toolkit on X11 has such a cursor, so there is no established name.
    case .disappearing: ["dnd-disappear"]
    // Not the closed hand, which is the move cursor of many themes.
    case .dragging: ["default", "left_ptr", "arrow", "top_left_arrow"]
    }
  }
}
