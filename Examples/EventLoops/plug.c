/* A plug: a window inside the window of another program, as with `xterm -into`. Drag sources look for targets among top-level
 * windows, and that one is the embedder's. So the plug registers it, with its own place as the area: drops on the rest stay the
 * embedder's. The embedder may know XEmbed, as GtkSocket of GTK 3 does, or not.
 *
 *     cc -Wall -Wextra -std=c11 plug.c -o plug $(pkg-config --cflags --libs xdnd x11)
 *     ./plug WINDOW
 */
#include <X11/Xlib.h>
#include <poll.h>

#include "greeting.h"

typedef struct {
  xdnd_context *context;
  Display *display;
  Window window;
  xdnd_window top_level; /* The registered window. */
  bool is_open;
} Plug;

/* The embedder may destroy the windows at any time. An event says so. */
static int ignore_error(Display *display, XErrorEvent *error) { return (void)display, (void)error, 0; }

/* Creates the window inside the socket. */
static void open_window(Plug *plug, Window socket) {
  Display *display = plug->display;
  XWindowAttributes outer = {.width = 0};
  if (!XGetWindowAttributes(display, socket, &outer)) exit((fprintf(stderr, "plug: there is no such window\n"), 1));
  plug->window = XCreateSimpleWindow(
    display, socket, 0, 0, (unsigned)outer.width, (unsigned)outer.height, 0, 0, WhitePixelOfScreen(outer.screen));
  XStoreName(display, plug->window, "Greeting");
  XSelectInput(display, plug->window, StructureNotifyMask);
  Atom name = XInternAtom(display, "_XEMBED_INFO", False);
  unsigned long info[] = {0, 1}; /* Version 0; XEMBED_MAPPED: the embedder maps it. */
  XChangeProperty(display, plug->window, name, name, 32, PropModeReplace, (unsigned char *)info, 2);
  XMapWindow(display, plug->window); /* For embedders without XEmbed. */
}

static void remove_target(Plug *plug) {
  if (plug->top_level) check(xdnd_unregister(plug->context, plug->top_level));
  plug->top_level = 0;
}

/* Takes drops where the plug is in the top-level window now. */
static void place_target(Plug *plug) {
  xdnd_window top_level = xdnd_top_level_window(plug->context, (xdnd_window)plug->window);
  if (top_level != plug->top_level) remove_target(plug);
  XWindowAttributes own;
  Window child;
  const char *types[] = {"text/plain"};
  xdnd_target_options target = {.size = sizeof target, .types = types, .type_count = 1, .dropped = dropped};
  if (!top_level || !XGetWindowAttributes(plug->display, plug->window, &own) || own.map_state == IsUnmapped) return;
  XTranslateCoordinates(plug->display, plug->window, top_level, 0, 0, &target.area_x, &target.area_y, &child);
  target.area_width = own.width, target.area_height = own.height;
  check(xdnd_register(plug->context, top_level, &target));
  plug->top_level = top_level;
}

static void handle(const void *data, void *user) {
  const XEvent *event = data;
  Plug *plug = user;
  if (event->xany.window != plug->window) return;
  if (event->type == MapNotify || event->type == ConfigureNotify) place_target(plug);
  if (event->type == UnmapNotify) remove_target(plug);
  if (event->type == DestroyNotify) plug->is_open = false;
  /* The server saves a plug of XEmbed from the end of its embedder: it is on the root window then. */
  if (event->type == ReparentNotify && event->xreparent.parent == XDefaultRootWindow(plug->display)) plug->is_open = false;
}

static bool pressed(xdnd_window window, int x, int y, xdnd_drag_options *options, void *user) {
  (void)window, (void)x, (void)y;
  options->items = user, options->item_count = 1, options->ended = ended;
  return true;
}

int main(int count, char **arguments) {
  Window socket = count == 2 ? strtoul(arguments[1], NULL, 0) : None;
  if (!socket) return fprintf(stderr, "usage: plug WINDOW\n"), 64;
  Plug plug = {.is_open = true};
  check(xdnd_connect(NULL, NULL, &plug.context));
  plug.display = xdnd_display(plug.context);
  XSetErrorHandler(ignore_error);
  open_window(&plug, socket);

  xdnd_item *item;
  check(xdnd_item_new(&item));
  check(xdnd_item_add_text(item, "Hello from the plug"));
  check(xdnd_on_drag(plug.context, (xdnd_window)plug.window, pressed, &item));
  check(xdnd_on_event(plug.context, handle, &plug));
  while (plug.is_open) {
    check(xdnd_process(plug.context));
    struct pollfd wait = {.fd = xdnd_fd(plug.context), .events = POLLIN};
    if (plug.is_open) poll(&wait, 1, xdnd_timeout(plug.context));
  }
  check(xdnd_item_free(item));
  check(xdnd_close(plug.context));
}
