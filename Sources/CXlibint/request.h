#ifndef XDND_REQUEST_H
#define XDND_REQUEST_H

#include "CXlibint.h"

#include <X11/Xlibint.h>
#include <string.h>

// Writes a request and the data that follows it, and returns its serial number; 0 if the connection is lost and the output
// buffer is full. The display must be locked.
static inline unsigned long XDnDWrite(
    Display *dpy, const void *request, size_t size, const void *data, size_t length) {
  xReq *place = (xReq *)_XGetRequest(dpy, *(const CARD8 *)request, size);
  if (place == NULL) return 0;
  memcpy(place, request, size);
  place->length = (CARD16)((size + length + 3) / 4);
  if (length > 0) Data(dpy, (const char *)data, (long)length);
  return X_DPY_GET_REQUEST(dpy);
}

#endif
