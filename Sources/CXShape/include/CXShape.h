#ifndef XDND_CXSHAPE_H
#define XDND_CXSHAPE_H

// The part of the SHAPE extension that hit testing needs.
//
// Its client library is libXext. This package does not link it for three requests and an event, but implements them
// with Xlibint.h, the interface that libXext itself uses. That interface consists of macros, which Swift cannot import,
// and exposes the private part of `Display`. So this is C, in a target of its own.

// Does not include Xlib.h: its types would then belong to two modules, this one and CX11.

#include <X11/extensions/shapeconst.h>

struct _XDisplay;

/// A rectangle with the layout of `XRectangle`.
typedef struct {
  short x, y;
  unsigned short width, height;
} XDnDRectangle;

/// Installs a converter for `ShapeNotify`, without which Xlib drops the event. Keeps a converter that the host has
/// installed through libXext.
void XDnDShapeDeliverEvents(struct _XDisplay *display, int eventType);

/// Selects or deselects `ShapeNotify` of a window.
void XDnDShapeSelectInput(struct _XDisplay *display, int opcode, unsigned long window, int enable);

/// Whether this client has selected `ShapeNotify` of a window; -1 if the request failed.
int XDnDShapeInputSelected(struct _XDisplay *display, int opcode, unsigned long window);

/// Returns the rectangles of a window's shape, relative to the inside of its border. The caller frees them with
/// `XFree`.
///
/// `NULL` if the request failed. An empty shape has a count of 0 and is not `NULL`.
XDnDRectangle *XDnDShapeGetRectangles(struct _XDisplay *display, int opcode, unsigned long window, int kind, int *count);

#endif
