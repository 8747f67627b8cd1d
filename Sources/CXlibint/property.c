#include "CXlibint.h"

#include <X11/Xlibint.h>
#include <string.h>

// The display is named `dpy`, which the macros of Xlibint.h require.
void XDnDChangeProperty(
    Display *dpy, Window window, Atom property, Atom type, int format, int mode, const void *elements, size_t count) {
  size_t size = count * ((size_t)format / 8);
  size_t length = sz_xChangePropertyReq / 4 + (size + 3) / 4;
  xChangePropertyReq request = {
      .reqType = X_ChangeProperty,
      .mode = (CARD8)mode,
      .length = (CARD16)length,
      .window = (CARD32)window,
      .property = (CARD32)property,
      .type = (CARD32)type,
      .format = (CARD8)format,
      .nUnits = (CARD32)count,
  };
  const size_t head = 4;  // The opcode, the mode and the length.
  LockDisplay(dpy);
  // BIG-REQUESTS: a length of zero, followed by the length in 32 bits.
  size_t extra = length > 0xFFFF && dpy->bigreq_size > 0 ? 4 : 0;
  if (extra > 0) {
    length += 1;
    request.length = 0;
  } else if (length > 0xFFFF) {
    // The server answers with `BadLength`, as it does to Xlib.
    request.length = sz_xChangePropertyReq / 4;
    size = 0;
  }
  char *place = _XGetRequest(dpy, X_ChangeProperty, sz_xChangePropertyReq + extra);
  // `NULL` if the connection is lost and the buffer is full.
  if (place != NULL) {
    CARD32 extended = (CARD32)length;
    memcpy(place, &request, head);
    memcpy(place + head, &extended, extra);
    memcpy(place + head + extra, (const char *)&request + head, sz_xChangePropertyReq - head);
    if (size > 0) Data(dpy, (const char *)elements, (long)size);
  }
  UnlockDisplay(dpy);
  SyncHandle();
}
