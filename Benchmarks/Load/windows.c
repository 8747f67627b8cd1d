/* A program with many drop targets. Prints JSON lines: `ready` with the seconds that it took to register them and to process
 * what came of it, and the last window; then `loaded` for each text that was dropped.
 *
 *     windows COUNT
 */
#include "client.h"
#include <xdnd.h>

static void check(xdnd_result result) {
  if (result != XDND_OK) fail(xdnd_message());
}

static void loaded(xdnd_load *load, xdnd_result result, const xdnd_data *data, void *user) {
  (void)load, (void)user;
  printf("{\"event\":\"loaded\",\"bytes\":%zu}\n", result == XDND_OK ? data->length : 0);
}

static void dropped(xdnd_drop *drop, void *user) {
  (void)user;
  xdnd_load_options options = {.size = sizeof options, .ended = loaded};
  check(xdnd_load_text(xdnd_drop_content(drop), &options, NULL));
}

static void process(Display *display, xdnd_context *context) {
  while (XPending(display)) {
    XEvent event;
    XNextEvent(display, &event);
    xdnd_filter(context, &event);
  }
  check(xdnd_process(context));
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: windows COUNT");
  begin_client();
  Display *display = connect_display();
  const long number = atol(arguments[1]);
  Window *windows = calloc(number, sizeof *windows);
  for (long i = 0; i < number; i++)
    windows[i] = XCreateSimpleWindow(
      display, DefaultRootWindow(display), i * 67 % 1180, i * 41 % 940, 100, 80, 0, 0, 0xE0E0E0);
  XSync(display, False);
  xdnd_context *context;
  check(xdnd_borrow(display, NULL, &context));
  const char *types[] = {"text/plain"};
  xdnd_target_options target = {.size = sizeof target, .types = types, .type_count = 1, .dropped = dropped};

  double begin = now();
  for (long i = 0; i < number; i++) check(xdnd_register(context, (xdnd_window)windows[i], &target));
  double registered = now();
  process(display, context);
  for (long i = 0; i < number; i++) XMapWindow(display, windows[i]);
  XSync(display, False);
  process(display, context);
  printf(
    "{\"event\":\"ready\",\"window\":%lu,\"registering\":%.4f,\"processing\":%.4f}\n", windows[number - 1],
    registered - begin, now() - registered);

  for (;;) {
    process(display, context);
    if (XPending(display)) continue;
    struct pollfd wait = {.fd = xdnd_fd(context), .events = POLLIN};
    poll(&wait, 1, xdnd_timeout(context));
  }
}
