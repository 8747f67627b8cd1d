// The library in the main queue of Dispatch: a greeting can be dragged out of the window, and dropped text is printed.
import Dispatch
import Glibc
import XDnD
import XDnDX11

let dnd = try DragAndDrop(connectingTo: nil)
guard let display = dnd.display else { fatalError("no display") }
let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 40, 40, 200, 200, 0, 0, 0xE0E0E0)
XStoreName(display, window, "Greeting")
XSelectInput(display, window, StructureNotifyMask)

let id = WindowID(window)
dnd.onDrag(in: id) { _ in
  [DragItem("Hello from Dispatch")]
} ended: { _, outcome in
  print("dragged: \(outcome)")
}
dnd.dropDestination(for: String.self, in: id) { texts, _ in
  print("dropped: \(texts.joined())")
  return true
}
dnd.onOtherEvent = { event in
  let event = event.assumingMemoryBound(to: XEvent.self).pointee
  if event.type == DestroyNotify, event.xdestroywindow.window == window { exit(0) }
}
XMapWindow(display, window)

let readiness = DispatchSource.makeReadSource(fileDescriptor: dnd.fileDescriptor, queue: .main)
let deadline = DispatchSource.makeTimerSource(queue: .main)

/// One turn: all that can be done now, and when to go on if nothing arrives. Call it after other calls of the library, too.
@MainActor func turn() {
  do { try dnd.process() } catch { exit(1) }
  let wait = dnd.nextDeadline.map { max(.zero, $0 - .now) / .nanoseconds(1) }
  deadline.schedule(deadline: wait.map { .now() + .nanoseconds(Int($0)) } ?? .distantFuture)
}
readiness.setEventHandler { turn() }
deadline.setEventHandler { turn() }
readiness.activate()
deadline.activate()
turn()
dispatchMain()
