import CBareX11

// The least that a program can do to have a window.
guard let display = XOpenDisplay(nil) else { fatalError("no display") }
let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 320, 152, 0, 0, 0xFFFFFF)
XSelectInput(display, window, StructureNotifyMask)
XMapWindow(display, window)
XFlush(display)
while true {
  var event = XEvent()
  XNextEvent(display, &event)
}
