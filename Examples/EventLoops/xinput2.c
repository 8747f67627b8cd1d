/* A program that reads its window's events by XInput 2, as toolkits and games do: those of pointers, pens and fingers. It shows
 * where each press is; a press that is dragged takes a greeting along, and a finger does so after a rest.
 *
 *     cc -Wall -Wextra -std=c11 xinput2.c -o xinput2 $(pkg-config --cflags --libs xdnd x11 xi)
 */
#include <X11/Xlib.h>
#include <X11/extensions/XInput2.h>
#include <poll.h>

#include "greeting.h"

static void select_input(Display *display, Window window) {
  unsigned char bits[XIMaskLen(XI_LASTEVENT)] = {0};
  XISetMask(bits, XI_ButtonPress);
  XISetMask(bits, XI_ButtonRelease);
  XISetMask(bits, XI_Motion);
  /* All three or none. For clients that select none, the server emulates a pointer. */
  XISetMask(bits, XI_TouchBegin);
  XISetMask(bits, XI_TouchUpdate);
  XISetMask(bits, XI_TouchEnd);
  XIEventMask mask = {.deviceid = XIAllMasterDevices, .mask_len = sizeof bits, .mask = bits};
  XISelectEvents(display, window, &mask, 1);
}

static void handle(Display *display, XEvent *event) {
  if (!XGetEventData(display, &event->xcookie)) return;
  const XIDeviceEvent *input = event->xcookie.data;
  if (input->evtype == XI_ButtonPress) printf("button %d at %.0f, %.0f\n", input->detail, input->event_x, input->event_y);
  if (input->evtype == XI_TouchBegin) printf("finger %d at %.0f, %.0f\n", input->detail, input->event_x, input->event_y);
  fflush(stdout);
  XFreeEventData(display, &event->xcookie);
}

static bool pressed(xdnd_window window, int x, int y, xdnd_drag_options *options, void *user) {
  (void)window, (void)x, (void)y;
  options->items = user, options->item_count = 1, options->ended = ended;
  return true;
}

int main(void) {
  Display *display = XOpenDisplay(NULL);
  if (!display) return fprintf(stderr, "xinput2: no display\n"), 1;
  int opcode, unused, major = 2, minor = 2;
  if (!XQueryExtension(display, "XInputExtension", &opcode, &unused, &unused) ||
      XIQueryVersion(display, &major, &minor) != Success || (major == 2 && minor < 2))
    return fprintf(stderr, "xinput2: the server has no XInput 2.2\n"), 1;
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 40, 40, 200, 200, 0, 0, 0xE0E0E0);
  XStoreName(display, window, "Greeting");
  XSelectInput(display, window, StructureNotifyMask);
  select_input(display, window);

  xdnd_context *context;
  check(xdnd_borrow(display, NULL, &context));
  xdnd_item *item;
  check(xdnd_item_new(&item));
  check(xdnd_item_add_text(item, "Hello from XInput"));
  check(xdnd_on_drag(context, (xdnd_window)window, pressed, &item));
  print_drops(context, (xdnd_window)window);
  XMapWindow(display, window);

  for (bool is_open = true; is_open;) {
    while (XPending(display)) {
      XEvent event;
      XNextEvent(display, &event);
      if (xdnd_filter(context, &event)) continue; /* The rest of a touch that drags, for example. */
      if (event.type == DestroyNotify) is_open = event.xdestroywindow.window != window;
      if (event.type == GenericEvent && event.xcookie.extension == opcode) handle(display, &event);
    }
    check(xdnd_process(context));
    if (XPending(display)) continue; /* Events that the library's round trips have read. */
    struct pollfd wait = {.fd = xdnd_fd(context), .events = POLLIN};
    if (is_open) poll(&wait, 1, xdnd_timeout(context));
  }
  check(xdnd_item_free(item));
  check(xdnd_close(context));
  XCloseDisplay(display);
}
