/* What the clients of this directory share: a connection with a window, messages, and JSON lines. Each includes it once. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Ends a client whose parent was killed and cannot end it. */
#define TIME_LIMIT 600

static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static inline void fail(const char *message) {
  fprintf(stderr, "%s\n", message);
  exit(1);
}

static inline Display *connect_display(void) {
  Display *display = XOpenDisplay(NULL);
  if (!display) fail("no display");
  return display;
}

/* Windows of programs that end meanwhile are no reason to end. */
static inline int ignore_error(Display *display, XErrorEvent *error) {
  (void)display, (void)error;
  return 0;
}

static inline void begin_client(void) {
  alarm(TIME_LIMIT);
  setvbuf(stdout, NULL, _IOLBF, 0);
  XSetErrorHandler(ignore_error);
}

static inline Window open_hidden_window(Display *display) {
  return XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
}

static inline Atom atom(Display *display, const char *name) { return XInternAtom(display, name, False); }

static inline void send_message(Display *display, Window window, Atom type, const long words[5]) {
  XEvent event = {.xclient = {.type = ClientMessage, .window = window, .message_type = type, .format = 32}};
  memcpy(event.xclient.data.l, words, sizeof event.xclient.data.l);
  XSendEvent(display, window, False, NoEventMask, &event);
}

/* Returns an event, or false if none comes in time. */
static inline bool next_event(Display *display, XEvent *event, double seconds) {
  double end = now() + seconds;
  while (!XPending(display)) {
    double rest = end - now();
    if (rest <= 0) return false;
    struct pollfd wait = {.fd = ConnectionNumber(display), .events = POLLIN};
    poll(&wait, 1, (int)(rest * 1000) + 1);
  }
  XNextEvent(display, event);
  return true;
}
