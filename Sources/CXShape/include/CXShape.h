#ifndef XDND_CXSHAPE_H
#define XDND_CXSHAPE_H

// The SHAPE extension, as far as finding the window under the pointer needs it.
//
// Its client library is libXext, which this package does not link for three requests and an event. Xlib lets any
// extension speak through the interface that libXext itself is written against, Xlibint.h. That interface is macros,
// which Swift cannot use, and it shows what is inside a `Display`, which nobody else here should see: so this is C, in
// a file of its own.

// Xlib.h is left to CX11: Swift would not know which of the two modules its types come from.

#include <X11/extensions/shapeconst.h>

struct _XDisplay;

/// The layout of `XRectangle`.
typedef struct {
  short x, y;
  unsigned short width, height;
} XDnDRectangle;

/// Makes Xlib deliver `ShapeNotify`, which it drops unless somebody converts it. A converter that the host has
/// installed through libXext stays.
void XDnDShapeDeliverEvents(struct _XDisplay *display, int eventType);

/// Asks for `ShapeNotify` of a window, or no longer.
void XDnDShapeSelectInput(struct _XDisplay *display, int opcode, unsigned long window, int enable);

/// Whether this client has asked for `ShapeNotify` of a window; -1 if the request failed.
int XDnDShapeInputSelected(struct _XDisplay *display, int opcode, unsigned long window);

/// The rectangles of a window's shape, relative to the inside of its border; free them with `XFree`.
///
/// `NULL` if the request failed. An empty shape has a count of zero, and is not `NULL`.
XDnDRectangle *XDnDShapeGetRectangles(struct _XDisplay *display, int opcode, unsigned long window, int kind, int *count);

#endif
