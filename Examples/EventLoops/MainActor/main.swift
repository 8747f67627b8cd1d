// The library on the main actor: a greeting can be dragged out of the window, and dropped text is printed. Other tasks run on
// the actor meanwhile.
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
  [DragItem("Hello from the main actor")]
} ended: { _, outcome in
  print("dragged: \(outcome)")
}
dnd.onDrop(of: [.plainText], in: id) { drop in
  Task { @MainActor in
    do {
      print("dropped: \(try await drop.load(String.self))")
      drop.finish(.copy)
    } catch {
      drop.reject()
    }
  }
}
XMapWindow(display, window)

let loop = Task { @MainActor in try await dnd.run() }
dnd.onOtherEvent = { event in
  let event = event.assumingMemoryBound(to: XEvent.self).pointee
  if event.type == DestroyNotify, event.xdestroywindow.window == window { loop.cancel() }
}
try await loop.value
