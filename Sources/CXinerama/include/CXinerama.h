#ifndef XDND_CXINERAMA_H
#define XDND_CXINERAMA_H

// The XINERAMA extension, as far as placing a window on the monitor of the pointer needs it: one request, which each
// server with RANDR answers too. Its client library is not linked for that; see CXShape.h for why this is C.

struct _XDisplay;

/// A monitor, in root coordinates.
typedef struct {
  short x, y;
  unsigned short width, height;
} XDnDMonitor;

/// The monitors; free them with `XFree`. `NULL` if the server does not say.
XDnDMonitor *XDnDQueryMonitors(struct _XDisplay *display, int *count);

#endif
