#include "CXlibint.h"

#include <X11/Xlibint.h>
#include <X11/extensions/XI2.h>
#include <X11/extensions/XI2proto.h>
#include <X11/extensions/shapeproto.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  unsigned long serial;
  size_t size;
  void *bytes;
} XDnDReply;

struct XDnDBatch {
  Display *display;
  _XAsyncHandler handler;
  XDnDReply *replies;
  int count, capacity;
  // The first request that neither a reply nor an error has come for.
  int next;
};

// Xlib calls this with each reply and each error that no caller waits for, in the order of the requests.
static Bool XDnDBatchReceive(Display *dpy, xReply *reply, char *bytes, int length, XPointer data) {
  XDnDBatch *batch = (XDnDBatch *)data;
  unsigned long serial = dpy->last_request_read;
  while (batch->next < batch->count && batch->replies[batch->next].serial < serial) batch->next++;
  if (batch->next == batch->count || batch->replies[batch->next].serial != serial) return False;
  XDnDReply *answer = &batch->replies[batch->next++];
  if (reply->generic.type == X_Error) return True;
  size_t size = sizeof(xReply) + (size_t)reply->generic.length * 4;
  // Over XCB, Xlib always has the whole reply.
  if (length < 0 || (size_t)length < size) return False;
  answer->bytes = malloc(size);
  if (answer->bytes != NULL) {
    memcpy(answer->bytes, bytes, size);
    answer->size = size;
  }
  return True;
}

XDnDBatch *XDnDBatchCreate(Display *dpy) {
  XDnDBatch *batch = calloc(1, sizeof(XDnDBatch));
  if (batch == NULL) abort();
  batch->display = dpy;
  batch->handler.handler = XDnDBatchReceive;
  batch->handler.data = (XPointer)batch;
  LockDisplay(dpy);
  batch->handler.next = dpy->async_handlers;
  dpy->async_handlers = &batch->handler;
  UnlockDisplay(dpy);
  return batch;
}

void XDnDBatchFree(XDnDBatch *batch, Display *dpy) {
  if (dpy != NULL) {
    LockDisplay(dpy);
    DeqAsyncHandler(dpy, &batch->handler);
    UnlockDisplay(dpy);
  }
  for (int index = 0; index < batch->count; index++) free(batch->replies[index].bytes);
  free(batch->replies);
  free(batch);
}

// Notes the request that has just been written.
static int XDnDBatchExpect(XDnDBatch *batch) {
  if (batch->count == batch->capacity) {
    int capacity = batch->capacity == 0 ? 16 : batch->capacity * 2;
    XDnDReply *replies = realloc(batch->replies, (size_t)capacity * sizeof(XDnDReply));
    if (replies == NULL) abort();
    batch->replies = replies;
    batch->capacity = capacity;
  }
  batch->replies[batch->count] = (XDnDReply){X_DPY_GET_REQUEST(batch->display), 0, NULL};
  return batch->count++;
}

// Below, the display is named `dpy`, which the macros of Xlibint.h require. The reply is expected before the lock is
// released: another thread may read it at once.

// Adds a request whose only argument is a resource.
static int XDnDBatchAskResource(XDnDBatch *batch, CARD8 opcode, XID resource) {
  Display *dpy = batch->display;
  xResourceReq *request;
  LockDisplay(dpy);
  request = (xResourceReq *)_XGetRequest(dpy, opcode, sz_xResourceReq);
  request->id = (CARD32)resource;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchGetWindowAttributes(XDnDBatch *batch, Window window) {
  return XDnDBatchAskResource(batch, X_GetWindowAttributes, window);
}

int XDnDBatchGetGeometry(XDnDBatch *batch, Window window) {
  return XDnDBatchAskResource(batch, X_GetGeometry, window);
}

int XDnDBatchQueryTree(XDnDBatch *batch, Window window) {
  return XDnDBatchAskResource(batch, X_QueryTree, window);
}

int XDnDBatchGetSelectionOwner(XDnDBatch *batch, Atom selection) {
  return XDnDBatchAskResource(batch, X_GetSelectionOwner, selection);
}

int XDnDBatchGetAtomName(XDnDBatch *batch, Atom atom) { return XDnDBatchAskResource(batch, X_GetAtomName, atom); }

int XDnDBatchInternAtom(XDnDBatch *batch, const char *name, size_t length) {
  Display *dpy = batch->display;
  xInternAtomReq *request;
  LockDisplay(dpy);
  GetReq(InternAtom, request);
  request->onlyIfExists = xFalse;
  request->nbytes = (CARD16)length;
  request->length += (CARD16)((length + 3) / 4);
  Data(dpy, name, (long)length);
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchQueryPointer(XDnDBatch *batch, Window window) {
  return XDnDBatchAskResource(batch, X_QueryPointer, window);
}

// Adds a request without arguments.
static int XDnDBatchAsk(XDnDBatch *batch, CARD8 opcode) {
  Display *dpy = batch->display;
  LockDisplay(dpy);
  (void)_XGetRequest(dpy, opcode, sz_xReq);
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchQueryKeymap(XDnDBatch *batch) { return XDnDBatchAsk(batch, X_QueryKeymap); }

int XDnDBatchGetModifierMapping(XDnDBatch *batch) { return XDnDBatchAsk(batch, X_GetModifierMapping); }

int XDnDBatchGetKeyboardMapping(XDnDBatch *batch) {
  Display *dpy = batch->display;
  xGetKeyboardMappingReq *request;
  LockDisplay(dpy);
  GetReq(GetKeyboardMapping, request);
  request->firstKeyCode = (KeyCode)dpy->min_keycode;
  request->count = (CARD8)(dpy->max_keycode - dpy->min_keycode + 1);
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchGrabPointer(XDnDBatch *batch, Window window, unsigned eventMask, Cursor cursor, Time time) {
  Display *dpy = batch->display;
  xGrabPointerReq *request;
  LockDisplay(dpy);
  GetReq(GrabPointer, request);
  request->grabWindow = (CARD32)window;
  request->ownerEvents = xFalse;
  request->eventMask = (CARD16)eventMask;
  request->pointerMode = GrabModeAsync;
  request->keyboardMode = GrabModeAsync;
  request->confineTo = None;
  request->cursor = (CARD32)cursor;
  request->time = (CARD32)time;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchGrabKeyboard(XDnDBatch *batch, Window window, Time time) {
  Display *dpy = batch->display;
  xGrabKeyboardReq *request;
  LockDisplay(dpy);
  GetReq(GrabKeyboard, request);
  request->grabWindow = (CARD32)window;
  request->ownerEvents = xFalse;
  request->pointerMode = GrabModeAsync;
  request->keyboardMode = GrabModeAsync;
  request->time = (CARD32)time;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchGetProperty(
    XDnDBatch *batch, Window window, Atom property, Atom type, unsigned offset, unsigned length, bool deletes) {
  Display *dpy = batch->display;
  xGetPropertyReq *request;
  LockDisplay(dpy);
  GetReq(GetProperty, request);
  request->delete = deletes ? xTrue : xFalse;
  request->window = (CARD32)window;
  request->property = (CARD32)property;
  request->type = (CARD32)type;
  request->longOffset = offset;
  request->longLength = length;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchShapeInputSelected(XDnDBatch *batch, int opcode, Window window) {
  Display *dpy = batch->display;
  xShapeInputSelectedReq *request;
  LockDisplay(dpy);
  GetReq(ShapeInputSelected, request);
  request->reqType = (CARD8)opcode;
  request->shapeReqType = X_ShapeInputSelected;
  request->window = (CARD32)window;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchShapeGetRectangles(XDnDBatch *batch, int opcode, Window window, int kind) {
  Display *dpy = batch->display;
  xShapeGetRectanglesReq *request;
  LockDisplay(dpy);
  GetReq(ShapeGetRectangles, request);
  request->reqType = (CARD8)opcode;
  request->shapeReqType = X_ShapeGetRectangles;
  request->window = (CARD32)window;
  request->kind = (CARD8)kind;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchQueryExtension(XDnDBatch *batch, const char *name, size_t length) {
  Display *dpy = batch->display;
  xQueryExtensionReq *request;
  LockDisplay(dpy);
  GetReq(QueryExtension, request);
  request->nbytes = (CARD16)length;
  request->length += (CARD16)((length + 3) / 4);
  Data(dpy, name, (long)length);
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchInputVersion(XDnDBatch *batch, int opcode, int major, int minor) {
  Display *dpy = batch->display;
  xXIQueryVersionReq *request;
  LockDisplay(dpy);
  request = (xXIQueryVersionReq *)_XGetRequest(dpy, (CARD8)opcode, sz_xXIQueryVersionReq);
  request->ReqType = X_XIQueryVersion;
  request->major_version = (CARD16)major;
  request->minor_version = (CARD16)minor;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchInputDevices(XDnDBatch *batch, int opcode) {
  Display *dpy = batch->display;
  xXIQueryDeviceReq *request;
  LockDisplay(dpy);
  request = (xXIQueryDeviceReq *)_XGetRequest(dpy, (CARD8)opcode, sz_xXIQueryDeviceReq);
  request->ReqType = X_XIQueryDevice;
  request->deviceid = XIAllDevices;
  request->pad = 0;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchInputGrab(
    XDnDBatch *batch, int opcode, int device, Window window, unsigned eventMask, Cursor cursor, Time time) {
  Display *dpy = batch->display;
  xXIGrabDeviceReq *request;
  // Events by their numbers, from the lowest bit of the first byte.
  const unsigned char mask[4] = {
      (unsigned char)eventMask, (unsigned char)(eventMask >> 8), (unsigned char)(eventMask >> 16),
      (unsigned char)(eventMask >> 24)};
  LockDisplay(dpy);
  request = (xXIGrabDeviceReq *)_XGetRequest(dpy, (CARD8)opcode, sz_xXIGrabDeviceReq);
  request->ReqType = X_XIGrabDevice;
  request->grab_window = (CARD32)window;
  request->time = (CARD32)time;
  request->cursor = (CARD32)cursor;
  request->deviceid = (CARD16)device;
  request->grab_mode = GrabModeAsync;
  request->paired_device_mode = GrabModeAsync;
  request->owner_events = xFalse;
  request->pad = 0;
  request->mask_len = sizeof(mask) / 4;
  request->length += sizeof(mask) / 4;
  Data(dpy, (const char *)mask, sizeof(mask));
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

int XDnDBatchInputPointer(XDnDBatch *batch, int opcode, int device, Window window) {
  Display *dpy = batch->display;
  xXIQueryPointerReq *request;
  LockDisplay(dpy);
  request = (xXIQueryPointerReq *)_XGetRequest(dpy, (CARD8)opcode, sz_xXIQueryPointerReq);
  request->ReqType = X_XIQueryPointer;
  request->win = (CARD32)window;
  request->deviceid = (CARD16)device;
  request->pad1 = 0;
  int index = XDnDBatchExpect(batch);
  UnlockDisplay(dpy);
  return index;
}

void XDnDBatchAwait(XDnDBatch *batch) {
  Display *dpy = batch->display;
  xReply reply;
  xReq *request;
  if (batch->next == batch->count) return;
  LockDisplay(dpy);
  // Any request with a reply: the server answers in order.
  GetEmptyReq(GetInputFocus, request);
  (void)request;
  (void)_XReply(dpy, &reply, 0, xTrue);
  UnlockDisplay(dpy);
}

int XDnDBatchArrived(const XDnDBatch *batch) { return batch->next; }

unsigned long XDnDBatchSerial(const XDnDBatch *batch, int index) { return batch->replies[index].serial; }

const void *XDnDBatchReply(const XDnDBatch *batch, int index, size_t *size) {
  const XDnDReply *answer = &batch->replies[index];
  *size = answer->size;
  return answer->bytes;
}

void *XDnDBatchTakeReply(XDnDBatch *batch, int index) {
  XDnDReply *answer = &batch->replies[index];
  void *bytes = answer->bytes;
  answer->bytes = NULL;
  answer->size = 0;
  return bytes;
}
