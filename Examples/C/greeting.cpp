// The same as greeting.c, in C++: a greeting can be dragged out of the window, and dropped text is printed. It ends when its
// window is closed, or when the word "throw" is dropped.
//
//     c++ -Wall -Wextra -std=c++17 greeting.cpp -o greeting $(pkg-config --cflags --libs xdnd)
#include <X11/Xlib.h>
#include <poll.h>

#include <iostream>

#include "xdnd.hpp"

static void run() {
  xdnd::Context context;
  Display *display = xdnd_display(context.handle);
  Window root = XDefaultRootWindow(display);
  xdnd_window window = XCreateSimpleWindow(display, root, 40, 40, 200, 200, 0, 0, 0xE0E0E0);
  XStoreName(display, window, "Greeting");
  XSelectInput(display, window, StructureNotifyMask);

  context.onDrag(
    window, [](int, int) { return xdnd::Item("Hello from C++"); },
    [](bool isTaken) { std::cout << (isTaken ? "dragged: taken" : "dragged: not taken") << std::endl; });
  context.onDrop(window, [](const std::string &text) {
    if (text == "throw") throw std::runtime_error("the word throw was dropped");
    std::cout << "dropped: " << text << std::endl;
  });
  Window open = window;
  xdnd::check(xdnd_on_event(context.handle, [](const void *pointer, void *user) {
    auto event = static_cast<const XEvent *>(pointer);
    auto open = static_cast<Window *>(user);
    if (event->type == DestroyNotify && event->xdestroywindow.window == *open) *open = None;
  }, &open));
  XMapWindow(display, window);

  while (open != None) {
    context.process();
    pollfd wait{xdnd_fd(context.handle), POLLIN, 0};
    if (open != None) poll(&wait, 1, xdnd_timeout(context.handle));
  }
}

int main() {
  try {
    run();
  } catch (const std::exception &error) {
    std::cerr << "greeting: " << error.what() << std::endl;
    return 1;
  }
}
