/* A plain Xlib program that is both drag source and drop target: a greeting can be dragged out of its window, and dropped
 * text is printed. It ends when its window is closed.
 *
 *     cc -Wall -Wextra -std=c11 greeting.c -o greeting $(pkg-config --cflags --libs xdnd)
 */
#include <X11/Xlib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <xdnd.h>

static void check(xdnd_result result) {
  if (result == XDND_OK) return;
  fprintf(stderr, "greeting: %s\n", xdnd_message());
  exit(1);
}

/* The target: prints text. The library answers the drop when the load has ended. */

static void loaded(xdnd_load *load, xdnd_result result, const xdnd_data *data, void *user) {
  (void)load, (void)user;
  if (result == XDND_OK)
    printf("dropped: %.*s\n", (int)data->length, (const char *)data->bytes);
  else
    printf("not dropped: %s\n", xdnd_message());
  fflush(stdout);
}

static void dropped(xdnd_drop *drop, void *user) {
  (void)user;
  xdnd_load_options options = {.size = sizeof options, .ended = loaded};
  check(xdnd_load_text(xdnd_drop_content(drop), &options, NULL));
}

/* The source: `user` is the item. */

static void ended(xdnd_drag *drag, xdnd_outcome outcome, xdnd_operation operation, void *user) {
  (void)drag, (void)operation, (void)user;
  printf("dragged: %s\n", outcome == XDND_OUTCOME_DROPPED ? "taken" : "not taken");
  fflush(stdout);
}

static bool pressed(xdnd_window window, int x, int y, xdnd_drag_options *options, void *user) {
  (void)window, (void)x, (void)y;
  options->items = user;
  options->item_count = 1;
  options->ended = ended;
  return true;
}

int main(void) {
  Display *display = XOpenDisplay(NULL);
  if (!display) return fprintf(stderr, "greeting: no display\n"), 1;
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 40, 40, 200, 200, 0, 0, 0xE0E0E0);
  XStoreName(display, window, "Greeting");
  XSelectInput(display, window, StructureNotifyMask);

  xdnd_context *context;
  check(xdnd_borrow(display, NULL, &context));
  xdnd_item *item;
  check(xdnd_item_new(&item));
  check(xdnd_item_add_text(item, "Hello from C"));
  check(xdnd_on_drag(context, (xdnd_window)window, pressed, &item));
  const char *types[] = {"text/plain"};
  xdnd_target_options target = {.size = sizeof target, .types = types, .type_count = 1, .dropped = dropped};
  check(xdnd_register(context, (xdnd_window)window, &target));
  XMapWindow(display, window);

  for (bool is_open = true; is_open;) {
    while (XPending(display)) {
      XEvent event;
      XNextEvent(display, &event);
      if (!xdnd_filter(context, &event) && event.type == DestroyNotify) is_open = event.xdestroywindow.window != window;
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
