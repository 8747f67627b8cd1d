#!/usr/bin/env python3
"""The same as greeting.c, in Python, with the C library and nothing to build: a greeting can be dragged out of the window,
and dropped text is printed. It ends when its window is closed."""

import ctypes
import select
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_ulong, c_void_p
from ctypes import CFUNCTYPE as callback

xdnd, xlib = ctypes.CDLL("libxdnd.so.0"), ctypes.CDLL("libX11.so.6")

Destroyed = callback(None, c_void_p)
Dropped = callback(None, c_void_p, c_void_p)
Pressed = callback(c_bool, c_uint32, c_int, c_int, c_void_p, c_void_p)
DragEnded = callback(None, c_void_p, c_int, c_int, c_void_p)
OnEvent = callback(None, c_void_p, c_void_p)


class Data(Structure):
    _fields_ = [("type", c_char_p), ("bytes", c_void_p), ("length", c_size_t)]


LoadEnded = callback(None, c_void_p, c_int, POINTER(Data), c_void_p)


class TargetOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("types", POINTER(c_char_p)), ("type_count", c_size_t), ("operations", POINTER(c_int)),
        ("operation_count", c_size_t), ("user", c_void_p), ("destroyed", Destroyed), ("entered", c_void_p),
        ("moved", c_void_p), ("left", c_void_p), ("dropped", Dropped), ("ended", c_void_p)]


class LoadOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("limit", c_uint64), ("user", c_void_p), ("progress", c_void_p), ("received", c_void_p),
        ("ended", LoadEnded)]


class DragOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("items", POINTER(c_void_p)), ("item_count", c_size_t), ("button", c_uint32),
        ("time", c_uint32), ("user", c_void_p), ("destroyed", Destroyed), ("began", c_void_p), ("proposed", c_void_p),
        ("dropped", c_void_p), ("deletion_requested", c_void_p), ("ended", DragEnded), ("released", c_void_p)]


# ctypes takes what it is not told for an int, which is shorter than a pointer.
for name in ("xdnd_display", "xdnd_drop_content"):
    getattr(xdnd, name).restype, getattr(xdnd, name).argtypes = c_void_p, [c_void_p]
xdnd.xdnd_message.restype = c_char_p
xdnd.xdnd_load_text.argtypes = [c_void_p, POINTER(LoadOptions), c_void_p]
xdnd.xdnd_register.argtypes = [c_void_p, c_uint32, POINTER(TargetOptions)]
xdnd.xdnd_on_drag.argtypes = [c_void_p, c_uint32, Pressed, c_void_p]
xdnd.xdnd_on_event.argtypes = [c_void_p, OnEvent, c_void_p]
xdnd.xdnd_item_add_text.argtypes = [c_void_p, c_char_p]
xlib.XDefaultRootWindow.restype, xlib.XDefaultRootWindow.argtypes = c_ulong, [c_void_p]
xlib.XCreateSimpleWindow.restype = c_ulong
xlib.XCreateSimpleWindow.argtypes = [c_void_p, c_ulong, c_int, c_int] + 3 * [ctypes.c_uint] + 2 * [c_ulong]
xlib.XStoreName.argtypes = [c_void_p, c_ulong, c_char_p]
xlib.XSelectInput.argtypes = [c_void_p, c_ulong, ctypes.c_long]
xlib.XMapWindow.argtypes = [c_void_p, c_ulong]
STRUCTURE_NOTIFY_MASK, DESTROY_NOTIFY = 1 << 17, 17


def check(result):
    if result:
        raise SystemExit("greeting.py: " + xdnd.xdnd_message().decode())


@LoadEnded
def loaded(_load, result, data, _user):
    text = ctypes.string_at(data.contents.bytes, data.contents.length) if not result else xdnd.xdnd_message()
    print("not dropped:" if result else "dropped:", text.decode(), flush=True)


load_options = LoadOptions(size=ctypes.sizeof(LoadOptions), ended=loaded)


@Dropped
def dropped(drop, _user):
    check(xdnd.xdnd_load_text(xdnd.xdnd_drop_content(drop), byref(load_options), None))


@DragEnded
def ended(_drag, outcome, _operation, _user):
    print("dragged:", "not taken" if outcome else "taken", flush=True)


item = c_void_p()


@Pressed
def pressed(_window, _x, _y, options, _user):
    options = DragOptions.from_address(options)
    options.items, options.item_count, options.ended = ctypes.pointer(item), 1, ended
    return True


is_open = True


@OnEvent
def on_event(event, _user):
    global is_open
    # The last member of an XDestroyWindowEvent: other windows that the library watches may go, too.
    is_ours = c_ulong.from_address(event + 40).value == window
    is_open = is_open and not (is_ours and c_int.from_address(event).value == DESTROY_NOTIFY)


context = c_void_p()
check(xdnd.xdnd_connect(None, None, byref(context)))
display = xdnd.xdnd_display(context)
window = xlib.XCreateSimpleWindow(display, xlib.XDefaultRootWindow(display), 40, 40, 200, 200, 0, 0, 0xE0E0E0)
xlib.XStoreName(display, window, b"Greeting")
xlib.XSelectInput(display, window, STRUCTURE_NOTIFY_MASK)
check(xdnd.xdnd_on_event(context, on_event, None))
check(xdnd.xdnd_item_new(byref(item)))
check(xdnd.xdnd_item_add_text(item, "Hello from Python".encode()))
check(xdnd.xdnd_on_drag(context, window, pressed, None))
types = (c_char_p * 1)(b"text/plain")
check(xdnd.xdnd_register(context, window, byref(TargetOptions(
    size=ctypes.sizeof(TargetOptions), types=types, type_count=1, dropped=dropped))))
xlib.XMapWindow(display, window)

poll = select.poll()
poll.register(xdnd.xdnd_fd(context), select.POLLIN)
while is_open:
    check(xdnd.xdnd_process(context))
    timeout = xdnd.xdnd_timeout(context)
    if is_open:
        poll.poll(timeout if timeout >= 0 else None)
check(xdnd.xdnd_item_free(item))
check(xdnd.xdnd_close(context))
