// Two lists of cards, and tabs with two more each: cards are put in order, moved and copied by drags, with several
// selected rows, rows that glide apart, spring-loaded tabs, scrolling at the edges, the keyboard, and undo.
import XDnDX11
import Glibc
import XDnD

let help = """
  Shows lists of cards, which can be dragged within a list, to other lists, and to and from other programs.

  Usage: Lists [--print]

    --print     Print the shown page after each change, with the selected cards in brackets, and "…" for cards on
                their way.
    -h, --help  Print this help, and exit.
  """

func fail(_ message: String, _ status: Int32) -> Never {
  let line = "Lists: \(message)\n"
  write(STDERR_FILENO, line, line.utf8.count)
  exit(status)
}

var isPrinting = false
for argument in CommandLine.arguments.dropFirst() {
  switch argument {
  case "--print": isPrinting = true
  case "-h", "--help":
    print(help)
    exit(0)
  default: fail("unknown argument \(argument); see --help", EX_USAGE)
  }
}

setlocale(LC_CTYPE, "")  // The fonts depend on it.
guard let dragAndDrop = try? DragAndDrop(connectingTo: nil), let display = dragAndDrop.display else {
  fail("cannot connect to the X server; DISPLAY may be wrong", EX_UNAVAILABLE)
}
let view = ListsWindow(.sample, dragAndDrop.desktopAppearance, on: display)
let cards = CardDragAndDrop(dragAndDrop, in: view)
dragAndDrop.onOtherEvent = { event in view.handle(event.load(as: XEvent.self)) }
dragAndDrop.onDesktopChange = { view.appearance = dragAndDrop.desktopAppearance }
XMapWindow(display, view.window)

var printed = ""
try dragAndDrop.run(wakingAt: { view.nextFrame }) {
  if view.update(), isPrinting, "\(view.scene)" != printed {
    printed = "\(view.scene)"
    print(printed)
    fflush(nil)  // Lines into a pipe are buffered.
  }
  return view.isOpen
}
