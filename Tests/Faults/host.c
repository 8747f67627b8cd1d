/* A C program with libxdnd, as a drag source or a drop target of scripts/faults. Prints the JSON lines of the tools that the
 * cells look at, and ends as the tools do: 2 after SIGTERM or SIGINT, 74 without its server.
 *
 *     host source @FILE              drags the content of a file
 *     host source COMMAND [NAME]     drags the output of a shell command, or with a name promises it as a file
 *     host target DIRECTORY          saves what is dropped */
#define _GNU_SOURCE
#include <X11/Xlib.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xdnd.h>

static const char *const content_type = "application/x-faults";
static const char *const outcomes[] = {"dropped", "unconfirmed", "refused", "no-target", "cancelled",
  "timed-out", "peer-died", "transfer-failed", "server-lost", "delivered"};

static const char *command, *name, *directory;
static volatile sig_atomic_t is_ending;
static int drop_count;

static void check(xdnd_result result) {
  if (result == XDND_OK) return;
  fprintf(stderr, "host: %s\n", xdnd_message());
  exit(70);
}

static void interrupted(int number) {
  (void)number;
  is_ending = 1;
}

static void say(const char *event, const char *key, const char *value) {
  if (key)
    printf("{\"event\":\"%s\",\"%s\":\"%s\"}\n", event, key, value);
  else
    printf("{\"event\":\"%s\"}\n", event);
  fflush(stdout);
}

/* ---- The source */

/* The output of the command. Without a descriptor or a process, the request is refused. */
static void provide(xdnd_request *request, const char *type, void *user) {
  (void)type, (void)user;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    xdnd_request_refuse(request);
    return;
  }
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    xdnd_request_refuse(request);
  } else {
    check(xdnd_request_fulfill_from_fd(request, ends[0]));
  }
}

static void began(xdnd_drag *drag, void *user) {
  (void)drag, (void)user;
  say("drag-began", NULL, NULL);
}

static void proposed(xdnd_drag *drag, xdnd_operation operation, void *user) {
  (void)drag, (void)user;
  say("proposal", "operation", operation == XDND_NONE ? "" : "copy");
}

static void sent(xdnd_drag *drag, xdnd_operation operation, void *user) {
  (void)drag, (void)operation, (void)user;
  say("drop-sent", NULL, NULL);
}

static void drag_ended(xdnd_drag *drag, xdnd_outcome outcome, xdnd_operation operation, void *user) {
  (void)drag, (void)operation, (void)user;
  say("ended", "outcome", outcomes[outcome]);
}

static bool pressed(xdnd_window window, int x, int y, xdnd_drag_options *options, void *user) {
  (void)window, (void)x, (void)y;
  options->items = user;
  options->item_count = 1;
  options->began = began;
  options->proposed = proposed;
  options->dropped = sent;
  options->ended = drag_ended;
  return true;
}

/* ---- The target */

static const char *word(xdnd_result result) {
  switch (result) {
    case XDND_OK: return "dropped";
    case XDND_ERROR_REFUSED: return "refused";
    case XDND_ERROR_VANISHED: return "peer-died";
    case XDND_ERROR_TIMED_OUT: return "timed-out";
    case XDND_ERROR_CANCELLED: return "cancelled";
    case XDND_ERROR_DISPLAY_CLOSED: return "server-lost";
    default: return "transfer-failed";
  }
}

static void report_failure(xdnd_result result) {
  printf("{\"event\":\"failed\",\"status\":\"%s\",\"reason\":\"%s\"}\n", word(result), xdnd_message());
  fflush(stdout);
}

static void loaded(xdnd_load *load, xdnd_result result, const xdnd_data *data, void *user) {
  (void)load, (void)data;
  if (result == XDND_OK)
    say("saved", "path", user);
  else
    report_failure(result);
  free(user);
}

static void saved(xdnd_save *save, xdnd_result result, const char *const *paths, size_t count, void *user) {
  (void)save, (void)user;
  if (result != XDND_OK) report_failure(result);
  for (size_t index = 0; index < count; index++) say("saved", "path", paths[index]);
}

static void entered(xdnd_drop *drop, void *user) {
  (void)drop, (void)user;
  say("entered", NULL, NULL);
}

static void left(xdnd_drop *drop, xdnd_exit reason, void *user) {
  (void)drop, (void)user;
  static const char *const words[] = {"left", "source-vanished", "replaced", "refused", "unregistered"};
  say("left", "reason", words[reason]);
}

static void dropped(xdnd_drop *drop, void *user) {
  (void)user;
  say("dropped", NULL, NULL);
  xdnd_result result;
  if (xdnd_drop_offers_save(drop)) {
    xdnd_save_options options = {.size = sizeof options, .ended = saved};
    result = xdnd_save_into(drop, directory, &options, NULL);
  } else {
    char *path;
    if (asprintf(&path, "%s/dropped-%d", directory, ++drop_count) < 0) abort();
    xdnd_load_options options = {.size = sizeof options, .ended = loaded, .user = path};
    result = xdnd_load_to_file(xdnd_drop_content(drop), content_type, path, false, &options, NULL);
  }
  if (result != XDND_OK) report_failure(result);
}

static void drop_ended(xdnd_drop *drop, xdnd_drop_result result, xdnd_operation operation, void *user) {
  (void)drop, (void)operation, (void)user;
  static const char *const words[] = {"dropped", "rejected", "peer-died", "timed-out"};
  say("ended", "outcome", words[result]);
}

/* ---- Both */

static void processed(const void *event, void *user) { (void)event, (void)user; }

int main(int count, char **arguments) {
  if (count < 3) return 64;
  bool is_source = strcmp(arguments[1], "source") == 0;
  command = directory = arguments[2];
  name = count > 3 ? arguments[3] : NULL;
  struct sigaction action = {.sa_handler = interrupted};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  /* They are handled while the program sleeps, so that none is missed before it. */
  sigset_t ending, others;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  sigprocmask(SIG_BLOCK, &ending, &others);
  signal(SIGCHLD, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);

  xdnd_context *context;
  if (xdnd_connect(NULL, NULL, &context) != XDND_OK) return 69;
  check(xdnd_on_event(context, processed, NULL));
  Display *display = xdnd_display(context);
  Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 20, 20, 300, 240, 0, 0, 0xE0E0E0);
  XSelectInput(display, window, StructureNotifyMask);
  xdnd_item *item = NULL;
  const char *types[] = {"XdndDirectSave0", content_type};
  if (is_source) {
    check(xdnd_item_new(&item));
    if (command[0] == '@')
      check(xdnd_item_add_contents(item, content_type, command + 1));
    else if (name)
      check(xdnd_item_promise_file(item, name, content_type, -1, provide, NULL, NULL));
    else
      check(xdnd_item_add_provider(item, content_type, provide, NULL, NULL));
    /* More than three types, so that they are in XdndTypeList. */
    const char *others[] = {"application/x-faults-2", "application/x-faults-3", "application/x-faults-4"};
    for (int index = 0; index < 3 && !name; index++) check(xdnd_item_add_bytes(item, others[index], "other", 5));
    check(xdnd_on_drag(context, (xdnd_window)window, pressed, &item));
  } else {
    xdnd_target_options options = {.size = sizeof options, .types = types, .type_count = 2, .entered = entered, .left = left,
      .dropped = dropped, .ended = drop_ended};
    check(xdnd_register(context, (xdnd_window)window, &options));
  }
  XMapWindow(display, window);
  XSync(display, False);
  printf("{\"event\":\"ready\",\"window\":%lu,\"x\":20,\"y\":20,\"width\":300,\"height\":240}\n", window);
  fflush(stdout);

  while (!is_ending) {
    if (xdnd_process(context) == XDND_ERROR_DISPLAY_CLOSED) {
      say("server-lost", NULL, NULL);
      xdnd_close(context);
      return 74;
    }
    struct pollfd wait = {.fd = xdnd_fd(context), .events = POLLIN};
    int timeout = xdnd_timeout(context);
    struct timespec limit = {.tv_sec = timeout / 1000, .tv_nsec = timeout % 1000 * 1000000L};
    ppoll(&wait, 1, timeout < 0 ? NULL : &limit, &others);
  }
  xdnd_close(context);
  if (item) xdnd_item_free(item);
  return 2;
}
