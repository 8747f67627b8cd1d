// A plain Xlib program that is both drag source and drop target: a greeting can be dragged out of its window, and
// dropped text is printed.
import XDnDX11
import Glibc
import XDnD
final class Printer: DropDelegate {
  func performDrop(_ drop: DropSession) {
    guard let type = drop.bestType else { return drop.reject() }
    drop.load(type) { result in
      guard case .success(let content) = result else { return drop.reject() }
      print(String(decoding: content.bytes, as: UTF8.self))
      drop.finish(drop.droppedOperation ?? .copy)
    }
  }
}

guard let display = XOpenDisplay(nil) else { fatalError("no display") }
let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 200, 200, 0, 0, 0xE0E0E0)
XStoreName(display, window, "Greeting")
XSelectInput(display, window, StructureNotifyMask)

let dnd = try DragAndDrop(borrowing: display), printer = Printer()
let id = WindowID(window)
dnd.onDrag(in: id) { _ in [DragItem("Hello from Xlib")] }
dnd.registerDropTarget(id, accepting: DropOffer([.plainText, .uriList]), delegate: printer)
XMapWindow(display, window)

while true {
  var event = XEvent()
  while XPending(display) > 0 {
    XNextEvent(display, &event)
    if dnd.filter(xEvent: &event) { continue }
    if event.type == DestroyNotify, event.xdestroywindow.window == window { exit(0) }
  }
  try dnd.process()
  if XPending(display) > 0 { continue }  // Events that the library's round trips have read.
  var descriptor = pollfd(fd: dnd.fileDescriptor, events: Int16(POLLIN), revents: 0)
  poll(&descriptor, 1, dnd.pollTimeout)
}
