/* Floods a window with events of one kind, as fast as the server takes them, and measures when its program has processed
 * them.
 *
 *     flood KIND COUNT WINDOW PINGED [PEER]
 *
 * WINDOW gets the events, which name PEER as the other side of the drag; by default that is a window of this client. PINGED,
 * a window of the same program, gets _NET_WM_PING every thousand events and after the last one. Its answer comes when the
 * program has processed what came before it.
 *
 * Prints JSON lines: `sent` when the server has taken all, and `processed`. Then it stays until it is
 * ended: its windows exist, and the program cannot clean up because a peer is gone. It answers nothing.
 */
#include "client.h"

#define BATCH 1000

typedef struct {
  Display *display;
  Window window, pinged, peer, own;
  Atom enter, position, leave, drop, status, finished, selection, property, text, copy, types, actions, protocols, ping;
  double *pings, longest_ping, begin;
  long ping_count, pongs;
} Flood;

typedef void (*Send)(const Flood *, long index);

static void send(const Flood *flood, Atom type, long first, long second, long third, long fourth) {
  const long words[] = {flood->peer, first, second, third, fourth};
  send_message(flood->display, flood->window, type, words);
}

static void send_enter(const Flood *flood, long index) {
  (void)index;
  send(flood, flood->enter, 5L << 24 | 1, flood->text, 0, 0);
}

static void send_position(const Flood *flood, long index) {
  send(flood, flood->position, 0, (index % 200 + 20) << 16 | (index / 200 % 200 + 20), index + 1, flood->copy);
}

static void send_leave(const Flood *flood, long index) { (void)index, send(flood, flood->leave, 0, 0, 0, 0); }
static void send_drop(const Flood *flood, long index) { send(flood, flood->drop, 0, index + 1, 0, 0); }
static void send_status(const Flood *flood, long index) { (void)index, send(flood, flood->status, 3, 0, 0, flood->copy); }
static void send_finished(const Flood *flood, long index) {
  (void)index;
  send(flood, flood->finished, 1, flood->copy, 0, 0);
}

static void send_visit(const Flood *flood, long index) {
  (index % 3 == 0 ? send_enter : index % 3 == 1 ? send_position : send_leave)(flood, index);
}

static void send_visit_with_drop(const Flood *flood, long index) {
  (index % 3 == 0 ? send_enter : index % 3 == 1 ? send_position : send_drop)(flood, index);
}

static void send_event(const Flood *flood, XEvent *event) {
  XSendEvent(flood->display, flood->window, False, NoEventMask, event);
}

static void send_request(const Flood *flood, long index) {
  XEvent event = {.xselectionrequest = {
    .type = SelectionRequest, .owner = flood->window, .requestor = flood->own, .selection = flood->selection,
    .target = flood->text, .property = flood->property, .time = index + 1}};
  send_event(flood, &event);
}

static void send_property(const Flood *flood, long index) {
  XEvent event = {.xproperty = {
    .type = PropertyNotify, .window = flood->window, .time = index + 1, .state = PropertyNewValue,
    .atom = index % 2 ? flood->actions : flood->property}};
  send_event(flood, &event);
}

static void send_notify(const Flood *flood, long index) {
  XEvent event = {.xselection = {
    .type = SelectionNotify, .requestor = flood->window, .selection = flood->selection, .target = flood->text,
    .property = index % 2 ? flood->property : None, .time = index + 1}};
  send_event(flood, &event);
}

static const struct { const char *name; Send send; } kinds[] = {
  {"enter", send_enter}, {"position", send_position}, {"leave", send_leave}, {"drop", send_drop}, {"status", send_status},
  {"finished", send_finished}, {"request", send_request}, {"property", send_property}, {"notify", send_notify},
  {"visit", send_visit}, {"visit-drop", send_visit_with_drop}};

static Send find_kind(const char *name) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(kinds[i].name, name)) return kinds[i].send;
  fail("no such kind");
  return NULL;
}

static void intern_atoms(Flood *flood) {
  const struct { Atom *atom; const char *name; } all[] = {
    {&flood->enter, "XdndEnter"}, {&flood->position, "XdndPosition"}, {&flood->leave, "XdndLeave"},
    {&flood->drop, "XdndDrop"}, {&flood->status, "XdndStatus"}, {&flood->finished, "XdndFinished"},
    {&flood->selection, "XdndSelection"}, {&flood->property, "LOAD"}, {&flood->text, "text/plain;charset=utf-8"},
    {&flood->copy, "XdndActionCopy"}, {&flood->types, "XdndTypeList"}, {&flood->actions, "XdndActionList"},
    {&flood->protocols, "WM_PROTOCOLS"}, {&flood->ping, "_NET_WM_PING"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i].atom = atom(flood->display, all[i].name);
}

static void send_ping(Flood *flood) {
  const long words[] = {flood->ping, flood->ping_count + 1, flood->pinged, 0, 0};
  flood->pings[flood->ping_count++] = now();
  send_message(flood->display, flood->pinged, flood->protocols, words);
}

static void read_event(Flood *flood, const XEvent *event) {
  if (event->type != ClientMessage || event->xclient.message_type != flood->protocols) return;
  if (event->xclient.data.l[0] != (long)flood->ping) return;
  long number = event->xclient.data.l[1];
  if (number < 1 || number > flood->ping_count) return;
  double delay = now() - flood->pings[number - 1];
  if (delay > flood->longest_ping) flood->longest_ping = delay;
  flood->pongs = number;
}

static void read_events(Flood *flood) {
  while (XPending(flood->display)) {
    XEvent event;
    XNextEvent(flood->display, &event);
    read_event(flood, &event);
  }
}

static void report(const Flood *flood, const char *event) {
  printf("{\"event\":\"%s\",\"seconds\":%.4f,\"longest_ping\":%.4f}\n", event, now() - flood->begin, flood->longest_ping);
}

static void wait_for_last_pong(Flood *flood) {
  XEvent event;
  while (flood->pongs < flood->ping_count && next_event(flood->display, &event, TIME_LIMIT)) read_event(flood, &event);
}

static void stay(Flood *flood) {
  XEvent event;
  while (next_event(flood->display, &event, TIME_LIMIT)) {}
}

int main(int count, char **arguments) {
  if (count < 5) fail("usage: flood KIND COUNT WINDOW PINGED [PEER]");
  begin_client();
  Flood flood = {
    .display = connect_display(), .window = strtoul(arguments[3], NULL, 0), .pinged = strtoul(arguments[4], NULL, 0)};
  const Send send_one = find_kind(arguments[1]);
  const long number = atol(arguments[2]);
  flood.pings = calloc(number / BATCH + 2, sizeof *flood.pings);
  flood.own = open_hidden_window(flood.display);
  flood.peer = count > 5 ? strtoul(arguments[5], NULL, 0) : flood.own;
  intern_atoms(&flood);
  const Atom types[] = {flood.text, XA_STRING}, actions[] = {flood.copy};
  XChangeProperty(flood.display, flood.own, flood.types, XA_ATOM, 32, PropModeReplace, (const unsigned char *)types, 2);
  XChangeProperty(flood.display, flood.own, flood.actions, XA_ATOM, 32, PropModeReplace, (const unsigned char *)actions, 1);
  /* Answers to pings go to the root. */
  XSelectInput(flood.display, DefaultRootWindow(flood.display), SubstructureNotifyMask);
  /* A source in the middle of a drag would lose it with the selection. */
  if (send_one == send_visit_with_drop || (send_one == send_drop && flood.window == flood.pinged))
    XSetSelectionOwner(flood.display, flood.selection, flood.own, CurrentTime);
  XSync(flood.display, False);

  flood.begin = now();
  if (send_one == send_position || send_one == send_drop) send_enter(&flood, 0);
  if (send_one == send_drop) send_position(&flood, 0);
  for (long i = 0; i < number; i++) {
    send_one(&flood, i);
    if (i % BATCH) continue;
    send_ping(&flood);
    read_events(&flood);
  }
  send_ping(&flood);
  XSync(flood.display, False);
  report(&flood, "sent");
  wait_for_last_pong(&flood);
  report(&flood, "processed");
  stay(&flood);
}
