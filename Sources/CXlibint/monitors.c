#include "CXlibint.h"

#include <X11/Xlibint.h>
#include <X11/extensions/panoramiXproto.h>
#include <X11/extensions/randr.h>
#include <X11/extensions/randrproto.h>

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

// The caller frees the name with `XFree`.
static char *XDnDOutputName(Display *dpy, int opcode, CARD32 output, Time time) {
  xRRGetOutputInfoReq *request;
  xRRGetOutputInfoReply reply;
  char *name = NULL;
  LockDisplay(dpy);
  GetReq(RRGetOutputInfo, request);
  request->reqType = (CARD8)opcode;
  request->randrReqType = X_RRGetOutputInfo;
  request->output = output;
  request->configTimestamp = (CARD32)time;
  if (_XReply(dpy, (xReply *)&reply, (sz_xRRGetOutputInfoReply - sz_xReply) / 4, xFalse)) {
    // The ids of CRTCs, modes and clones come first.
    unsigned long ids = 4ul * (reply.nCrtcs + reply.nModes + reply.nClones);
    unsigned long left = 4ul * reply.length - (sz_xRRGetOutputInfoReply - sz_xReply);
    if (reply.nameLength > 0 && ids + reply.nameLength <= left) name = Xmalloc(reply.nameLength + 1ul);
    if (name != NULL) {
      _XEatData(dpy, ids);
      _XRead(dpy, name, reply.nameLength);
      name[reply.nameLength] = 0;
      left -= ids + reply.nameLength;
    }
    _XEatData(dpy, left);
  }
  UnlockDisplay(dpy);
  SyncHandle();
  return name;
}

char *XDnDFirstOutput(Display *dpy) {
  xRRGetScreenResourcesCurrentReq *request;
  xRRGetScreenResourcesCurrentReply reply;
  CARD32 output = 0;
  int opcode, event, error;
  if (!XQueryExtension(dpy, "RANDR", &opcode, &event, &error)) return NULL;
  LockDisplay(dpy);
  GetReq(RRGetScreenResourcesCurrent, request);
  request->reqType = (CARD8)opcode;
  request->randrReqType = X_RRGetScreenResourcesCurrent;
  request->window = (CARD32)RootWindow(dpy, DefaultScreen(dpy));
  if (_XReply(dpy, (xReply *)&reply, 0, xFalse)) {
    unsigned long left = 4ul * reply.length, controllers = 4ul * reply.nCrtcs;
    if (reply.nOutputs > 0 && controllers + sizeof output <= left) {
      _XEatData(dpy, controllers);
      _XRead(dpy, (char *)&output, sizeof output);
      left -= controllers + sizeof output;
    }
    _XEatData(dpy, left);
  }
  UnlockDisplay(dpy);
  SyncHandle();
  return output == 0 ? NULL : XDnDOutputName(dpy, opcode, output, (Time)reply.configTimestamp);
}
