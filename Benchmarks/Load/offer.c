/* A drag source that offers too much. It drags to a window without the pointer, or owns the clipboard.
 *
 *     offer WINDOW types COUNT       so many types in XdndTypeList
 *     offer WINDOW actions COUNT     so many actions in XdndActionList
 *     offer WINDOW entries COUNT     a text/uri-list of so many entries, by INCR
 *     offer 0 targets COUNT          so many types in the TARGETS of the clipboard
 *
 * Prints JSON lines: `ready` when all is prepared; then `answered` and `finished` with the seconds since Enter. It stays
 * until it is ended.
 */
#include "client.h"

#define PART (512 << 10)
#define NAMES 500 /* in a batch: XInternAtoms takes quadratic time */

typedef struct {
  Display *display;
  Window window, target;
  Atom text, list, targets, incr, selection;
  unsigned char *content;
  long length;
  Atom *types;
  long type_count;
  /* The INCR transfer that is under way. */
  Window requestor;
  Atom property;
  long offset;
} Source;

/* Many atoms in few round trips. */
static Atom *intern_many(Display *display, const char *format, long count) {
  Atom *atoms = calloc(count, sizeof *atoms);
  char *names[NAMES], text[NAMES][32];
  for (long first = 0; first < count; first += NAMES) {
    int number = count - first < NAMES ? count - first : NAMES;
    for (int i = 0; i < number; i++) {
      snprintf(text[i], sizeof text[i], format, first + i);
      names[i] = text[i];
    }
    XInternAtoms(display, names, number, False, atoms + first);
  }
  return atoms;
}

static void set_atoms(Source *source, Window window, Atom property, const Atom *atoms, long count) {
  XChangeProperty(source->display, window, property, XA_ATOM, 32, PropModeReplace, (const unsigned char *)atoms, count);
}

static void make_list(Source *source, long count) {
  source->content = malloc(count * 40 + 1);
  for (long i = 0; i < count; i++)
    source->length += sprintf((char *)source->content + source->length, "file:///nowhere/%07ld\r\n", i);
}

static void begin_transfer(Source *source, const XSelectionRequestEvent *request) {
  source->requestor = request->requestor, source->property = request->property, source->offset = 0;
  XSelectInput(source->display, request->requestor, PropertyChangeMask);
  XChangeProperty(
    source->display, request->requestor, request->property, source->incr, 32, PropModeReplace,
    (const unsigned char *)&source->length, 1);
}

static void send_part(Source *source) {
  long rest = source->length - source->offset, length = rest < PART ? rest : PART;
  XChangeProperty(
    source->display, source->requestor, source->property, source->list, 8, PropModeReplace,
    source->content + source->offset, length);
  source->offset += length;
  if (!length) source->property = None;
}

static void answer(Source *source, const XSelectionRequestEvent *request) {
  XEvent event = {.xselection = {
    .type = SelectionNotify, .requestor = request->requestor, .selection = request->selection, .target = request->target,
    .property = request->property, .time = request->time}};
  if (request->target == source->targets)
    set_atoms(source, request->requestor, request->property, source->types, source->type_count);
  else if (request->target == source->list && source->content)
    begin_transfer(source, request);
  else
    XChangeProperty(
      source->display, request->requestor, request->property, request->target, 8, PropModeReplace,
      (const unsigned char *)"Hello", 5);
  XSendEvent(source->display, request->requestor, False, NoEventMask, &event);
}

static void process(Source *source, const XEvent *event) {
  const XPropertyEvent *property = &event->xproperty;
  if (event->type == SelectionRequest)
    answer(source, &event->xselectionrequest);
  else if (event->type == PropertyNotify && property->state == PropertyDelete && property->window == source->requestor &&
           property->atom == source->property)
    send_part(source);
}

/* Processes events until the target sends the message. Returns its second word. */
static long wait_for(Source *source, const char *name, double begin, const char *event_name) {
  Atom type = atom(source->display, name);
  XEvent event;
  while (next_event(source->display, &event, TIME_LIMIT)) {
    process(source, &event);
    if (event.type != ClientMessage || event.xclient.message_type != type) continue;
    printf("{\"event\":\"%s\",\"seconds\":%.4f,\"accepted\":%ld}\n", event_name, now() - begin, event.xclient.data.l[1] & 1);
    return event.xclient.data.l[1];
  }
  fail("no answer");
  return 0;
}

static void drag(Source *source) {
  Atom copy = atom(source->display, "XdndActionCopy");
  bool is_long = source->type_count > 3;
  const Atom *types = source->types;
  const long enter[] = {source->window, 5L << 24 | is_long, types[0], source->type_count > 1 ? types[1] : None, None};
  const long position[] = {source->window, 0, 0, 1, copy}, drop[] = {source->window, 0, 1, 0, 0};
  double begin = now();
  send_message(source->display, source->target, atom(source->display, "XdndEnter"), enter);
  send_message(source->display, source->target, atom(source->display, "XdndPosition"), position);
  if (!(wait_for(source, "XdndStatus", begin, "answered") & 1)) wait_for(source, "XdndStatus", begin, "answered");
  send_message(source->display, source->target, atom(source->display, "XdndDrop"), drop);
  wait_for(source, "XdndFinished", begin, "finished");
}

int main(int count, char **arguments) {
  if (count != 4) fail("usage: offer WINDOW types|actions|entries|targets COUNT");
  begin_client();
  Source source = {.display = connect_display(), .target = strtoul(arguments[1], NULL, 0)};
  Display *display = source.display;
  const char *what = arguments[2];
  const long number = atol(arguments[3]);
  source.window = open_hidden_window(display);
  source.text = atom(display, "text/plain;charset=utf-8"), source.list = atom(display, "text/uri-list");
  source.targets = atom(display, "TARGETS"), source.incr = atom(display, "INCR");
  source.selection = atom(display, source.target ? "XdndSelection" : "CLIPBOARD");
  Atom actions[] = {atom(display, "XdndActionCopy")}, *first = &source.text;
  set_atoms(&source, source.window, atom(display, "XdndActionList"), actions, 1);
  if (!strcmp(what, "entries")) {
    make_list(&source, number);
    first = &source.list;
  }
  source.types = first, source.type_count = 1;
  if (!strcmp(what, "types") || !strcmp(what, "targets")) {
    source.types = intern_many(display, "application/x-load-%ld", number), source.type_count = number;
    source.types[0] = source.text;
    set_atoms(&source, source.window, atom(display, "XdndTypeList"), source.types, number);
  } else if (!strcmp(what, "actions")) {
    Atom *many = intern_many(display, "ActionLoad%ld", number);
    many[0] = actions[0];
    set_atoms(&source, source.window, atom(display, "XdndActionList"), many, number);
  }
  XSetSelectionOwner(display, source.selection, source.window, CurrentTime);
  XSync(display, False);
  printf("{\"event\":\"ready\",\"window\":%lu}\n", source.window);
  if (source.target) drag(&source);
  for (XEvent event;;) {
    XNextEvent(display, &event);
    process(&source, &event);
  }
}
