import CBareX11

// A program that does nothing but show a window.
guard let display = XOpenDisplay(nil) else { fatalError("no display") }
let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 0, 0, 320, 152, 0, 0, 0xFFFFFF)
XSelectInput(display, window, StructureNotifyMask)
XMapWindow(display, window)
XFlush(display)
while true {
  var event = XEvent()
  XNextEvent(display, &event)
}
