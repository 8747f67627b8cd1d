#include "request.h"

#include <X11/extensions/XI2.h>
#include <X11/extensions/XI2proto.h>
#include <X11/extensions/shapeproto.h>

// A request of a fixed size: its type and its members but for the length. Those of the core protocol begin with the
// opcode of the request, and those of an extension with the extension's.
#define ASK(responses, Type, ...) XDnDAsk(responses, &(Type){__VA_ARGS__}, sizeof(Type), NULL, 0)

// ---- The core protocol

static XDnDReply *XDnDAskResource(XDnDResponses *responses, CARD8 opcode, XID resource) {
  return ASK(responses, xResourceReq, .reqType = opcode, .id = (CARD32)resource);
}

XDnDReply *XDnDAskWindowAttributes(XDnDResponses *responses, Window window) {
  return XDnDAskResource(responses, X_GetWindowAttributes, window);
}

XDnDReply *XDnDAskGeometry(XDnDResponses *responses, Window window) {
  return XDnDAskResource(responses, X_GetGeometry, window);
}

XDnDReply *XDnDAskTree(XDnDResponses *responses, Window window) {
  return XDnDAskResource(responses, X_QueryTree, window);
}

XDnDReply *XDnDAskSelectionOwner(XDnDResponses *responses, Atom selection) {
  return XDnDAskResource(responses, X_GetSelectionOwner, selection);
}

XDnDReply *XDnDAskAtomName(XDnDResponses *responses, Atom atom) {
  return XDnDAskResource(responses, X_GetAtomName, atom);
}

XDnDReply *XDnDAskPointer(XDnDResponses *responses, Window window) {
  return XDnDAskResource(responses, X_QueryPointer, window);
}

XDnDReply *XDnDAskAtom(XDnDResponses *responses, const void *name, size_t length) {
  const xInternAtomReq request = {.reqType = X_InternAtom, .onlyIfExists = xFalse, .nbytes = (CARD16)length};
  return XDnDAsk(responses, &request, sizeof(request), name, length);
}

XDnDReply *XDnDAskExtension(XDnDResponses *responses, const void *name, size_t length) {
  const xQueryExtensionReq request = {.reqType = X_QueryExtension, .nbytes = (CARD16)length};
  return XDnDAsk(responses, &request, sizeof(request), name, length);
}

XDnDReply *XDnDAskKeymap(XDnDResponses *responses) { return ASK(responses, xReq, .reqType = X_QueryKeymap); }

XDnDReply *XDnDAskModifierMapping(XDnDResponses *responses) {
  return ASK(responses, xReq, .reqType = X_GetModifierMapping);
}

XDnDReply *XDnDAskKeyboardMapping(XDnDResponses *responses, int first, int last) {
  return ASK(
      responses, xGetKeyboardMappingReq, .reqType = X_GetKeyboardMapping, .firstKeyCode = (KeyCode)first,
      .count = (CARD8)(last - first + 1));
}

XDnDReply *XDnDAskPointerGrab(
    XDnDResponses *responses, Window window, unsigned eventMask, Cursor cursor, Time time) {
  return ASK(
      responses, xGrabPointerReq, .reqType = X_GrabPointer, .ownerEvents = xFalse, .grabWindow = (CARD32)window,
      .eventMask = (CARD16)eventMask, .pointerMode = GrabModeAsync, .keyboardMode = GrabModeAsync, .confineTo = None,
      .cursor = (CARD32)cursor, .time = (CARD32)time);
}

XDnDReply *XDnDAskKeyboardGrab(XDnDResponses *responses, Window window, Time time) {
  return ASK(
      responses, xGrabKeyboardReq, .reqType = X_GrabKeyboard, .ownerEvents = xFalse, .grabWindow = (CARD32)window,
      .time = (CARD32)time, .pointerMode = GrabModeAsync, .keyboardMode = GrabModeAsync);
}

XDnDReply *XDnDAskProperty(
    XDnDResponses *responses, Window window, Atom property, Atom type, unsigned offset, unsigned length,
    bool deletes) {
  return ASK(
      responses, xGetPropertyReq, .reqType = X_GetProperty, .delete = deletes ? xTrue : xFalse,
      .window = (CARD32)window, .property = (CARD32)property, .type = (CARD32)type, .longOffset = offset,
      .longLength = length);
}

// ---- SHAPE

XDnDReply *XDnDAskShapeInputSelected(XDnDResponses *responses, int opcode, Window window) {
  return ASK(
      responses, xShapeInputSelectedReq, .reqType = (CARD8)opcode, .shapeReqType = X_ShapeInputSelected,
      .window = (CARD32)window);
}

XDnDReply *XDnDAskShapeRectangles(XDnDResponses *responses, int opcode, Window window, int kind) {
  return ASK(
      responses, xShapeGetRectanglesReq, .reqType = (CARD8)opcode, .shapeReqType = X_ShapeGetRectangles,
      .window = (CARD32)window, .kind = (CARD8)kind);
}

// ---- XInput 2

XDnDReply *XDnDAskInputVersion(XDnDResponses *responses, int opcode, int major, int minor) {
  return ASK(
      responses, xXIQueryVersionReq, .reqType = (CARD8)opcode, .ReqType = X_XIQueryVersion,
      .major_version = (CARD16)major, .minor_version = (CARD16)minor);
}

XDnDReply *XDnDAskInputDevices(XDnDResponses *responses, int opcode) {
  return ASK(
      responses, xXIQueryDeviceReq, .reqType = (CARD8)opcode, .ReqType = X_XIQueryDevice, .deviceid = XIAllDevices);
}

XDnDReply *XDnDAskInputSelection(XDnDResponses *responses, int opcode, Window window) {
  return ASK(
      responses, xXIGetSelectedEventsReq, .reqType = (CARD8)opcode, .ReqType = X_XIGetSelectedEvents,
      .win = (CARD32)window);
}

XDnDReply *XDnDAskInputGrab(
    XDnDResponses *responses, int opcode, int device, Window window, unsigned eventMask, Cursor cursor, Time time) {
  // Events by their numbers, from the lowest bit of the first byte.
  const unsigned char mask[4] = {
      (unsigned char)eventMask, (unsigned char)(eventMask >> 8), (unsigned char)(eventMask >> 16),
      (unsigned char)(eventMask >> 24)};
  const xXIGrabDeviceReq request = {
      .reqType = (CARD8)opcode,
      .ReqType = X_XIGrabDevice,
      .grab_window = (CARD32)window,
      .time = (CARD32)time,
      .cursor = (CARD32)cursor,
      .deviceid = (CARD16)device,
      .grab_mode = GrabModeAsync,
      .paired_device_mode = GrabModeAsync,
      .owner_events = xFalse,
      .mask_len = sizeof(mask) / 4,
  };
  return XDnDAsk(responses, &request, sizeof(request), mask, sizeof(mask));
}

XDnDReply *XDnDAskInputPointer(XDnDResponses *responses, int opcode, int device, Window window) {
  return ASK(
      responses, xXIQueryPointerReq, .reqType = (CARD8)opcode, .ReqType = X_XIQueryPointer, .win = (CARD32)window,
      .deviceid = (CARD16)device);
}
