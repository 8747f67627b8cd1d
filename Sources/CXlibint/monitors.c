#include "CXlibint.h"

#include <X11/Xlibint.h>
#include <X11/extensions/panoramiXproto.h>

// The display is named `dpy`, which the macros of Xlibint.h require.

XDnDMonitor *XDnDQueryMonitors(Display *dpy, int *count) {
  xXineramaQueryScreensReq *request;
  xXineramaQueryScreensReply reply;
  XDnDMonitor *monitors = NULL;
  int opcode, event, error;
  *count = 0;
  if (!XQueryExtension(dpy, "XINERAMA", &opcode, &event, &error)) return NULL;
  LockDisplay(dpy);
  GetReq(XineramaQueryScreens, request);
  request->reqType = (CARD8)opcode;
  request->panoramiXReqType = X_XineramaQueryScreens;
  if (_XReply(dpy, (xReply *)&reply, 0, xFalse)) {
    // If a server announced more monitors than it sends, the read would block forever.
    if (reply.number > 0 && reply.number <= 1024 && reply.number <= reply.length / 2) {
      monitors = (XDnDMonitor *)Xmalloc(reply.number * sizeof(XDnDMonitor));
    }
    if (monitors != NULL) {
      _XRead(dpy, (char *)monitors, (long)reply.number * (long)sizeof(XDnDMonitor));
      _XEatDataWords(dpy, reply.length - reply.number * 2);
      *count = (int)reply.number;
    } else {
      _XEatDataWords(dpy, reply.length);
    }
  }
  UnlockDisplay(dpy);
  SyncHandle();
  return monitors;
}
