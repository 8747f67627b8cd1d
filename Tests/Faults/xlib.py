"""What the peers need of Xlib and XTEST, without a package to install."""

import ctypes

X11 = ctypes.CDLL("libX11.so.6")
XTEST = ctypes.CDLL("libXtst.so.6")
DISPLAY, XID, LONG, INT = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_long, ctypes.c_int
UNSIGNED, TEXT = ctypes.c_uint, ctypes.c_char_p

ANY_TYPE, CURRENT_TIME, NONE, REPLACE, ASYNCHRONOUS, NEW_VALUE, DELETED = 0, 0, 0, 0, 1, 0, 1
PROPERTY_CHANGE_MASK, STRUCTURE_NOTIFY_MASK = 1 << 22, 1 << 17
PROPERTY_NOTIFY, SELECTION_CLEAR, SELECTION_REQUEST, SELECTION_NOTIFY, CLIENT_MESSAGE = 28, 29, 30, 31, 33
US_POSITION_AND_SIZE = 1 | 2


class ClientMessage(ctypes.Structure):
    _fields_ = [
        ("type", INT), ("serial", XID), ("send_event", INT), ("display", DISPLAY), ("window", XID),
        ("message_type", XID), ("format", INT), ("data", LONG * 5)]


class SelectionRequest(ctypes.Structure):
    _fields_ = [
        ("type", INT), ("serial", XID), ("send_event", INT), ("display", DISPLAY), ("owner", XID),
        ("requestor", XID), ("selection", XID), ("target", XID), ("property", XID), ("time", XID)]


class Selection(ctypes.Structure):
    _fields_ = [
        ("type", INT), ("serial", XID), ("send_event", INT), ("display", DISPLAY), ("requestor", XID),
        ("selection", XID), ("target", XID), ("property", XID), ("time", XID)]


class Property(ctypes.Structure):
    _fields_ = [
        ("type", INT), ("serial", XID), ("send_event", INT), ("display", DISPLAY), ("window", XID),
        ("atom", XID), ("time", XID), ("state", INT)]


class Event(ctypes.Union):
    _fields_ = [
        ("type", INT), ("client", ClientMessage), ("request", SelectionRequest), ("selection", Selection),
        ("property", Property), ("pad", LONG * 24)]


class SizeHints(ctypes.Structure):
    """`XSizeHints`, whose first members are all that is used."""

    _fields_ = [("flags", LONG), ("members", INT * 17)]


def _declare(library, name, result, *parameters):
    function = getattr(library, name)
    function.restype, function.argtypes = result, parameters


_ERROR_HANDLER = ctypes.CFUNCTYPE(INT, DISPLAY, ctypes.c_void_p)
_declare(X11, "XSetErrorHandler", ctypes.c_void_p, _ERROR_HANDLER)
_declare(X11, "XOpenDisplay", DISPLAY, TEXT)
_declare(X11, "XConnectionNumber", INT, DISPLAY)
_declare(X11, "XDefaultRootWindow", XID, DISPLAY)
_declare(X11, "XCreateSimpleWindow", XID, DISPLAY, XID, INT, INT, UNSIGNED, UNSIGNED, UNSIGNED, XID, XID)
_declare(X11, "XDestroyWindow", INT, DISPLAY, XID)
_declare(X11, "XStoreName", INT, DISPLAY, XID, TEXT)
_declare(X11, "XMapWindow", INT, DISPLAY, XID)
_declare(X11, "XUnmapWindow", INT, DISPLAY, XID)
_declare(X11, "XSelectInput", INT, DISPLAY, XID, LONG)
_declare(X11, "XFlush", INT, DISPLAY)
_declare(X11, "XSync", INT, DISPLAY, INT)
_declare(X11, "XPending", INT, DISPLAY)
_declare(X11, "XNextEvent", INT, DISPLAY, ctypes.POINTER(Event))
_declare(X11, "XSendEvent", INT, DISPLAY, XID, INT, LONG, ctypes.POINTER(Event))
_declare(X11, "XFree", INT, ctypes.c_void_p)
_declare(X11, "XInternAtom", XID, DISPLAY, TEXT, INT)
_declare(X11, "XGetAtomName", ctypes.c_void_p, DISPLAY, XID)
_declare(X11, "XChangeProperty", INT, DISPLAY, XID, XID, XID, INT, INT, ctypes.c_void_p, INT)
_declare(X11, "XDeleteProperty", INT, DISPLAY, XID, XID)
_declare(
    X11, "XGetWindowProperty", INT, DISPLAY, XID, XID, LONG, LONG, INT, XID, ctypes.POINTER(XID), ctypes.POINTER(INT),
    ctypes.POINTER(XID), ctypes.POINTER(XID), ctypes.POINTER(ctypes.c_void_p))
_declare(X11, "XSetSelectionOwner", INT, DISPLAY, XID, XID, XID)
_declare(X11, "XGetSelectionOwner", XID, DISPLAY, XID)
_declare(X11, "XConvertSelection", INT, DISPLAY, XID, XID, XID, XID, XID)
_declare(X11, "XGrabServer", INT, DISPLAY)
_declare(X11, "XUngrabServer", INT, DISPLAY)
_declare(X11, "XGrabPointer", INT, DISPLAY, XID, INT, UNSIGNED, INT, INT, XID, XID, XID)
_declare(X11, "XUngrabPointer", INT, DISPLAY, XID)
_declare(X11, "XGrabKeyboard", INT, DISPLAY, XID, INT, INT, INT, XID)
_declare(X11, "XUngrabKeyboard", INT, DISPLAY, XID)
_declare(XTEST, "XTestFakeMotionEvent", INT, DISPLAY, INT, INT, INT, XID)
_declare(XTEST, "XTestFakeButtonEvent", INT, DISPLAY, UNSIGNED, INT, XID)

# Windows of others may be gone at any time. The reference keeps the callback alive.
_ignore = _ERROR_HANDLER(lambda display, error: 0)


class Display:
    """A connection to $DISPLAY, whose protocol errors are ignored."""

    def __init__(self):
        X11.XSetErrorHandler(_ignore)
        self.handle = X11.XOpenDisplay(None)
        if not self.handle:
            raise SystemExit("no X server")
        self.root = X11.XDefaultRootWindow(self.handle)
        self.descriptor = X11.XConnectionNumber(self.handle)
        self.atoms = {}

    def atom(self, name):
        if name not in self.atoms:
            self.atoms[name] = X11.XInternAtom(self.handle, name.encode(), 0)
        return self.atoms[name]

    def name(self, atom):
        pointer = X11.XGetAtomName(self.handle, atom) if atom else None
        if not pointer:
            return ""
        text = ctypes.cast(pointer, TEXT).value.decode()
        X11.XFree(pointer)
        return text

    def sync(self):
        X11.XSync(self.handle, 0)

    def flush(self):
        X11.XFlush(self.handle)

    def next_event(self):
        """The next event that has arrived; `None` if there is none."""
        if not X11.XPending(self.handle):
            return None
        event = Event()
        X11.XNextEvent(self.handle, event)
        return event

    # Windows

    def open_window(self, x, y, width, height, name):
        window = X11.XCreateSimpleWindow(self.handle, self.root, x, y, width, height, 0, 0, 0xD0D0D0)
        X11.XStoreName(self.handle, window, name.encode())
        X11.XSelectInput(self.handle, window, PROPERTY_CHANGE_MASK | STRUCTURE_NOTIFY_MASK)
        return window

    def map(self, window):
        X11.XMapWindow(self.handle, window)

    def unmap(self, window):
        X11.XUnmapWindow(self.handle, window)

    def destroy(self, window):
        X11.XDestroyWindow(self.handle, window)

    def observe(self, window):
        X11.XSelectInput(self.handle, window, PROPERTY_CHANGE_MASK)

    # Properties

    def set_property(self, window, name, kind, values):
        """Sets bytes, or a list of numbers of 32 bits."""
        if isinstance(values, bytes):
            data, bits = ctypes.create_string_buffer(values, max(1, len(values))), 8
        else:
            data, bits = (LONG * max(1, len(values)))(*values), 32
        X11.XChangeProperty(
            self.handle, window, self.atom(name), self.atom(kind), bits, REPLACE, ctypes.byref(data), len(values))

    def get_property(self, window, name, delete=False):
        """The type's name, and bytes or a list of numbers; `("", b"")` without the property."""
        kind, bits, count, rest, data = XID(), INT(), XID(), XID(), ctypes.c_void_p()
        failed = X11.XGetWindowProperty(
            self.handle, window, self.atom(name), 0, 1 << 24, int(delete), ANY_TYPE, kind, bits, count, rest, data)
        if failed or not kind.value:
            return "", b""
        if bits.value == 32:
            value = list(ctypes.cast(data, ctypes.POINTER(LONG))[:count.value])
        else:
            value = ctypes.string_at(data, count.value * bits.value // 8)
        X11.XFree(data)
        return self.name(kind.value), value

    def await_property(self, window, name):
        """Returns when a window has a property. Events that come meanwhile are dropped."""
        self.observe(window)
        while not self.get_property(window, name)[0]:
            X11.XNextEvent(self.handle, Event())

    def delete_property(self, window, name):
        X11.XDeleteProperty(self.handle, window, self.atom(name))

    # Selections and messages

    def own(self, selection, window, time=CURRENT_TIME):
        X11.XSetSelectionOwner(self.handle, self.atom(selection), window, time)

    def owner(self, selection):
        return X11.XGetSelectionOwner(self.handle, self.atom(selection))

    def convert(self, selection, target, name, window, time):
        X11.XConvertSelection(self.handle, self.atom(selection), self.atom(target), self.atom(name), window, time)

    def send_message(self, window, name, *values):
        event = Event()
        message = event.client
        message.type, message.window, message.message_type, message.format = CLIENT_MESSAGE, window, self.atom(name), 32
        for index, value in enumerate(values):
            message.data[index] = value
        X11.XSendEvent(self.handle, window, 0, 0, event)

    def answer(self, request, name):
        """Sends SelectionNotify; an empty name refuses."""
        event = Event()
        answer = event.selection
        answer.type, answer.requestor, answer.selection = SELECTION_NOTIFY, request.requestor, request.selection
        answer.target, answer.time, answer.property = request.target, request.time, self.atom(name) if name else NONE
        X11.XSendEvent(self.handle, request.requestor, 0, 0, event)

    # Pointer, grabs and time

    def move(self, x, y):
        XTEST.XTestFakeMotionEvent(self.handle, -1, x, y, 0)

    def button(self, is_down):
        XTEST.XTestFakeButtonEvent(self.handle, 1, is_down, 0)

    def grab_server(self):
        X11.XGrabServer(self.handle)
        self.sync()

    def ungrab_server(self):
        X11.XUngrabServer(self.handle)
        self.sync()

    def can_grab(self):
        """Whether no other client has grabbed the pointer or the keyboard."""
        pointer = X11.XGrabPointer(
            self.handle, self.root, 0, 0, ASYNCHRONOUS, ASYNCHRONOUS, NONE, NONE, CURRENT_TIME)
        keyboard = X11.XGrabKeyboard(self.handle, self.root, 0, ASYNCHRONOUS, ASYNCHRONOUS, CURRENT_TIME)
        X11.XUngrabPointer(self.handle, CURRENT_TIME)
        X11.XUngrabKeyboard(self.handle, CURRENT_TIME)
        self.sync()
        return pointer == 0 and keyboard == 0

    def server_time(self, window):
        """The server's time, from a change of a property."""
        self.sync()
        while self.next_event():
            pass
        self.set_property(window, "FAULTS_TIME", "INTEGER", [0])
        event = Event()
        while True:
            X11.XNextEvent(self.handle, event)
            if event.type == PROPERTY_NOTIFY and event.property.atom == self.atom("FAULTS_TIME"):
                return event.property.time
