// Two lists of cards, and tabs with two more each: cards are put in order, moved and copied by drags, with several
// selected rows, rows that glide apart, spring-loaded tabs, scrolling at the edges, the keyboard, and undo.
//
//   Lists [--print]
//
// --print prints the shown page after each change, with the selected cards in brackets, and "…" for cards on their way.
import XDnDX11
import Glibc
import XDnD

setlocale(LC_CTYPE, "")  // The fonts depend on it.
let dragAndDrop = try DragAndDrop(connectingTo: nil)
guard let display = dragAndDrop.display else { fatalError("no display") }
let view = ListsWindow(.sample, dragAndDrop.desktopAppearance, on: display)
let cards = CardDragAndDrop(dragAndDrop, in: view)
dragAndDrop.onOtherEvent = { event in view.handle(event.load(as: XEvent.self)) }
dragAndDrop.onDesktopChange = { view.theme = Theme(dragAndDrop.desktopAppearance) }
XMapWindow(display, view.window)

let isPrinting = CommandLine.arguments.contains("--print")
var printed = ""
try dragAndDrop.run(wakingAt: { view.nextFrame }) {
  if view.update(), isPrinting, "\(view.scene)" != printed {
    printed = "\(view.scene)"
    print(printed)
  }
  return view.isOpen
}
