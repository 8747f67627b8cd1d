#!/usr/bin/python3
"""A window of GTK 3 that embeds a window of another program (XEmbed). Prints the socket's id, and what is dropped on the label
below it, if there is one. It ends when its window is closed."""

import argparse
import signal

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

import peer  # noqa: E402


def add_label(box):
    """A drop target of the embedder's own."""
    label = Gtk.Label(label="GTK 3 embedder")
    label.set_size_request(-1, 60)
    label.drag_dest_set(Gtk.DestDefaults.ALL, [], Gdk.DragAction.COPY)
    label.drag_dest_add_text_targets()
    label.connect(
        "drag-data-received", lambda _w, _c, _x, _y, data, *_: peer.emit("embedder-drop", text=data.get_text()))
    box.pack_end(label, False, False, 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--drops", action="store_true", help="take drops on a label")
    arguments = parser.parse_args()
    window = Gtk.Window(title="Embedder")
    window.set_default_size(200, 260 if arguments.drops else 200)
    window.connect("destroy", lambda *_: Gtk.main_quit())
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    socket = Gtk.Socket()
    socket.connect("plug-added", lambda *_: peer.emit("plug-added"))
    socket.connect("plug-removed", lambda *_: peer.emit("plug-removed"))
    box.pack_start(socket, True, True, 0)
    if arguments.drops:
        add_label(box)
    window.connect("map-event", lambda *_: peer.emit("embedder", socket=socket.get_id()))
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, Gtk.main_quit)
    window.show_all()
    Gtk.main()


if __name__ == "__main__":
    main()
