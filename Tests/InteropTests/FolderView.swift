import TestSupport
import XDnD

/// The open folder in a file manager's window, as it is on the screen: where things are there depends on themes and
/// fonts, and on the user, whom both managers warn of being root with a bar of its own.
struct FolderView: Equatable {
  /// Everything between the bars and the side pane.
  let area: Rect
  /// A place in it without a file.
  let empty: Point
  /// The icon of the only file.
  let icon: Point

  /// Looks for it in a window; `nil` as long as there is no file in it.
  init?(on screen: Screenshot, in window: Rect) {
    let (left, top) = (window.origin.x, window.origin.y)
    // Far from the first icon, and above a bar that tells how many files there are.
    empty = Point(x: left + window.width - 90, y: top + window.height - 90)
    guard let paper = screen[empty] else { return nil }
    let isPaper = { (x: Int, y: Int) in screen[Point(x: x, y: y)] == paper }
    var origin = empty
    while origin.x > left, isPaper(origin.x - 1, empty.y) { origin.x -= 1 }
    while origin.y > top, isPaper(empty.x, origin.y - 1) { origin.y -= 1 }
    area = Rect(x: origin.x, y: origin.y, width: empty.x - origin.x, height: empty.y - origin.y)
    // A window that has not been drawn is paper as a whole.
    guard origin.x > left, origin.y > top else { return nil }

    // The icon is over the middle of the name.
    var ink: (left: Int, right: Int, top: Int)?
    for y in origin.y..<empty.y {
      for x in origin.x..<empty.x where !isPaper(x, y) {
        ink = (min(ink?.left ?? x, x), max(ink?.right ?? x, x), ink?.top ?? y)
      }
    }
    guard let ink else { return nil }
    icon = Point(x: (ink.left + ink.right) / 2, y: ink.top + 20)
  }
}
