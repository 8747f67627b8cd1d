#ifndef XDND_CXLIBINT_H
#define XDND_CXLIBINT_H

// What the library and the tools need of Xlib's interface for extensions, Xlibint.h: errors of one display, requests whose
// replies are awaited together, properties on connections that may end, the SHAPE extension without libXext, XInput 2 without
// libXi, the monitors without libXinerama, and a field of the connection setup that no function returns.
//
// Xlibint.h consists of macros, which Swift cannot import, and exposes the private part of `Display`. So this is C, in a
// target of its own. It does not include Xlib.h: its types would then belong to two modules, this one and XDnDX11.

#include <X11/extensions/XI2.h>
#include <X11/extensions/shapeconst.h>
#include <stdbool.h>
#include <stddef.h>

struct _XDisplay;

// ---- Errors

/// Sees the errors of one display before the error handler of the process does (`XSetErrorHandler`).
typedef struct XDnDErrorFilter XDnDErrorFilter;

/// Returns whether it consumes an error. Otherwise the error goes on to other filters, and to the error handler of the
/// process.
///
/// Called with the display locked, from inside any Xlib call that reads from the connection, on that call's thread. Must
/// not call Xlib.
///
/// - Parameters:
///   - serial: The number of the failed request.
///   - code: The error code, such as `BadWindow`.
///   - resource: The resource id, atom or value that the error is about.
typedef bool (*XDnDErrorConsumer)(void *context, unsigned long serial, unsigned char code, unsigned long resource);

/// Installs a filter. A display can have any number of them.
///
/// From then on Xlib keeps a note of each request that it has sent until a later response has been read.
XDnDErrorFilter *XDnDErrorFilterCreate(struct _XDisplay *display, XDnDErrorConsumer consume, void *context);

/// Uninstalls a filter. `XDnDErrorFilterFree` is still due.
void XDnDErrorFilterRemove(XDnDErrorFilter *filter, struct _XDisplay *display);

/// Frees a filter that is uninstalled, or whose display is closed.
void XDnDErrorFilterFree(XDnDErrorFilter *filter);

// ---- Batches

/// Requests that are sent together, and whose replies can be awaited together or taken as they come. An error is a missing
/// reply, and goes to no error handler.
typedef struct XDnDBatch XDnDBatch;

XDnDBatch *XDnDBatchCreate(struct _XDisplay *display);

/// Frees a batch and its replies.
///
/// - Parameter display: `NULL` if it is closed. Otherwise all replies must have arrived: Xlib complains about others.
void XDnDBatchFree(XDnDBatch *batch, struct _XDisplay *display);

// Each of these adds a request, and returns the index of its reply.

int XDnDBatchGetWindowAttributes(XDnDBatch *batch, unsigned long window);
int XDnDBatchGetGeometry(XDnDBatch *batch, unsigned long window);
int XDnDBatchQueryTree(XDnDBatch *batch, unsigned long window);
/// - Parameters:
///   - offset: The first four-byte unit.
///   - length: The maximum number of four-byte units.
///   - deletes: Whether to delete the property if nothing follows these units.
int XDnDBatchGetProperty(
    XDnDBatch *batch, unsigned long window, unsigned long property, unsigned long type, unsigned offset,
    unsigned length, bool deletes);
int XDnDBatchGetSelectionOwner(XDnDBatch *batch, unsigned long selection);
int XDnDBatchGetAtomName(XDnDBatch *batch, unsigned long atom);
/// Adds an `InternAtom` request. The server creates an atom that does not exist.
///
/// - Parameter length: The number of bytes of the name, at most 65,535.
int XDnDBatchInternAtom(XDnDBatch *batch, const char *name, size_t length);
int XDnDBatchQueryPointer(XDnDBatch *batch, unsigned long window);
int XDnDBatchQueryKeymap(XDnDBatch *batch);
int XDnDBatchGetModifierMapping(XDnDBatch *batch);
/// Of all key codes of the display.
int XDnDBatchGetKeyboardMapping(XDnDBatch *batch);
int XDnDBatchGrabPointer(
    XDnDBatch *batch, unsigned long window, unsigned eventMask, unsigned long cursor, unsigned long time);
int XDnDBatchGrabKeyboard(XDnDBatch *batch, unsigned long window, unsigned long time);
/// - Parameter opcode: The major opcode of the SHAPE extension.
int XDnDBatchShapeInputSelected(XDnDBatch *batch, int opcode, unsigned long window);
int XDnDBatchShapeGetRectangles(XDnDBatch *batch, int opcode, unsigned long window, int kind);
/// - Parameter length: The number of bytes of the name, at most 65,535.
int XDnDBatchQueryExtension(XDnDBatch *batch, const char *name, size_t length);
/// Adds an `XIQueryVersion` request. The server answers with an error if the client has asked for a later version that is
/// not compatible.
///
/// - Parameter opcode: The major opcode of the X Input Extension, as below.
int XDnDBatchInputVersion(XDnDBatch *batch, int opcode, int major, int minor);
/// Of all devices.
int XDnDBatchInputDevices(XDnDBatch *batch, int opcode);
/// Adds an `XIGrabDevice` request.
///
/// - Parameter eventMask: A bit for each event, by its number: `1 << XI_Motion`.
int XDnDBatchInputGrab(
    XDnDBatch *batch, int opcode, int device, unsigned long window, unsigned eventMask, unsigned long cursor,
    unsigned long time);
/// - Parameter device: A master pointer.
int XDnDBatchInputPointer(XDnDBatch *batch, int opcode, int device, unsigned long window);

/// Sends what is buffered, and waits until all replies have arrived or the connection is lost.
void XDnDBatchAwait(XDnDBatch *batch);

/// Returns how many of the requests, from the first one on, have got their reply or their error.
int XDnDBatchArrived(const XDnDBatch *batch);

/// Returns the serial number of a request.
unsigned long XDnDBatchSerial(const XDnDBatch *batch, int index);

/// Returns a reply as it came over the wire, its head included; `NULL` for an error, or if it has not arrived. The batch
/// owns it.
const void *XDnDBatchReply(const XDnDBatch *batch, int index, size_t *size);

/// Takes a reply out of its batch. The caller owns it and releases it with `free`; for the batch it has not arrived.
void *XDnDBatchTakeReply(XDnDBatch *batch, int index);

// ---- Properties

/// Changes a property. `XChangeProperty` of Xlib 1.8 never returns if the connection is lost while it writes elements of format
/// 32 that do not fit into its output buffer; this function does.
///
/// - Parameters:
///   - format: 8, 16 or 32 bits for each element.
///   - elements: In wire format: those of format 32 have 32 bits, unlike the `long`s of Xlib. They must fit into one request.
void XDnDChangeProperty(
    struct _XDisplay *display, unsigned long window, unsigned long property, unsigned long type, int format, int mode,
    const void *elements, size_t count);

// ---- The SHAPE extension, as far as hit testing needs it. Its client library is libXext.

/// Installs a converter for `ShapeNotify`, without which Xlib drops the event. Keeps a converter that the host has
/// installed through libXext.
void XDnDShapeDeliverEvents(struct _XDisplay *display, int eventType);

/// Selects or deselects `ShapeNotify` of a window.
void XDnDShapeSelectInput(struct _XDisplay *display, int opcode, unsigned long window, int enable);

// ---- The X Input Extension, version 2, as far as drags need it. Its client library is libXi.

/// An event of a pointer, a keyboard or a touch: an `XIDeviceEvent` of libXi.
typedef struct {
  /// `XI_ButtonPress`, for example.
  int kind;
  int device;
  /// Whether a client has sent it with `SendEvent`.
  bool isSent;
  unsigned long serial, time;
  /// The button, the key code, or the number of the touch sequence.
  unsigned detail;
  unsigned long root, window, child;
  int x, y, rootX, rootY;
  /// As in a core event: modifiers, buttons and the keyboard group.
  unsigned state;
} XDnDInputEvent;

/// Installs a converter for events of the extension, without which Xlib drops them. Keeps a converter that the host has
/// installed through libXi; libXi replaces this one when the host uses it later.
void XDnDInputDeliverEvents(struct _XDisplay *display, int opcode);

/// Reads a device event from an `XEvent`, with or without its data (`XGetEventData`). The host may still get the data.
///
/// - Returns: `false` for other events, and for events whose data the host has freed.
bool XDnDInputReadEvent(struct _XDisplay *display, const void *event, int opcode, XDnDInputEvent *result);

/// Releases a grab of a device by this client. Core grabs are not affected.
void XDnDInputUngrab(struct _XDisplay *display, int opcode, int device, unsigned long time);

/// Moves a master pointer.
///
/// - Parameter destination: The window that the position is relative to; 0 to move by (x, y).
void XDnDInputWarp(struct _XDisplay *display, int opcode, int device, unsigned long destination, int x, int y);

/// Accepts a touch sequence that a touch grab of this client delivers to a window.
void XDnDInputAcceptTouch(struct _XDisplay *display, int opcode, int device, unsigned touch, unsigned long window);

// ---- The one request of the XINERAMA extension that is needed to place a window on the pointer's monitor. Servers with
// RANDR answer it too.

/// A monitor, in root coordinates.
typedef struct {
  short x, y;
  unsigned short width, height;
} XDnDMonitor;

/// Returns the monitors; the caller frees them with `XFree`. `NULL` if the server does not report any.
XDnDMonitor *XDnDQueryMonitors(struct _XDisplay *display, int *count);

// ---- The requests of the RANDR extension that are needed to recognize Xwayland before 23.1

/// Returns the name of the first output, such as `HDMI-1`; the caller frees it with `XFree`. `NULL` if there is none. Two round
/// trips.
char *XDnDFirstOutput(struct _XDisplay *display);

// ---- The end of a display

/// Called inside `XCloseDisplay`, before the display is freed.
typedef void (*XDnDDisplayClosed)(struct _XDisplay *display);

/// Observes the end of a display, which `XCloseDisplay` tells the extensions of the display. Once for each display: it cannot be
/// undone.
///
/// - Parameter closed: The same function for all displays.
void XDnDObserveClose(struct _XDisplay *display, XDnDDisplayClosed closed);

// ---- The connection setup

/// Returns the bits of a resource id that its client chooses: `resource-id-mask` in the X11 protocol. The other bits
/// are the same for all resources of a client, so they identify the client.
unsigned long XDnDResourceMask(struct _XDisplay *display);

/// Returns the bits that the ids of all resources of this connection share: `resource-id-base` in the X11 protocol.
unsigned long XDnDResourceBase(struct _XDisplay *display);

#endif
