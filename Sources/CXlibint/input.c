#include "request.h"

#include <X11/extensions/XI2.h>
#include <X11/extensions/XI2proto.h>
#include <stdlib.h>

// Has the layout of `XIDeviceEvent` in <X11/extensions/XInput2.h>, so that it does not matter whether this converter or
// libXi's made an event.
typedef struct {
  int type;
  unsigned long serial;
  Bool send_event;
  Display *display;
  int extension;
  int evtype;
  Time time;
  int deviceid;
  int sourceid;
  int detail;
  Window root;
  Window event;
  Window child;
  double root_x;
  double root_y;
  double event_x;
  double event_y;
  int flags;
  struct {
    int mask_len;
    unsigned char *mask;
  } buttons;
  struct {
    int mask_len;
    unsigned char *mask;
    double *values;
  } valuators;
  struct {
    int base, latched, locked, effective;
  } mods, group;
} XDnDDeviceEvent;

static bool XDnDIsDeviceEvent(int kind) {
  switch (kind) {
    case XI_KeyPress:
    case XI_KeyRelease:
    case XI_ButtonPress:
    case XI_ButtonRelease:
    case XI_Motion:
    case XI_TouchBegin:
    case XI_TouchUpdate:
    case XI_TouchEnd: return true;
    default: return false;
  }
}

static double XDnDFromFixed(FP1616 number) { return (double)number / 65536; }

// Makes the data of a device event, without the valuators; `NULL` if the event is too short for its button mask.
static XDnDDeviceEvent *XDnDDeviceEventCreate(const XGenericEventCookie *cookie, const xXIDeviceEvent *wire) {
  size_t size = sizeof(xEvent) + (size_t)wire->length * 4;
  size_t buttons = (size_t)wire->buttons_len * 4;
  if (size < sizeof(xXIDeviceEvent) + buttons) return NULL;
  // One block: Xlib frees it with one call of `XFree`.
  XDnDDeviceEvent *event = calloc(1, sizeof(XDnDDeviceEvent) + buttons);
  if (event == NULL) return NULL;
  event->type = cookie->type;
  event->serial = cookie->serial;
  event->send_event = cookie->send_event;
  event->display = cookie->display;
  event->extension = cookie->extension;
  event->evtype = cookie->evtype;
  event->time = wire->time;
  event->deviceid = wire->deviceid;
  event->sourceid = wire->sourceid;
  event->detail = (int)wire->detail;
  event->root = wire->root;
  event->event = wire->event;
  event->child = wire->child;
  event->root_x = XDnDFromFixed(wire->root_x);
  event->root_y = XDnDFromFixed(wire->root_y);
  event->event_x = XDnDFromFixed(wire->event_x);
  event->event_y = XDnDFromFixed(wire->event_y);
  event->flags = (int)wire->flags;
  event->mods.base = (int)wire->mods.base_mods;
  event->mods.latched = (int)wire->mods.latched_mods;
  event->mods.locked = (int)wire->mods.locked_mods;
  event->mods.effective = (int)wire->mods.effective_mods;
  event->group.base = wire->group.base_group;
  event->group.latched = wire->group.latched_group;
  event->group.locked = wire->group.locked_group;
  event->group.effective = wire->group.effective_group;
  event->buttons.mask_len = (int)buttons;
  event->buttons.mask = (unsigned char *)(event + 1);
  memcpy(event->buttons.mask, wire + 1, buttons);
  event->valuators.mask = event->buttons.mask + buttons;
  event->valuators.values = (double *)(void *)event->valuators.mask;
  return event;
}

// Xlib queues the event whatever this returns, and frees its data later. `cookie` still holds an earlier event, so each
// member has to be set.
static Bool XDnDInputWireToCookie(Display *display, XGenericEventCookie *cookie, xEvent *wire) {
  const xXIDeviceEvent *event = (const xXIDeviceEvent *)wire;
  memset(cookie, 0, sizeof(*cookie));
  cookie->type = event->type & 0x7f;
  cookie->serial = _XSetLastRequestRead(display, (xGenericReply *)wire);
  cookie->send_event = (event->type & 0x80) != 0;
  cookie->display = display;
  cookie->extension = event->extension;
  cookie->evtype = event->evtype;
  if (XDnDIsDeviceEvent(event->evtype)) cookie->data = XDnDDeviceEventCreate(cookie, event);
  return True;
}

void XDnDInputDeliverEvents(Display *display, int opcode) {
  Bool (*previous)(Display *, XGenericEventCookie *, xEvent *) =
      XESetWireToEventCookie(display, opcode, XDnDInputWireToCookie);
  if (previous != NULL && previous != _XUnknownWireEventCookie) XESetWireToEventCookie(display, opcode, previous);
}

static int XDnDFloor(double number) {
  int integer = (int)number;
  return number < integer ? integer - 1 : integer;
}

typedef void (*XDnDDeviceEventUse)(XDnDDeviceEvent *event, void *argument);

// Calls `use` with the data of a device event. Returns `false` for other events, and for events without data.
static bool XDnDInputUseEvent(
    Display *dpy, const void *event, int opcode, XDnDDeviceEventUse use, void *argument) {
  XEvent copy;
  copy.xcookie = *(const XGenericEventCookie *)event;
  XGenericEventCookie *cookie = &copy.xcookie;
  if (cookie->type != GenericEvent || cookie->extension != opcode || !XDnDIsDeviceEvent(cookie->evtype)) return false;
  bool isFetched = cookie->data == NULL;
  if (isFetched && !XGetEventData(dpy, cookie)) return false;
  bool hasData = cookie->data != NULL;
  if (hasData) use(cookie->data, argument);
  if (isFetched) {
    // Returns the data to Xlib, which gives it to the host, or frees it with the next event.
    LockDisplay(dpy);
    _XStoreEventCookie(dpy, &copy);
    UnlockDisplay(dpy);
  }
  return hasData;
}

static void XDnDInputDecode(XDnDDeviceEvent *event, void *argument) {
  XDnDInputEvent *result = argument;
  result->kind = event->evtype;
  result->device = event->deviceid;
  result->isSent = event->send_event != False;
  result->serial = event->serial;
  result->time = event->time;
  result->detail = (unsigned)event->detail;
  result->root = event->root;
  result->window = event->event;
  result->child = event->child;
  result->x = XDnDFloor(event->event_x);
  result->y = XDnDFloor(event->event_y);
  result->rootX = XDnDFloor(event->root_x);
  result->rootY = XDnDFloor(event->root_y);
  result->state = ((unsigned)event->mods.effective & 0xff) | ((unsigned)event->group.effective & 3) << 13;
  for (int button = 1; button <= 5; button++) {
    if (event->buttons.mask_len > 0 && event->buttons.mask[0] & 1 << button) result->state |= 1u << (7 + button);
  }
}

bool XDnDInputReadEvent(Display *dpy, const void *event, int opcode, XDnDInputEvent *result) {
  return XDnDInputUseEvent(dpy, event, opcode, XDnDInputDecode, result);
}

typedef struct {
  Window window;
  int x, y;
} XDnDEventWindow;

static void XDnDInputRedirect(XDnDDeviceEvent *event, void *argument) {
  const XDnDEventWindow *place = argument;
  event->event = place->window;
  event->child = None;
  event->event_x = event->root_x - place->x;
  event->event_y = event->root_y - place->y;
}

void XDnDInputRedirectEvent(Display *dpy, const void *event, int opcode, Window window, int x, int y) {
  XDnDEventWindow place = {window, x, y};
  (void)XDnDInputUseEvent(dpy, event, opcode, XDnDInputRedirect, &place);
}
