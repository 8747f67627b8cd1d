/* A window without any toolkit, and without drag and drop, in which another program can put a window. Prints the id of the socket,
 * as gtk3_embedder.py does. It ends when its window is closed. */
#include <X11/Xlib.h>
#include <stdio.h>

int main(void) {
  Display *display = XOpenDisplay(NULL);
  if (!display) return 1;
  Window window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 40, 40, 200, 200, 0, 0, 0xFFFFFF);
  Window socket = XCreateSimpleWindow(display, window, 20, 30, 160, 150, 0, 0, 0xC0C0C0);
  XStoreName(display, window, "Embedder");
  Atom delete = XInternAtom(display, "WM_DELETE_WINDOW", False);
  XSetWMProtocols(display, window, &delete, 1);
  XSelectInput(display, window, StructureNotifyMask);
  XMapWindow(display, socket);
  XMapWindow(display, window);
  for (;;) {
    XEvent event;
    XNextEvent(display, &event);
    if (event.type == MapNotify) printf("{\"event\": \"embedder\", \"socket\": %lu}\n", socket);
    if (event.type == ClientMessage && (Atom)event.xclient.data.l[0] == delete) break;
    fflush(stdout);
  }
  XCloseDisplay(display);
}
