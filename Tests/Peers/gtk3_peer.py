#!/usr/bin/python3
"""A drag source or target with GTK 3; see peer.py for what it reads and prints."""

import signal
import struct
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkPixbuf, GdkX11, GLib, Gtk  # noqa: E402,F401

import peer  # noqa: E402

FLAGS = {"copy": Gdk.DragAction.COPY, "move": Gdk.DragAction.MOVE, "link": Gdk.DragAction.LINK}


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


def targets_of(content):
    """The types of a kind as GTK itself lists them, for both sides; GTK has no list for HTML, links and colours."""
    targets = Gtk.TargetList.new([])

    def add(*names):
        for name in names:
            targets.add(Gdk.Atom.intern(name, False), 0, 0)

    if content.kind == "html":
        add("text/html")
    if content.kind in ("text", "html"):
        targets.add_text_targets(0)
    elif content.kind == "link":
        add("_NETSCAPE_URL", "text/x-moz-url", "text/uri-list")  # in the order of WebKitGTK
    elif content.kind == "color":
        add("application/x-color")
    elif content.kind == "image":
        targets.add_image_targets(0, True)
    elif content.kind == "files":
        targets.add_uri_targets(0)
    elif content.kind == "data":
        add(content.type)
    return targets


class Peer:
    def __init__(self, arguments):
        self.arguments = arguments
        width, height, x, y = arguments.geometry
        self.window = Gtk.Window(title="gtk3 " + arguments.role)
        self.window.set_default_size(width, height)
        self.window.set_gravity(Gdk.Gravity.STATIC)
        self.window.move(x, y)
        self.area = Gtk.EventBox()
        self.area.add(Gtk.Label(label="GTK 3 " + arguments.role))
        self.window.add(self.area)
        self.window.connect("destroy", lambda *_: Gtk.main_quit())
        (self.be_source if arguments.role == "source" else self.be_target)()
        ready = peer.Announcement(
            arguments, lambda: self.window.get_window().get_origin()[1:], self.window.get_size, self.window_id,
            lambda again: GLib.timeout_add(20, again))
        self.window.connect("map-event", lambda *_: ready.check())
        self.window.show_all()

    def window_id(self):
        """The X window; 0 on Wayland."""
        window = self.window.get_window()
        return window.get_xid() if isinstance(window, GdkX11.X11Window) else 0

    # Source

    def be_source(self):
        self.content, self.deleted, self.failed = None, False, False
        self.area.connect("button-press-event", self.on_press)  # before GTK's own, which `drag_source_set` connects
        self.area.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
        self.area.connect("drag-begin", self.on_begin)
        self.area.connect("drag-data-get", self.on_data_get)
        self.area.connect("drag-data-delete", self.on_delete)
        self.area.connect("drag-failed", self.on_failed)
        self.area.connect("drag-end", self.on_end)

    def on_press(self, *_):
        self.content = peer.Content(self.arguments.content)
        self.area.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], mask_of(self.content.actions))
        self.area.drag_source_set_target_list(targets_of(self.content))
        return False

    def on_begin(self, _widget, context):
        self.deleted = self.failed = False
        context.connect("action-changed", lambda _, action: peer.emit("proposed", action=name_of(action)))
        fields = {}
        if self.content.kind == "image":
            self.pixbuf = GdkPixbuf.Pixbuf.new_from_file(self.content.path)
            # With the compression of gtk_selection_data_set_pixbuf.
            fields = peer.digest(self.pixbuf.save_to_bufferv("png", ["compression"], ["2"])[1])
        peer.emit("drag-begin", kind=self.content.kind, **fields)

    def on_data_get(self, _widget, _context, selection, _info, _time):
        content, target = self.content, selection.get_target()
        name = target.name()
        peer.emit("data-requested", type=name)
        if name == "text/html":
            selection.set(target, 8, content.html.encode())
        elif content.kind in ("text", "html"):
            selection.set_text(content.text, -1)
        elif content.kind == "link" and name == "text/uri-list":
            selection.set_uris([content.uri])
        elif content.kind == "link":
            selection.set(target, 8, content.netscape_url() if name == "_NETSCAPE_URL" else content.moz_url())
        elif content.kind == "color":
            selection.set(target, 16, struct.pack("=4H", *content.color))
        elif content.kind == "image":
            selection.set_pixbuf(self.pixbuf)
        elif content.kind == "files":
            selection.set_uris(content.uris)
        else:
            selection.set(target, 8, content.data())

    def on_delete(self, *_):
        self.deleted = True

    def on_failed(self, *_):
        self.failed = True
        return True  # no animation back

    def on_end(self, _widget, context):
        action = "none" if self.failed else name_of(context.get_selected_action())
        peer.emit("drag-end", action=action, success=not self.failed, deleted=self.deleted)

    # Target

    def be_target(self):
        self.area.drag_dest_set(Gtk.DestDefaults(0), [], mask_of(peer.ACTIONS))
        self.inside, self.last, self.dropped = False, None, False
        self.area.connect("drag-motion", self.on_motion)
        self.area.connect("drag-leave", self.on_leave)
        self.area.connect("drag-drop", self.on_drop)
        self.area.connect("drag-data-received", self.on_data)

    def best_type(self, context):
        """GTK's own choice; `None` if there is nothing of the kind."""
        found = self.area.drag_dest_find_target(context, targets_of(self.content))
        return None if found is None or found.name() == "NONE" else found

    def choose(self, context):
        if self.best_type(context) is None:
            return Gdk.DragAction(0)
        return FLAGS[self.content.take] if self.content.take else context.get_suggested_action()

    def on_motion(self, _widget, context, x, y, time):
        if not self.inside:
            self.inside, self.last = True, None
            self.content = peer.Content(self.arguments.content)
            peer.emit("enter", types=[atom.name() for atom in context.list_targets()], x=x, y=y)
        action = self.choose(context)
        Gdk.drag_status(context, action, time)
        if name_of(action) != self.last:
            self.last = name_of(action)
            peer.emit("motion", action=self.last)
        return True

    def on_leave(self, *_):
        # GTK says "leave" before every drop as well; which one it was shows when the main loop turns.
        self.dropped = False
        GLib.idle_add(self.after_leave)

    def after_leave(self):
        if self.inside and not self.dropped:
            peer.emit("leave")
        self.inside = False
        return False

    def on_drop(self, widget, context, _x, _y, time):
        self.dropped, self.inside = True, False
        wanted, self.action = self.best_type(context), self.choose(context)
        if wanted is None or not self.action:
            Gtk.drag_finish(context, False, False, time)
            peer.emit("drop-failed", reason="nothing acceptable")
        else:
            widget.drag_get_data(context, wanted, time)
        return True

    def on_data(self, _widget, context, _x, _y, selection, _info, time):
        fields = self.received(selection) if selection.get_length() >= 0 else None
        # What was refused has no type.
        wire = selection.get_data_type()
        name, wire = selection.get_target().name(), wire.name() if wire else None
        if fields is None:
            Gtk.drag_finish(context, False, False, time)
            peer.emit("drop-failed", type=name, property_type=wire, reason="no data that GTK can read")
        else:
            Gtk.drag_finish(context, True, bool(self.action & Gdk.DragAction.MOVE), time)
            peer.emit(
                "drop", action=name_of(self.action), kind=self.content.kind, type=name, property_type=wire,
                format=selection.get_format(), **fields)

    def received(self, selection):
        """The fields of a drop, read with GTK's own functions where it has them."""
        kind, data = self.content.kind, selection.get_data()
        name = selection.get_target().name()
        if kind == "text" or kind == "html" and name != "text/html":
            text = selection.get_text()
            return None if text is None else peer.text_fields(text)
        if kind == "html":
            return peer.text_fields(data.decode("utf-8", "replace"))
        if kind == "link" and name != "text/uri-list":
            return peer.link_fields(data.decode("utf-8" if name == "_NETSCAPE_URL" else "utf-16-le", "replace"))
        if kind == "link":
            return {"uri": (selection.get_uris() or [None])[0]}
        if kind == "color":
            if selection.get_format() != 16 or len(data) != 8:  # what GtkColorButton insists on
                return None
            return peer.color_fields(struct.unpack("=4H", data))
        if kind == "image":
            pixbuf = selection.get_pixbuf()
            return None if pixbuf is None else image_fields(pixbuf)
        if kind == "files":
            return {"uris": selection.get_uris()}
        return peer.digest(data)


def image_fields(pixbuf):
    pixbuf = pixbuf if pixbuf.get_has_alpha() else pixbuf.add_alpha(False, 0, 0, 0)
    return peer.image_fields(
        pixbuf.get_width(), pixbuf.get_height(), pixbuf.get_rowstride(), pixbuf.read_pixel_bytes().get_data())


def main():
    arguments = peer.parse_arguments()
    code = 0

    def time_is_up():
        nonlocal code
        code = 3
        peer.emit("timeout")
        Gtk.main_quit()

    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, Gtk.main_quit)
    if arguments.timeout:
        GLib.timeout_add(int(arguments.timeout * 1000), time_is_up)
    side = Peer(arguments)
    Gtk.main()
    del side
    return code


if __name__ == "__main__":
    sys.exit(main())
