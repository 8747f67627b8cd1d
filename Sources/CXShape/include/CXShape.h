#ifndef XDND_CXSHAPE_H
#define XDND_CXSHAPE_H

// The SHAPE extension, as far as finding the window under the pointer needs it.
//
// Its client library is libXext, which this package does not link for three requests and an event. Xlib lets any
// extension speak through the interface that libXext itself is written against, Xlibint.h. That interface is macros,
// which Swift cannot use, and it shows what is inside a `Display`, which nobody else here should see: so this is C, in
// a file of its own.

#include <X11/Xlib.h>
#include <X11/extensions/shapeconst.h>

/// Makes Xlib deliver `ShapeNotify`, which it drops unless somebody converts it. A converter that the host has
/// installed through libXext stays.
void XDnDShapeDeliverEvents(Display *display, int eventType);

/// Asks for `ShapeNotify` of a window, or no longer.
void XDnDShapeSelectInput(Display *display, int opcode, Window window, Bool enable);

/// Whether this client has asked for `ShapeNotify` of a window; -1 if the request failed.
int XDnDShapeInputSelected(Display *display, int opcode, Window window);

/// The rectangles of a window's shape, relative to the inside of its border; free them with `XFree`.
///
/// `NULL` if the request failed. An empty shape has a count of zero, and is not `NULL`.
XRectangle *XDnDShapeGetRectangles(Display *display, int opcode, Window window, int kind, int *count);

#endif
