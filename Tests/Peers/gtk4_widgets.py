#!/usr/bin/python3
"""A window of GTK 4 to drag from or to, for scripts/gallery; see widgets.py."""

import os

os.environ.setdefault("GSK_RENDERER", "cairo")

import gi  # noqa: E402

gi.require_version("Gtk", "4.0")
gi.require_version("Gdk", "4.0")
gi.require_version("GdkX11", "4.0")
from gi.repository import Gdk, GdkX11, Gio, GLib, Gtk  # noqa: E402,F401

import widgets  # noqa: E402
from gtk4_peer import Place  # noqa: E402


class Window:
    def __init__(self, arguments):
        self.arguments = arguments
        self.grabbed = None  # what says where to press, from where the window is
        self.select = lambda: None
        width, height, x, y = arguments.geometry
        self.window = Gtk.Window(title="GTK 4")
        self.window.set_default_size(width, height)
        self.window.set_decorated(False)
        content = {"text": self.editor, "files": self.files}[arguments.kind]()
        scrolled = Gtk.ScrolledWindow(child=content)
        self.window.set_child(scrolled)
        self.window.realize()
        self.surface = self.window.get_surface()
        self.place = Place(self.surface.get_xid())
        self.window.present()
        self.rounds = 0
        GLib.timeout_add(100, lambda: self.settle(x, y))

    def settle(self, x, y):
        """Moves the window until it is there; a window manager may have missed it."""
        self.rounds += 1
        at = self.place.origin()
        if self.surface.get_mapped() and at == (x, y) and self.rounds > 5:
            self.select()
            widgets.announce(*(self.grabbed(*at) if self.grabbed else at))
            return False
        self.place.move(x, y)
        return True

    # Text

    def editor(self):
        editor = Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD, left_margin=8, top_margin=8, right_margin=8)
        buffer = editor.get_buffer()
        buffer.set_text(" ".join(self.arguments.content))
        if self.arguments.role == "source":
            buffer.select_range(buffer.get_start_iter(), buffer.get_end_iter())
            self.grabbed = lambda x, y: (x + 50, y + 18)
        if self.arguments.role == "refusing":
            return self.refusing()
        return editor

    # Files

    def files(self):
        if self.arguments.role == "refusing":
            return self.refusing()
        rows = Gtk.ListBox(selection_mode=Gtk.SelectionMode.MULTIPLE)
        if self.arguments.role == "taking":
            rows.add_controller(Gtk.DropTarget.new(Gdk.FileList, Gdk.DragAction.COPY))
            return rows
        for path in self.arguments.content:
            rows.append(self.row(Gio.File.new_for_path(path), rows))
        first, count = self.arguments.selected

        def select():
            # The window has focused a row when it was shown, which selected it.
            rows.unselect_all()
            for index in range(first, first + count):
                rows.select_row(rows.get_row_at_index(index))

        self.select = select
        row = rows.get_row_at_index(first)
        self.grabbed = lambda x, y: (x + 80, y + row.get_allocation().y + row.get_height() / 2)
        return rows

    @staticmethod
    def row(file, rows):
        info = file.query_info("standard::icon,standard::display-name", Gio.FileQueryInfoFlags.NONE)
        row, box = Gtk.ListBoxRow(), Gtk.Box(spacing=8, margin_start=8, margin_top=6, margin_bottom=6)
        row.file = file
        box.append(Gtk.Image(gicon=info.get_icon(), icon_size=Gtk.IconSize.LARGE))
        box.append(Gtk.Label(label=info.get_display_name()))
        row.set_child(box)
        source = Gtk.DragSource()
        source.connect("prepare", lambda *_: Gdk.ContentProvider.new_for_value(
            Gdk.FileList.new_from_list([each.file for each in rows.get_selected_rows()])))
        row.add_controller(source)
        return row

    @staticmethod
    def refusing():
        """It takes colours, and nothing that is dragged here."""
        label = Gtk.Label(label="Colours only")
        label.add_controller(Gtk.DropTarget.new(Gdk.RGBA, Gdk.DragAction.COPY))
        return label


def main():
    Gtk.init()
    window = Window(widgets.parse_arguments())
    GLib.MainLoop().run()
    del window


if __name__ == "__main__":
    main()
