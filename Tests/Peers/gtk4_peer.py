#!/usr/bin/python3
"""A drag source or target with GTK 4; see peer.py for what it reads and prints."""

import ctypes
import os
import signal
import sys

os.environ.setdefault("GSK_RENDERER", "cairo")  # what GL there is on a test's server is made by the processor

import gi  # noqa: E402

gi.require_version("Gtk", "4.0")
gi.require_version("Gdk", "4.0")
gi.require_version("GdkX11", "4.0")
from gi.repository import Gdk, GdkPixbuf, GdkX11, Gio, GLib, GObject, Gtk  # noqa: E402,F401

import peer  # noqa: E402

FLAGS = {"copy": Gdk.DragAction.COPY, "move": Gdk.DragAction.MOVE, "link": Gdk.DragAction.LINK}
CHUNK = 1 << 20


def name_of(action):
    for name, flag in FLAGS.items():
        if action & flag:
            return name
    return "none"


def mask_of(names):
    mask = Gdk.DragAction(0)
    for name in names:
        mask |= FLAGS[name]
    return mask


class Place:
    """Moves a window and says where it is, with Xlib: GTK 4 does neither."""

    def __init__(self, window):
        self.xlib, self.window = ctypes.CDLL("libX11.so.6"), ctypes.c_ulong(window)
        self.xlib.XOpenDisplay.restype = ctypes.c_void_p
        self.xlib.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.xlib.XOpenDisplay(None))
        self.root = ctypes.c_ulong(self.xlib.XDefaultRootWindow(self.display))

    def move(self, x, y):
        self.xlib.XMoveWindow(self.display, self.window, x, y)
        self.xlib.XSync(self.display, 0)

    def origin(self):
        x, y, child = ctypes.c_int(), ctypes.c_int(), ctypes.c_ulong()
        self.xlib.XTranslateCoordinates(
            self.display, self.window, self.root, 0, 0, ctypes.byref(x), ctypes.byref(y), ctypes.byref(child))
        return x.value, y.value


def read_finish(drop, result):
    """`gdk_drop_read_finish`, or `None`: GTK 4.8 owns the name of the type, and Python would free it."""
    gtk, gio = ctypes.CDLL("libgtk-4.so.1"), ctypes.CDLL("libgio-2.0.so.0")
    gtk.gdk_drop_read_finish.restype = ctypes.c_void_p
    type_name = ctypes.c_char_p()
    stream = ctypes.c_void_p(gtk.gdk_drop_read_finish(
        ctypes.c_void_p(hash(drop)), ctypes.c_void_p(hash(result)), ctypes.byref(type_name), None))
    if not stream:
        return None
    # A list is how an object of C becomes one of Python's.
    store = Gio.ListStore.new(Gio.InputStream)
    gio.g_list_store_append(ctypes.c_void_p(hash(store)), stream)
    gio.g_object_unref(stream)
    return store[0], type_name.value.decode()


def provider_of(content):
    """What a source gives: a value where GTK 4 has a type for it, and bytes where it has none."""

    def value(type_, value):
        return Gdk.ContentProvider.new_for_value(GObject.Value(type_, value))

    def data(type_name, data):
        return Gdk.ContentProvider.new_for_bytes(type_name, GLib.Bytes.new(data))

    if content.kind == "text":
        return value(GObject.TYPE_STRING, content.text)
    if content.kind == "html":
        return Gdk.ContentProvider.new_union(
            [data("text/html", content.html.encode()), value(GObject.TYPE_STRING, content.text)])
    if content.kind == "link":
        # A type without a slash, such as _NETSCAPE_URL, is none for GTK 4.
        return Gdk.ContentProvider.new_union(
            [data("text/x-moz-url", content.moz_url()), data("text/uri-list", content.uri_list())])
    if content.kind == "color":
        color = Gdk.RGBA()
        color.red, color.green, color.blue, color.alpha = (part / 65535 for part in content.color)
        return value(Gdk.RGBA, color)
    if content.kind == "image":
        return value(Gdk.Texture, Gdk.Texture.new_from_filename(content.path))
    if content.kind == "files":
        files = [Gio.File.new_for_uri(uri) for uri in content.uris]
        return value(Gdk.FileList, Gdk.FileList.new_from_list(files))
    return data(content.type, content.data())


class Peer:
    def __init__(self, arguments, loop):
        self.arguments, self.content = arguments, None
        width, height, x, y = arguments.geometry
        self.window = Gtk.Window(title="gtk4 " + arguments.role)
        self.window.set_default_size(width, height)
        self.window.set_decorated(False)  # GTK 4 would draw a frame and a shadow of its own into the window
        self.window.set_child(Gtk.Label(label="GTK 4 " + arguments.role))
        self.window.connect("close-request", lambda *_: loop.quit())
        (self.be_source if arguments.role == "source" else self.be_target)()
        self.window.realize()
        surface = self.window.get_surface()
        place = Place(surface.get_xid())
        ready = peer.Announcement(
            arguments, place.origin, lambda: (surface.get_width(), surface.get_height()), surface.get_xid,
            lambda again: GLib.timeout_add(20, again), lambda: place.move(x, y))

        def mapped(*_):
            if surface.get_mapped() and surface.get_width() > 1:
                place.move(x, y)
                ready.check()
                return False
            return True

        GLib.timeout_add(20, mapped)
        self.window.present()

    # Source

    def be_source(self):
        source = Gtk.DragSource()
        source.connect("prepare", self.on_prepare)
        source.connect("drag-begin", self.on_begin)
        source.connect("drag-cancel", self.on_cancel)
        source.connect("drag-end", self.on_end)
        self.window.add_controller(source)

    def on_prepare(self, source, _x, _y):
        self.content, self.cancelled = peer.Content(self.arguments.content), False
        source.set_actions(mask_of(self.content.actions))
        return provider_of(self.content)

    def on_begin(self, _source, drag):
        fields = {}
        if self.content.kind == "image":
            png = Gdk.Texture.new_from_filename(self.content.path).save_to_png_bytes()
            fields = peer.digest(png.get_data())
        peer.emit("drag-begin", kind=self.content.kind, **fields)

    def on_cancel(self, *_):
        self.cancelled = True
        return True  # no animation back

    def on_end(self, _source, drag, deleted):
        action = "none" if self.cancelled else name_of(drag.get_selected_action())
        peer.emit("drag-end", action=action, success=not self.cancelled, deleted=deleted)

    # Target

    def be_target(self):
        target = Gtk.DropTargetAsync(actions=mask_of(peer.ACTIONS))
        target.connect("drag-enter", self.on_enter)
        target.connect("drag-motion", self.on_motion)
        target.connect("drag-leave", self.on_leave)
        target.connect("drop", self.on_drop)
        self.window.add_controller(target)

    VALUES = {"text": GObject.TYPE_STRING, "color": Gdk.RGBA, "image": Gdk.Texture, "files": Gdk.FileList}

    def types(self):
        """The types of a kind that GTK 4 has no value for, best first."""
        if self.content.kind == "html":
            return ["text/html", "text/plain;charset=utf-8", "text/plain"]
        return ["text/x-moz-url", "text/uri-list"] if self.content.kind == "link" else [self.content.type]

    def has_kind(self, drop):
        formats = drop.get_formats()
        if self.content.kind in self.VALUES:
            readable = Gdk.ContentFormatsBuilder()
            readable.add_gtype(self.VALUES[self.content.kind])
            return formats.match(readable.to_formats().union_deserialize_mime_types())
        return any(formats.contain_mime_type(name) for name in self.types())

    def choose(self, drop):
        if not self.has_kind(drop):
            return Gdk.DragAction(0)
        if self.content.take:
            return FLAGS[self.content.take]
        # GTK 4 tells a target all that is possible, and the best of it by its own order; not what was proposed.
        return FLAGS.get(name_of(drop.get_actions()), Gdk.DragAction(0))

    def answer(self, drop):
        action = self.choose(drop)
        if name_of(action) != self.last:
            self.last = name_of(action)
            peer.emit("motion", action=self.last)
        return action

    def on_enter(self, _target, drop, x, y):
        self.content, self.last = peer.Content(self.arguments.content), None
        peer.emit("enter", types=drop.get_formats().get_mime_types(), x=x, y=y)
        return self.answer(drop)

    def on_motion(self, _target, drop, _x, _y):
        return self.answer(drop)

    def on_leave(self, *_):
        peer.emit("leave")

    def on_drop(self, _target, drop, _x, _y):
        action = self.choose(drop)
        if not action:
            return False

        def done(fields, type_name=None):
            drop.finish(action)
            peer.emit("drop", action=name_of(action), kind=self.content.kind, type=type_name, **fields)

        def failed(reason):
            drop.finish(Gdk.DragAction(0))
            peer.emit("drop-failed", reason=reason)

        def on_value(drop, result):
            try:
                value = drop.read_value_finish(result)
            except GLib.Error as error:
                failed(error.message)
            else:
                done(self.fields_of(value))

        def on_stream(drop, result):
            match read_finish(drop, result):
                case None:
                    failed("no data")
                case stream, type_name:
                    self.read_all(stream, lambda data: done(self.fields_of_bytes(type_name, data), type_name), failed)

        if self.content.kind in self.VALUES:
            drop.read_value_async(self.VALUES[self.content.kind], GLib.PRIORITY_DEFAULT, None, on_value)
        else:
            drop.read_async(self.types(), GLib.PRIORITY_DEFAULT, None, on_stream)
        return True

    def read_all(self, stream, done, failed):
        parts = []

        def on_part(stream, result):
            try:
                part = stream.read_bytes_finish(result)
            except GLib.Error as error:
                failed(error.message)
                return
            if part.get_size():
                parts.append(part.get_data())
                # GTK 4.8 forgets a read that begins while it ends the one before, and never ends it.
                GLib.idle_add(more, stream)
            else:
                done(b"".join(parts))

        def more(stream):
            stream.read_bytes_async(CHUNK, GLib.PRIORITY_DEFAULT, None, on_part)

        more(stream)

    def fields_of(self, value):
        if self.content.kind == "text":
            return peer.text_fields(value)
        if self.content.kind == "color":
            return peer.color_fields(round(part * 65535) for part in (value.red, value.green, value.blue, value.alpha))
        if self.content.kind == "files":
            return {"uris": [file.get_uri() for file in value.get_files()]}
        return image_fields(value)

    def fields_of_bytes(self, type_name, data):
        if self.content.kind == "html":
            return peer.text_fields(data.decode("utf-8", "replace"))
        if type_name == "text/x-moz-url":
            return peer.link_fields(data.decode("utf-16-le", "replace"))
        if self.content.kind == "link":
            return {"uri": (peer.parse_uri_list(data) or [None])[0]}
        return peer.digest(data)


def image_fields(texture):
    """GTK 4.8 cannot hand the pixels of a texture to Python; what it writes as PNG, GdkPixbuf can."""
    stream = Gio.MemoryInputStream.new_from_bytes(texture.save_to_png_bytes())
    pixbuf = GdkPixbuf.Pixbuf.new_from_stream(stream, None)
    pixbuf = pixbuf if pixbuf.get_has_alpha() else pixbuf.add_alpha(False, 0, 0, 0)
    return peer.image_fields(
        pixbuf.get_width(), pixbuf.get_height(), pixbuf.get_rowstride(), pixbuf.read_pixel_bytes().get_data())


def main():
    arguments = peer.parse_arguments()
    loop, code = GLib.MainLoop(), 0

    def time_is_up():
        nonlocal code
        code = 3
        peer.emit("timeout")
        loop.quit()

    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, loop.quit)
    if arguments.timeout:
        GLib.timeout_add(int(arguments.timeout * 1000), time_is_up)
    Gtk.init()
    side = Peer(arguments, loop)
    loop.run()
    del side
    sys.stdout.flush()
    os._exit(code)  # Python takes the objects of a drag apart in an order that GTK does not like


if __name__ == "__main__":
    main()
