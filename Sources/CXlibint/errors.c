#include "CXlibint.h"

#include <X11/Xlibint.h>
#include <stdlib.h>

struct XDnDErrorFilter {
  _XAsyncHandler handler;
  XDnDErrorConsumer consume;
  void *context;
};

// `_XError` calls this with each error before it calls the error handler of the process. It is called with replies, too.
static Bool XDnDErrorFilterReceive(Display *dpy, xReply *reply, char *bytes, int length, XPointer data) {
  const XDnDErrorFilter *filter = (const XDnDErrorFilter *)data;
  (void)bytes;
  (void)length;
  if (reply->generic.type != X_Error) return False;
  // `_XError` has set it to the number of the failed request.
  unsigned long serial = dpy->last_request_read;
  return filter->consume(filter->context, serial, reply->error.errorCode, reply->error.resourceID) ? True : False;
}

XDnDErrorFilter *XDnDErrorFilterCreate(Display *dpy, XDnDErrorConsumer consume, void *context) {
  XDnDErrorFilter *filter = calloc(1, sizeof(XDnDErrorFilter));
  if (filter == NULL) abort();
  filter->handler.handler = XDnDErrorFilterReceive;
  filter->handler.data = (XPointer)filter;
  filter->consume = consume;
  filter->context = context;
  LockDisplay(dpy);
  filter->handler.next = dpy->async_handlers;
  dpy->async_handlers = &filter->handler;
  UnlockDisplay(dpy);
  return filter;
}

void XDnDErrorFilterRemove(XDnDErrorFilter *filter, Display *dpy) {
  LockDisplay(dpy);
  DeqAsyncHandler(dpy, &filter->handler);
  UnlockDisplay(dpy);
}

void XDnDErrorFilterFree(XDnDErrorFilter *filter) { free(filter); }
