#ifndef XDND_REQUEST_H
#define XDND_REQUEST_H

#include "CXlibint.h"

#include <X11/Xlibint.h>
#include <string.h>

// Writes a request and the data that follows it, and returns its serial number; 0 if the connection is lost and the
// output buffer is full. The display must be locked.
static inline unsigned long XDnDWrite(
    Display *dpy, const void *request, size_t size, const void *data, size_t length) {
  size_t units = (size + length + 3) / 4;
  size_t extra = 0;
  if (units > 0xFFFF && dpy->bigreq_size > 0) {
    // BIG-REQUESTS: a length of zero, followed by the length in 32 bits.
    extra = sizeof(CARD32);
  } else if (units > 0xFFFF) {
    // The server answers with `BadLength`, as it does to Xlib.
    units = size / 4;
    length = 0;
  }
  xReq *place = (xReq *)_XGetRequest(dpy, *(const CARD8 *)request, size + extra);
  if (place == NULL) return 0;
  CARD32 extended = (CARD32)units + 1;
  memcpy(place, request, sizeof(xReq));
  place->length = extra > 0 ? 0 : (CARD16)units;
  memcpy(place + 1, &extended, extra);
  memcpy((char *)(place + 1) + extra, (const char *)request + sizeof(xReq), size - sizeof(xReq));
  if (length > 0) Data(dpy, (const char *)data, (long)length);
  return X_DPY_GET_REQUEST(dpy);
}

#endif
