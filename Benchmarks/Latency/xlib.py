"""What the measurement needs of Xlib and XTEST, without a package to install."""

import ctypes

X11 = ctypes.CDLL("libX11.so.6")
XTEST = ctypes.CDLL("libXtst.so.6")
WINDOW, DISPLAY = ctypes.c_ulong, ctypes.c_void_p
US_POSITION_AND_SIZE = 1 | 2


class SizeHints(ctypes.Structure):
    """`XSizeHints`, whose first members are all that is used."""

    _fields_ = [("flags", ctypes.c_long), ("members", ctypes.c_int * 17)]


def _declare(library, name, result, *parameters):
    function = getattr(library, name)
    function.restype, function.argtypes = result, parameters


_declare(X11, "XOpenDisplay", DISPLAY, ctypes.c_char_p)
_declare(X11, "XCloseDisplay", ctypes.c_int, DISPLAY)
_declare(X11, "XDefaultRootWindow", WINDOW, DISPLAY)
_declare(
    X11, "XCreateSimpleWindow", WINDOW, DISPLAY, WINDOW, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint,
    ctypes.c_uint, ctypes.c_ulong, ctypes.c_ulong)
_declare(X11, "XSetWMNormalHints", None, DISPLAY, WINDOW, ctypes.POINTER(SizeHints))
_declare(X11, "XStoreName", ctypes.c_int, DISPLAY, WINDOW, ctypes.c_char_p)
_declare(X11, "XMapWindow", ctypes.c_int, DISPLAY, WINDOW)
_declare(X11, "XFlush", ctypes.c_int, DISPLAY)
_declare(X11, "XSync", ctypes.c_int, DISPLAY, ctypes.c_int)
_declare(X11, "XFree", ctypes.c_int, ctypes.c_void_p)
_declare(X11, "XInternAtom", ctypes.c_ulong, DISPLAY, ctypes.c_char_p, ctypes.c_int)
_declare(
    X11, "XGetWindowProperty", ctypes.c_int, DISPLAY, WINDOW, ctypes.c_ulong, ctypes.c_long, ctypes.c_long,
    ctypes.c_int, ctypes.c_ulong, ctypes.POINTER(ctypes.c_ulong), ctypes.POINTER(ctypes.c_int),
    ctypes.POINTER(ctypes.c_ulong), ctypes.POINTER(ctypes.c_ulong), ctypes.POINTER(ctypes.c_void_p))
_declare(
    XTEST, "XTestFakeMotionEvent", ctypes.c_int, DISPLAY, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_ulong)
_declare(XTEST, "XTestFakeButtonEvent", ctypes.c_int, DISPLAY, ctypes.c_uint, ctypes.c_int, ctypes.c_ulong)


class Display:
    """A connection to a server: its pointer, and windows of its own."""

    def __init__(self, name):
        self.handle = X11.XOpenDisplay(name.encode())
        if not self.handle:
            raise RuntimeError(f"no X server at {name}")
        self.root = X11.XDefaultRootWindow(self.handle)

    def close(self):
        X11.XCloseDisplay(self.handle)

    # Pointer

    def move(self, x, y):
        XTEST.XTestFakeMotionEvent(self.handle, -1, x, y, 0)
        X11.XFlush(self.handle)

    def press(self):
        self._button(1)

    def release(self):
        self._button(0)

    def _button(self, is_down):
        XTEST.XTestFakeButtonEvent(self.handle, 1, is_down, 0)
        X11.XFlush(self.handle)

    # Windows

    def open_window(self, x, y, width, height, name):
        """Maps a top-level window where it is asked to be, which a window manager does for what the user wants."""
        window = X11.XCreateSimpleWindow(self.handle, self.root, x, y, width, height, 1, 0, 0xD0D0D0)
        X11.XSetWMNormalHints(self.handle, window, SizeHints(flags=US_POSITION_AND_SIZE))
        X11.XStoreName(self.handle, window, name.encode())
        X11.XMapWindow(self.handle, window)
        return window

    def sync(self):
        X11.XSync(self.handle, 0)

    def client_count(self):
        """How many windows the window manager lists as its clients."""
        kind, bits, count, rest, data = (
            ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_void_p())
        X11.XGetWindowProperty(
            self.handle, self.root, X11.XInternAtom(self.handle, b"_NET_CLIENT_LIST", 0), 0, 1 << 20, 0, 0, kind, bits,
            count, rest, data)
        if data:
            X11.XFree(data)
        return count.value
