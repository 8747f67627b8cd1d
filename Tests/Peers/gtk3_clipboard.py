#!/usr/bin/python3
"""Copies or pastes with GTK 3; see clipboard.py for what it prints. A copy stays until the program is ended."""

import signal
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

import clipboard  # noqa: E402
import peer  # noqa: E402


def copy(arguments, selection):
    if arguments.text is not None:
        board = Gtk.Clipboard.get(selection)
        board.set_text(arguments.text, -1)
        # GTK tells nobody but the owner's own callback of a loss; the server tells all.
        board.connect("owner-change", lambda _board, event: event.owner or peer.emit("lost"))
        peer.emit("copied")
        return board
    # The bindings have no way to give other data to a Gtk.Clipboard, but they have what it is made of.
    type_name, data = clipboard.typed_content(arguments)
    owner = Gtk.Invisible()
    owner.connect("selection-get", lambda _owner, answer, _info, _time: answer.set(answer.get_target(), 8, data))
    Gtk.selection_add_target(owner, selection, Gdk.Atom.intern(type_name, False), 0)
    Gtk.selection_owner_set(owner, selection, Gdk.CURRENT_TIME)
    peer.emit("copied")
    return owner


def paste(arguments, selection):
    board = Gtk.Clipboard.get(selection)
    found, atoms = board.wait_for_targets()
    types = [atom.name() for atom in atoms] if found else []
    if arguments.type:
        answer = board.wait_for_contents(Gdk.Atom.intern(arguments.type, False))
        data = answer.get_data() if answer and answer.get_length() >= 0 else None
    else:
        text = board.wait_for_text()
        data = None if text is None else text.encode()
    clipboard.report(types, arguments.type or "text/plain;charset=utf-8", data)


def main():
    arguments = clipboard.parse_arguments()
    selection = Gdk.SELECTION_PRIMARY if arguments.primary else Gdk.SELECTION_CLIPBOARD
    if arguments.mode == "paste":
        paste(arguments, selection)
        return 0
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGTERM, Gtk.main_quit)
    held = copy(arguments, selection)
    Gtk.main()
    del held
    return 0


if __name__ == "__main__":
    sys.exit(main())
