/* Requests a selection many times at once. Each second requestor never reads what it gets.
 *
 *     requestors SELECTION TYPE COUNT CLIENTS
 *
 * The requestors are windows of so many clients. Prints a JSON line when each that reads was served or refused: how many,
 * how many bytes the shortest and the longest had, and after how many seconds the median and the last of the served were
 * served, and the first of the refused was refused.
 */
#include "client.h"

#define PATIENCE 120 /* seconds */

typedef enum { WAITING, READING, SERVED, REFUSED } State;
typedef struct { State state; long length; double end; } Requestor;
typedef struct { Display *display; Window first; } Client;

static Atom selection, incr, property;
static double begin;
static long open_count, counts[REFUSED + 1];

static void end(Requestor *requestor, State state) {
  requestor->state = state;
  requestor->end = now() - begin;
  counts[state]++;
  open_count--;
}

static void read_property(Client *client, Window window, Requestor *requestor) {
  Atom type;
  int format;
  unsigned long items, rest;
  unsigned char *data = NULL;
  if (XGetWindowProperty(
        client->display, window, property, 0, 1 << 24, True, AnyPropertyType, &type, &format, &items, &rest, &data)) return;
  XFree(data);
  if (type == None) return;
  if (type == incr) {
    requestor->state = READING;
  } else {
    requestor->length += items;
    if (requestor->state == WAITING || !items) end(requestor, SERVED);
  }
}

static void process(Client *clients, long client_count, long number, Requestor *all, XEvent *event) {
  Client *client = &clients[number];
  Window window = event->xany.window; /* that of a SelectionNotify is its requestor */
  long index = (long)(window - client->first) * client_count + number;
  Requestor *requestor = &all[index];
  if (index % 2 || requestor->state >= SERVED) return;
  if (event->type == SelectionNotify && event->xselection.property == None) return end(requestor, REFUSED);
  if (event->type == SelectionNotify) return read_property(client, window, requestor);
  if (event->type == PropertyNotify && event->xproperty.state == PropertyNewValue && requestor->state == READING)
    read_property(client, window, requestor);
}

static int by_number(const void *a, const void *b) {
  double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

static void report(const Requestor *all, long count) {
  double *ends = calloc(count, sizeof *ends);
  double first_refused = -1;
  long served = 0, shortest = -1, longest = 0;
  for (long i = 0; i < count; i += 2) {
    if (all[i].state == REFUSED && (first_refused < 0 || all[i].end < first_refused)) first_refused = all[i].end;
    if (all[i].state != SERVED) continue;
    ends[served++] = all[i].end;
    if (shortest < 0 || all[i].length < shortest) shortest = all[i].length;
    if (all[i].length > longest) longest = all[i].length;
  }
  qsort(ends, served, sizeof *ends, by_number);
  printf(
    "{\"event\":\"requested\",\"served\":%ld,\"refused\":%ld,\"unanswered\":%ld,\"shortest\":%ld,\"longest\":%ld,"
    "\"median\":%.4f,\"last\":%.4f,\"first_refused\":%.4f}\n", served, counts[REFUSED], open_count, shortest, longest,
    served ? ends[served / 2] : 0, served ? ends[served - 1] : 0, first_refused);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 5) fail("usage: requestors SELECTION TYPE COUNT CLIENTS");
  begin_client();
  const long count = atol(arguments[3]), client_count = atol(arguments[4]);
  Requestor *all = calloc(count, sizeof *all);
  Client *clients = calloc(client_count, sizeof *clients);
  struct pollfd *waits = calloc(client_count, sizeof *waits);
  for (long i = 0; i < count; i++) {
    Client *client = &clients[i % client_count];
    if (i < client_count) client->display = connect_display();
    Window window = open_hidden_window(client->display);
    if (i < client_count) client->first = window;
    /* Those that never read are not told of parts, either. */
    if (i % 2 == 0) XSelectInput(client->display, window, PropertyChangeMask);
  }
  for (long i = 0; i < client_count; i++) {
    waits[i] = (struct pollfd){.fd = ConnectionNumber(clients[i].display), .events = POLLIN};
    selection = atom(clients[i].display, arguments[1]), incr = atom(clients[i].display, "INCR");
    property = atom(clients[i].display, "LOAD");
    XSync(clients[i].display, False);
  }
  Atom type = atom(clients[0].display, arguments[2]);

  begin = now();
  open_count = (count + 1) / 2;
  for (long i = 0; i < count; i++) {
    Client *client = &clients[i % client_count];
    XConvertSelection(client->display, selection, type, property, client->first + i / client_count, CurrentTime);
  }
  for (long i = 0; i < client_count; i++) XFlush(clients[i].display);
  while (open_count && now() - begin < PATIENCE) {
    for (long i = 0; i < client_count; i++)
      while (XPending(clients[i].display)) {
        XEvent event;
        XNextEvent(clients[i].display, &event);
        process(clients, client_count, i, all, &event);
      }
    if (open_count) poll(waits, client_count, 1000);
  }
  report(all, count);
  /* Those that have not read stay until the program is ended. */
  pause();
}
