#!/usr/bin/python3
"""A drag source or target with GTK 3; see peer.py for what it prints."""

import signal
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
gi.require_version("GdkX11", "3.0")
from gi.repository import Gdk, GdkX11, GLib, Gtk  # noqa: E402,F401

import peer  # noqa: E402

TEXT_TYPES = ("UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "STRING", "COMPOUND_TEXT")
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
            arguments, lambda: self.window.get_window().get_origin()[1:], self.window.get_size,
            lambda: self.window.get_window().get_xid(), lambda again: GLib.timeout_add(20, again))
        self.window.connect("map-event", lambda *_: ready.check())
        self.window.show_all()

    def finished(self):
        if self.arguments.once:
            GLib.timeout_add(300, Gtk.main_quit)  # what is still on its way to the other side goes out

    # Source

    def be_source(self):
        self.area.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], mask_of(self.arguments.actions))
        suggested = next(name for name in peer.ACTIONS if name in self.arguments.actions)
        if (self.arguments.prefer or suggested) != suggested:
            sys.exit("GTK 3 itself proposes the first of copy, move, link that is offered: " + suggested)
        targets = Gtk.TargetList.new([])
        if self.arguments.text is not None:
            targets.add_text_targets(0)
        elif self.arguments.uris:
            targets.add(Gdk.Atom.intern("text/uri-list", False), 0, 0)
        elif self.arguments.png:
            targets.add(Gdk.Atom.intern("image/png", False), 0, 0)
        else:
            targets.add(Gdk.Atom.intern(self.arguments.blob[0], False), 0, 0)
        self.area.drag_source_set_target_list(targets)
        self.deleted = self.failed = False
        self.area.connect("drag-begin", self.on_begin)
        self.area.connect("drag-data-get", self.on_data_get)
        self.area.connect("drag-data-delete", self.on_delete)
        self.area.connect("drag-failed", self.on_failed)
        self.area.connect("drag-end", self.on_end)

    def on_begin(self, _widget, _context):
        self.deleted = self.failed = False
        peer.emit("drag-begin")

    def on_data_get(self, _widget, _context, selection, _info, _time):
        arguments, target = self.arguments, selection.get_target()
        peer.emit("data-requested", type=target.name())
        if arguments.text is not None:
            selection.set_text(arguments.text, -1)
        elif arguments.uris:
            selection.set_uris(peer.file_uris(arguments.uris))
        else:
            with open(arguments.png or arguments.blob[1], "rb") as file:
                selection.set(target, 8, file.read())

    def on_delete(self, *_):
        self.deleted = True

    def on_failed(self, *_):
        self.failed = True
        return True  # no animation back

    def on_end(self, _widget, context):
        action = "none" if self.failed else name_of(context.get_selected_action())
        peer.emit("drag-end", action=action, success=not self.failed, deleted=self.deleted)
        self.finished()

    # Target

    def be_target(self):
        self.area.drag_dest_set(Gtk.DestDefaults(0), [], mask_of(self.arguments.actions))
        self.inside, self.last, self.dropped = False, None, False
        self.area.connect("drag-motion", self.on_motion)
        self.area.connect("drag-leave", self.on_leave)
        self.area.connect("drag-drop", self.on_drop)
        self.area.connect("drag-data-received", self.on_data)

    def best_type(self, context):
        offered = [atom.name() for atom in context.list_targets()]
        if self.arguments.accept:
            return next((name for name in self.arguments.accept if name in offered), None)
        known = ("text/uri-list", *TEXT_TYPES)
        return next((name for name in known if name in offered), offered[0] if offered else None)

    def choose(self, context):
        if self.best_type(context) is None:
            return Gdk.DragAction(0)
        if self.arguments.prefer:
            return FLAGS[self.arguments.prefer]
        proposed = context.get_suggested_action()
        return proposed if proposed & mask_of(self.arguments.actions) else Gdk.DragAction(0)

    def on_motion(self, _widget, context, x, y, time):
        if not self.inside:
            self.inside, self.last = True, None
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
        self.dropped = True
        wanted = self.best_type(context)
        self.action = self.choose(context)
        if wanted is None or not self.action:
            Gtk.drag_finish(context, False, False, time)
            peer.emit("drop-failed", reason="nothing acceptable")
            self.finished()
        else:
            widget.drag_get_data(context, Gdk.Atom.intern(wanted, False), time)
        return True

    def on_data(self, _widget, context, _x, _y, selection, _info, time):
        data, type_name = selection.get_data(), selection.get_target().name()
        if selection.get_length() < 0 or data is None:
            Gtk.drag_finish(context, False, False, time)
            peer.emit("drop-failed", type=type_name, reason="no data")
        else:
            Gtk.drag_finish(context, True, bool(self.action & Gdk.DragAction.MOVE), time)
            peer.emit("drop", action=name_of(self.action), **peer.describe(type_name, bytes(data)))
        self.finished()


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
