#ifndef XDND_CX11_SHAPE_H
#define XDND_CX11_SHAPE_H

// The SHAPE extension, as far as finding the window under the pointer needs it.
//
// Its client library is libXext, which this package does not link for three requests and an event. Xlib lets any
// extension speak through the interface that libXext itself is written against, Xlibint.h. Swift cannot: that
// interface is macros.

#include <X11/Xlibint.h>
#include <X11/extensions/shapeconst.h>
#include <X11/extensions/shapeproto.h>

/// `ShapeNotify` in the layout of `XShapeEvent` in <X11/extensions/shape.h>, so that on a display that a host shares
/// with us, it does not matter whose converter was installed first.
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

static inline Bool XDnDShapeWireToEvent(Display *display, XEvent *event, xEvent *wire) {
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

/// Makes Xlib deliver `ShapeNotify`, which it drops unless somebody converts it. A converter that the host has
/// installed through libXext stays.
static inline void XDnDShapeDeliverEvents(Display *display, int eventType) {
  Bool (*previous)(Display *, XEvent *, xEvent *) = XESetWireToEvent(display, eventType, XDnDShapeWireToEvent);
  if (previous != _XUnknownWireEvent) {
    XESetWireToEvent(display, eventType, previous);
  }
}

// From here on the display is called `dpy`, since the macros of Xlibint.h say so.

/// Asks for `ShapeNotify` of a window, or no longer.
static inline void XDnDShapeSelectInput(Display *dpy, int opcode, Window window, Bool enable) {
  xShapeSelectInputReq *request;
  LockDisplay(dpy);
  GetReq(ShapeSelectInput, request);
  request->reqType = (CARD8)opcode;
  request->shapeReqType = X_ShapeSelectInput;
  request->window = (CARD32)window;
  request->enable = (BYTE)enable;
  UnlockDisplay(dpy);
  SyncHandle();
}

/// Whether this client has asked for `ShapeNotify` of a window; -1 if the request failed.
static inline int XDnDShapeInputSelected(Display *dpy, int opcode, Window window) {
  xShapeInputSelectedReq *request;
  xShapeInputSelectedReply reply;
  int answer = -1;
  LockDisplay(dpy);
  GetReq(ShapeInputSelected, request);
  request->reqType = (CARD8)opcode;
  request->shapeReqType = X_ShapeInputSelected;
  request->window = (CARD32)window;
  if (_XReply(dpy, (xReply *)&reply, 0, xTrue)) answer = reply.enabled;
  UnlockDisplay(dpy);
  SyncHandle();
  return answer;
}

/// The rectangles of a window's shape, relative to the inside of its border; free them with `XFree`.
///
/// `NULL` if the request failed. An empty shape has a count of zero, and is not `NULL`.
static inline XRectangle *XDnDShapeGetRectangles(
    Display *dpy, int opcode, Window window, int kind, int *count) {
  xShapeGetRectanglesReq *request;
  xShapeGetRectanglesReply reply;
  XRectangle *rectangles = NULL;
  *count = 0;
  LockDisplay(dpy);
  GetReq(ShapeGetRectangles, request);
  request->reqType = (CARD8)opcode;
  request->shapeReqType = X_ShapeGetRectangles;
  request->window = (CARD32)window;
  request->kind = (CARD8)kind;
  if (_XReply(dpy, (xReply *)&reply, 0, xFalse)) {
    // A server that announces more rectangles than it sends would make the read wait for ever.
    if (reply.length < (1u << 24) && reply.nrects <= reply.length / 2) {
      rectangles = (XRectangle *)Xmalloc((reply.nrects + 1) * sizeof(XRectangle));
    }
    if (rectangles != NULL) {
      _XRead(dpy, (char *)rectangles, (long)reply.nrects * (long)sizeof(XRectangle));
      _XEatDataWords(dpy, reply.length - reply.nrects * 2);
      *count = (int)reply.nrects;
    } else {
      _XEatDataWords(dpy, reply.length);
    }
  }
  UnlockDisplay(dpy);
  SyncHandle();
  return rectangles;
}

#endif
