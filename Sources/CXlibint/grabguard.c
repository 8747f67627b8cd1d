#include "CXlibint.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xcb/xcb.h>

// The number of polls within the guard's patience.
#define XDND_ROUNDS 10

struct XDnDGrabGuard {
  pthread_t thread;
  // Written to end the thread.
  int end;
  int connection;
  uint32_t window;
  int64_t patience;
  atomic_uint turns;
  char name[];
};

static void XDnDUnmap(const XDnDGrabGuard *guard) {
  xcb_connection_t *connection = xcb_connect(guard->name, NULL);
  if (!xcb_connection_has_error(connection)) {
    // Waits until the server has processed the request. An error is ignored: the window may be gone.
    free(xcb_request_check(connection, xcb_unmap_window_checked(connection, guard->window)));
  }
  xcb_disconnect(connection);
}

static void *XDnDGuard(void *context) {
  XDnDGrabGuard *guard = context;
  unsigned turn = atomic_load(&guard->turns);
  // Counts rounds, not time: a stopped process (SIGSTOP) takes no turns, and must keep its grab when it continues.
  int rounds = 0;
  for (;;) {
    struct pollfd end = {.fd = guard->end, .events = POLLIN};
    if (poll(&end, 1, (int)(guard->patience / XDND_ROUNDS)) > 0) return NULL;
    struct pollfd events = {.fd = guard->connection, .events = POLLIN};
    int count = poll(&events, 1, 0);
    // The server and its grab are gone. A new server may give this window id to another client.
    if (count > 0 && (events.revents & (POLLERR | POLLHUP | POLLNVAL))) return NULL;
    unsigned now = atomic_load(&guard->turns);
    // Without events, a loop may sleep for as long as it likes.
    if (count <= 0 || now != turn) {
      turn = now;
      rounds = 0;
    } else if (++rounds >= XDND_ROUNDS) {
      XDnDUnmap(guard);
      return NULL;
    }
  }
}

XDnDGrabGuard *XDnDGrabGuardCreate(const char *name, int connection, uint32_t window, int64_t patience) {
  XDnDGrabGuard *guard = calloc(1, sizeof *guard + strlen(name) + 1);
  if (!guard) return NULL;
  strcpy(guard->name, name);
  guard->connection = connection;
  guard->window = window;
  guard->patience = patience;
  guard->end = eventfd(0, EFD_CLOEXEC);
  if (guard->end >= 0) {
    // No signal handler of the host runs on this thread.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&guard->thread, NULL, XDnDGuard, guard);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure == 0) return guard;
    close(guard->end);
  }
  free(guard);
  return NULL;
}

void XDnDGrabGuardNoteTurn(XDnDGrabGuard *guard) { atomic_fetch_add(&guard->turns, 1); }

void XDnDGrabGuardFree(XDnDGrabGuard *guard) {
  if (!guard) return;
  uint64_t one = 1;
  while (write(guard->end, &one, sizeof one) < 0 && errno == EINTR) {
  }
  pthread_join(guard->thread, NULL);
  close(guard->end);
  free(guard);
}
