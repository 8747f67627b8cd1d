// The library on an actor of its own, beside the main thread: a greeting can be dragged out of the window, and dropped text is
// sent to another task, which prints it.
import Glibc
import XDnD
import XDnDX11

actor GreetingWindow {
  private let texts: AsyncStream<String>.Continuation

  init(sending texts: AsyncStream<String>.Continuation) { self.texts = texts }

  /// Opens the window, and returns when it is closed. What is not `Sendable` does not leave this method.
  func run() async throws {
    let dnd = try DragAndDrop(connectingTo: nil)
    guard let display = dnd.display else { return }
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 40, 40, 200, 200, 0, 0, 0xE0E0E0)
    XStoreName(display, window, "Greeting")
    XSelectInput(display, window, StructureNotifyMask)

    let id = WindowID(window)
    dnd.onDrag(in: id) { _ in
      [DragItem("Hello from an actor")]
    } ended: { _, outcome in
      print("dragged: \(outcome)")
    }
    dnd.dropDestination(for: String.self, in: id) { [texts] dropped, _ in
      texts.yield(dropped.joined())
      return true
    }
    dnd.onOtherEvent = { event in
      let event = event.assumingMemoryBound(to: XEvent.self).pointee
      if event.type == DestroyNotify, event.xdestroywindow.window == window {
        withUnsafeCurrentTask { $0?.cancel() }  // run() returns.
      }
    }
    XMapWindow(display, window)
    try await dnd.run()
    texts.finish()
  }
}

let (texts, continuation) = AsyncStream<String>.makeStream()
let window = Task { try await GreetingWindow(sending: continuation).run() }
for await text in texts { print("dropped: \(text)") }
try await window.value
