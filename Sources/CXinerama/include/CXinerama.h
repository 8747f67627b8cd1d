#ifndef XDND_CXINERAMA_H
#define XDND_CXINERAMA_H

// The one request of the XINERAMA extension that is needed to place a window on the pointer's monitor. Servers with
// RANDR answer it too. The client library is not linked for one request; CXlibint.h explains why this is C.

struct _XDisplay;

/// A monitor, in root coordinates.
typedef struct {
  short x, y;
  unsigned short width, height;
} XDnDMonitor;

/// Returns the monitors; the caller frees them with `XFree`. `NULL` if the server does not report any.
XDnDMonitor *XDnDQueryMonitors(struct _XDisplay *display, int *count);

#endif
