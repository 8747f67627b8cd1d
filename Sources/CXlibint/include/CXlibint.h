#ifndef XDND_CXLIBINT_H
#define XDND_CXLIBINT_H

// Functions for the library and the tools. Most use Xlibint.h, Xlib's interface for extensions: the errors of one
// display, asynchronous replies, properties on connections that may be lost, the SHAPE extension without libXext,
// XInput 2 without libXi, the monitors without libXinerama, the end of a display, and a field of the connection setup
// that no function of Xlib returns. A guard ends the grab of a program that hangs.
//
// Xlibint.h consists of macros, which Swift cannot import, and exposes the private part of `Display`. So this is C, in
// a separate target. This header does not include Xlib.h, whose types would then belong to two modules, this one and
// XDnDX11; nor X.h, which XI2proto.h includes.

#ifndef X_H
#define X_H
#define XDND_WITHOUT_X_H
#endif
#include <X11/Xproto.h>
#include <X11/extensions/XI2proto.h>
#include <X11/extensions/shapeproto.h>
#ifdef XDND_WITHOUT_X_H
#undef X_H
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct _XDisplay;

// ---- Responses: replies that no call waits for, and errors

/// The server's responses to the requests of one user of a display: a queue of awaited replies, and the errors, before
/// the error handler of the process (`XSetErrorHandler`) gets them.
typedef struct XDnDResponses XDnDResponses;

/// The reply to one request. An error is a reply without bytes, and goes to no error handler.
typedef struct XDnDReply XDnDReply;

/// Receives an error of a request without an ``XDnDReply``, and returns whether it consumes the error. Otherwise other
/// users of the display get it, and then the error handler of the process.
///
/// Called with the display locked, from inside any Xlib call that reads from the connection, on that call's thread.
/// Must not call Xlib.
///
/// - Parameters:
///   - serial: The number of the failed request.
///   - code: The error code, such as `BadWindow`.
///   - resource: The resource id, atom or value that the error is about.
///   - opcode: The major opcode of the failed request.
typedef bool (*XDnDErrorConsumer)(
    void *context, unsigned long serial, unsigned char code, unsigned long resource, unsigned char opcode);

/// Observes the responses of a display, which can have any number of observers. Installs one handler
/// (`_XAsyncHandler`), however many replies are awaited.
///
/// From then on, Xlib keeps a record of each request that it has sent until it has read a later response.
XDnDResponses *XDnDResponsesCreate(struct _XDisplay *display, XDnDErrorConsumer consume, void *context);

/// Ends the observation. First call `XDnDReplyFree` for each reply, while the display is open.
///
/// - Parameter display: `NULL` if it is closed. Otherwise all replies must have arrived: Xlib complains about others.
void XDnDResponsesFree(XDnDResponses *responses, struct _XDisplay *display);

/// Waits until all replies have arrived or the connection is lost. Flushes the output buffer, unless no reply is
/// awaited.
void XDnDResponsesAwait(XDnDResponses *responses);

/// Returns whether the reply or the error has arrived. Replies arrive in the order of their requests. Call
/// `XDnDReplyBytes` and `XDnDReplyTakeBytes` only then.
bool XDnDReplyHasArrived(XDnDResponses *responses, const XDnDReply *reply);

/// Returns the bytes of the reply as on the wire, header included; `NULL` for an error. The reply owns the bytes.
const void *XDnDReplyBytes(const XDnDReply *reply, size_t *size);

/// Takes the bytes out of the reply. The caller releases them with `free`.
void *XDnDReplyTakeBytes(XDnDReply *reply);

/// Returns the serial number of the request; also before the reply has arrived.
unsigned long XDnDReplySerial(const XDnDReply *reply);

/// Frees a reply; also before it has arrived.
void XDnDReplyFree(XDnDResponses *responses, XDnDReply *reply);

// ---- Requests, as structures of the protocol. The functions fill in their length.

/// Writes a request with a reply, and data that follows its structure. Returns the reply; `NULL` if the connection is
/// lost and the output buffer is full.
XDnDReply *XDnDAsk(XDnDResponses *responses, const void *request, size_t size, const void *data, size_t length);

/// Writes a request without a reply, and data that follows its structure.
void XDnDSend(struct _XDisplay *display, const void *request, size_t size, const void *data, size_t length);

// ---- Properties

/// Changes a property. Unlike Xlib 1.8's `XChangeProperty`, it returns even if the connection is lost while it writes
/// elements of format 32 that do not fit into the output buffer.
///
/// - Parameters:
///   - format: 8, 16 or 32 bits for each element.
///   - elements: In wire format: 32 bits each for format 32, unlike the `long`s of Xlib. They must fit into one
///     request.
void XDnDChangeProperty(
    struct _XDisplay *display, unsigned long window, unsigned long property, unsigned long type, int format, int mode,
    const void *elements, size_t count);

// ---- The SHAPE extension, as far as hit testing needs it. Its client library is libXext.

/// Installs a converter for `ShapeNotify`, without which Xlib drops the event. Keeps a converter that the host has
/// installed through libXext.
void XDnDShapeDeliverEvents(struct _XDisplay *display, int eventType);

// ---- The X Input Extension, version 2, as far as drags need it. Its client library is libXi.

/// An event of a pointer, a keyboard or a touch: an `XIDeviceEvent` of libXi.
typedef struct {
  /// `XI_ButtonPress`, for example.
  int kind;
  int device;
  /// Whether a client sent the event with `SendEvent`.
  bool isSent;
  unsigned long serial, time;
  /// The button, the key code, or the number of the touch sequence.
  unsigned detail;
  unsigned long root, window, child;
  int x, y, rootX, rootY;
  /// Modifiers, buttons and the keyboard group, as in a core event.
  unsigned state;
} XDnDInputEvent;

/// Installs a converter for events of the extension, without which Xlib drops them. Keeps a converter that the host has
/// installed through libXi; libXi replaces this one when the host uses it later.
void XDnDInputDeliverEvents(struct _XDisplay *display, int opcode);

/// Reads a device event from an `XEvent`, with or without its data (`XGetEventData`). The host may still get the data.
///
/// - Returns: `false` for other events, and for events whose data the host has freed.
bool XDnDInputReadEvent(struct _XDisplay *display, const void *event, int opcode, XDnDInputEvent *result);

/// Redirects a device event to another window, by changing the event's data in place. The host then reads the changed
/// data.
///
/// - Parameters:
///   - event: An `XEvent` that `XDnDInputReadEvent` can read.
///   - x: The window's origin in root coordinates, with `y`.
void XDnDInputRedirectEvent(
    struct _XDisplay *display, const void *event, int opcode, unsigned long window, int x, int y);

// ---- The one request of the XINERAMA extension that is needed to place a window on the pointer's monitor. Servers
// with RANDR answer it too.

/// A monitor, in root coordinates.
typedef struct {
  short x, y;
  unsigned short width, height;
} XDnDMonitor;

/// Returns the monitors; the caller frees them with `XFree`. `NULL` if the server does not report any.
XDnDMonitor *XDnDQueryMonitors(struct _XDisplay *display, int *count);

// ---- The requests of the RANDR extension that are needed to recognize Xwayland before 23.1

/// Returns the name of the first output, such as `HDMI-1`; the caller frees it with `XFree`. `NULL` if there is none.
/// Three round trips.
char *XDnDFirstOutput(struct _XDisplay *display);

// ---- The guard of a grab

/// A thread that ends the grab of a program whose event loop hangs. Otherwise the user could use no program until that
/// one is killed.
///
/// Only the client that holds a grab can release it, but the server ends a grab whose window is not viewable. So the
/// thread opens another connection and unmaps the window. It uses xcb, because Xlib's error handler belongs to the
/// whole process.
typedef struct XDnDGrabGuard XDnDGrabGuard;

/// Starts the thread. A loop hangs if it takes no turn for `patience` while events wait in its connection.
///
/// - Parameters:
///   - name: The display, as `XDisplayString` returns it.
///   - connection: The descriptor of the connection, which must stay open.
///   - window: The grab window.
///   - patience: The time that the loop may take for one turn, in milliseconds; at least 10.
/// - Returns: `NULL` if memory, a descriptor or a thread cannot be allocated.
XDnDGrabGuard *XDnDGrabGuardCreate(const char *name, int connection, uint32_t window, int64_t patience);

/// Notes that the loop runs.
void XDnDGrabGuardNoteTurn(XDnDGrabGuard *guard);

/// Ends the thread, and waits for its end.
void XDnDGrabGuardFree(XDnDGrabGuard *guard);

// ---- The end of a display

/// Called inside `XCloseDisplay`, before the display is freed.
typedef void (*XDnDDisplayClosed)(struct _XDisplay *display);

/// Calls `closed` when `XCloseDisplay` closes the display, as Xlib does for extensions. Call it once for each display:
/// it cannot be undone.
///
/// - Parameter closed: The same function for all displays.
void XDnDObserveClose(struct _XDisplay *display, XDnDDisplayClosed closed);

/// Empties the output buffer of a display whose connection is lost.
///
/// If the buffer is full, a new request first writes it out. If that fails, the buffer stays full, and Xlib writes the
/// request to `NULL` (libX11 1.8). Call this function in the exit handler (`XSetIOErrorExitHandler`).
void XDnDDiscardOutput(struct _XDisplay *display);

// ---- The connection setup, and Xlib's event queue

/// Returns the bits of a resource id that its client chooses: `resource-id-mask` in the X11 protocol. The other bits
/// are the same for all resources of a client, so they identify the client.
unsigned long XDnDResourceMask(struct _XDisplay *display);

/// Reads the serial number of the first event in Xlib's queue, and leaves the event there. Reads nothing from the
/// server.
///
/// - Returns: Whether there is an event.
int XDnDFirstSerial(struct _XDisplay *display, unsigned long *serial);

#endif
