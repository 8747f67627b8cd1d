/* What calls of the C interface cost that a program makes for each event or in each turn of its loop: nanoseconds of
 * processor time each, the best of 200 rounds. */
#include <X11/Xlib.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <xdnd.h>

static void check(xdnd_result result) {
  if (result == XDND_OK) return;
  fprintf(stderr, "calls: %s\n", xdnd_message());
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

#define COUNT 2000

/* What a call may need: each uses what it wants. */
typedef struct {
  xdnd_context *context;
  xdnd_drop *drop;
  XEvent event;
  void *room;
} Arguments;

typedef void (*Call)(const Arguments *);

static double cost(Call call, const Arguments *arguments) {
  double best = 1e18;
  for (int round = 0; round < 200; round++) {
    double begin = now();
    for (int i = 0; i < COUNT; i++) call(arguments);
    double each = (now() - begin) / COUNT;
    if (each < best) best = each;
  }
  return best;
}

static void measure(const char *name, Call call, const Arguments *arguments) {
  printf("| %s | %.0f |\n", name, cost(call, arguments));
  fflush(stdout);
}

static void ask_version(const Arguments *all) { (void)all, xdnd_version(); }
static void process(const Arguments *all) { xdnd_process(all->context); }
static void ask_timeout(const Arguments *all) { xdnd_timeout(all->context); }
static void filter(const Arguments *all) { xdnd_filter(all->context, &all->event); }
static void fail(const Arguments *all) { xdnd_process((xdnd_context *)all->room); }
static void list_types(const Arguments *all) {
  size_t count = xdnd_drop_type_count(all->drop);
  for (size_t i = 0; i < count; i++) xdnd_drop_type(all->drop, i);
}
static void poll_connection(const Arguments *all) {
  struct pollfd wait = {.fd = xdnd_fd(all->context), .events = POLLIN};
  poll(&wait, 1, 0);
}

static bool is_done;

static void dropped(xdnd_drop *drop, void *arguments) {
  Arguments *all = arguments;
  all->drop = drop;
  char name[64];
  snprintf(name, sizeof name, "`xdnd_drop_type` for each of %zu types", xdnd_drop_type_count(drop));
  measure(name, list_types, all);
  check(xdnd_drop_finish(drop, XDND_COPY));
  is_done = true;
}

int main(void) {
  Display *display = XOpenDisplay(NULL);
  if (!display) return fprintf(stderr, "calls: no display\n"), 1;
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 40, 40, 200, 200, 0, 0, 0);
  Arguments all = {.room = &all}, own = {.room = NULL};
  check(xdnd_borrow(display, NULL, &all.context));
  const char *types[] = {"text/plain"};
  xdnd_target_options target = {
    .size = sizeof target, .types = types, .type_count = 1, .user = &all, .dropped = dropped};
  check(xdnd_register(all.context, (xdnd_window)window, &target));
  XMapWindow(display, window);
  XSync(display, False);
  check(xdnd_connect(NULL, NULL, &own.context));
  check(xdnd_process(all.context));
  check(xdnd_process(own.context));

  printf("| call | ns |\n| --- | ---: |\n");
  measure("`xdnd_version`", ask_version, &all);
  measure("`xdnd_process` of a borrowed connection, nothing to do", process, &all);
  measure("`xdnd_process` of the library's connection, nothing to do", process, &own);
  measure("`xdnd_timeout`", ask_timeout, &all);
  measure("`poll` of `xdnd_fd`, for comparison", poll_connection, &all);
  all.event = (XEvent){.xmotion = {.type = MotionNotify, .display = display, .window = window}};
  measure("`xdnd_filter` of a motion in a registered window", filter, &all);
  all.event = (XEvent){.xexpose = {.type = Expose, .display = display, .window = window + 1}};
  measure("`xdnd_filter` of an exposure of another window", filter, &all);
  all.event = (XEvent){.xclient = {.type = ClientMessage, .display = display, .window = window, .format = 32}};
  measure("`xdnd_filter` of a client message that is not XDND's", filter, &all);
  measure("a call with a handle that does not exist", fail, &all);

  xdnd_item *item;
  check(xdnd_item_new(&item));
  check(xdnd_item_add_text(item, "text"));
  xdnd_drag_options drag = {.size = sizeof drag, .items = &item, .item_count = 1};
  check(xdnd_drop_on(own.context, (xdnd_window)window, 10, 10, &drag, NULL));
  while (!is_done) {
    while (XPending(display)) {
      XEvent event;
      XNextEvent(display, &event);
      xdnd_filter(all.context, &event);
    }
    check(xdnd_process(all.context));
    check(xdnd_process(own.context));
  }
  check(xdnd_item_free(item));
  check(xdnd_close(own.context));
  check(xdnd_close(all.context));
  XCloseDisplay(display);
}
