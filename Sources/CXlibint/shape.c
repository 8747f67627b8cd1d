#include "request.h"

#include <X11/extensions/shapeproto.h>

// Has the layout of `XShapeEvent` in <X11/extensions/shape.h>, so that on a borrowed display it does not matter whether
// this converter or the host's was installed first.
typedef struct {
  int type;
  unsigned long serial;
  Bool send_event;
  Display *display;
  Window window;
  int kind;
  int x, y;
  unsigned width, height;
  Time time;
  Bool shaped;
} XDnDShapeEvent;

static Bool XDnDShapeWireToEvent(Display *display, XEvent *event, xEvent *wire) {
  const xShapeNotifyEvent *notify = (const xShapeNotifyEvent *)wire;
  XDnDShapeEvent *shape = (XDnDShapeEvent *)event;
  shape->type = notify->type & 0x7f;
  shape->serial = _XSetLastRequestRead(display, (xGenericReply *)wire);
  shape->send_event = (notify->type & 0x80) != 0;
  shape->display = display;
  shape->window = notify->window;
  shape->kind = notify->kind;
  shape->x = cvtINT16toInt(notify->x);
  shape->y = cvtINT16toInt(notify->y);
  shape->width = notify->width;
  shape->height = notify->height;
  shape->time = notify->time;
  shape->shaped = notify->shaped;
  return True;
}

void XDnDShapeDeliverEvents(Display *display, int eventType) {
  Bool (*previous)(Display *, XEvent *, xEvent *) = XESetWireToEvent(display, eventType, XDnDShapeWireToEvent);
  if (previous != _XUnknownWireEvent) {
    XESetWireToEvent(display, eventType, previous);
  }
}
