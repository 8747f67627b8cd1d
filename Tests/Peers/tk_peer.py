#!/usr/bin/python3
"""A drag source or target with Tk and tkdnd; see peer.py for what it reads and prints.

tkdnd 2.6 has text, files and colours, and no types beyond.
"""

import os
import signal
import sys
import tkinter
import urllib.parse

import peer

TYPES = {"text": "DND_Text", "files": "DND_Files", "color": "DND_Color"}


class Peer:
    def __init__(self, arguments):
        self.arguments, self.last = arguments, None
        self.root = tkinter.Tk()
        self.root.title("tk " + arguments.role)
        width, height, x, y = arguments.geometry
        self.root.geometry(f"{width}x{height}+{x}+{y}")
        self.area = tkinter.Label(self.root, text="Tk " + arguments.role)
        self.area.pack(fill="both", expand=True)
        self.tk = self.root.tk
        self.tk.call("package", "require", "tkdnd")
        (self.be_source if arguments.role == "source" else self.be_target)()
        # tkdnd puts XdndAware on the wrapper that it finds when the window is registered.
        ready = peer.Announcement(
            arguments, lambda: (self.area.winfo_rootx(), self.area.winfo_rooty()),
            lambda: (self.area.winfo_width(), self.area.winfo_height()), self.root.winfo_id,
            lambda again: self.root.after(20, again))
        self.root.bind("<Map>", lambda _: ready.check())

    def on(self, event, words, handler):
        """Calls `handler` with what tkdnd puts in the place of `words` whenever `event` happens."""
        name = "peer_" + handler.__name__
        self.tk.createcommand(name, handler)
        self.tk.call("bind", self.area, event, f"{name} {words}".strip())

    # Source

    def be_source(self):
        self.tk.call("tkdnd::drag_source", "register", self.area)
        self.on("<<DragInitCmd>>", "", self.init)
        self.on("<<DragEndCmd>>", "%A", self.end)

    def init(self):
        content = peer.Content(self.arguments.content)
        peer.emit("drag-begin", kind=content.kind)
        data = {
            "text": content.text, "color": tuple(content.color or ()),
            # tkdnd puts file:// before each and nothing else: the escapes are the program's.
            "files": tuple(urllib.parse.urlsplit(uri).path for uri in content.uris or ()),
        }[content.kind]
        return tuple(content.actions), TYPES[content.kind], data

    def end(self, action=""):
        # tkdnd 2.6 never says how it ended: its variable for that stays empty.
        peer.emit("drag-end", action=action or "none")

    # Target

    def be_target(self):
        self.tk.call("tkdnd::drop_target", "register", self.area, ("DND_Files", "DND_Color", "DND_Text"))
        self.on("<<DropEnter>>", "%ST", self.enter)
        self.on("<<DropPosition>>", "", self.position)
        self.on("<<DropLeave>>", "", self.leave)
        for kind, type_name in TYPES.items():
            self.on(f"<<Drop:{type_name}>>", "%T %D", getattr(self, "drop_" + kind))

    def enter(self, types):
        peer.emit("enter", types=list(self.tk.splitlist(types)))
        return "copy"

    def position(self):
        content = peer.Content(self.arguments.content)
        action = content.take or "copy"  # tkdnd 2.6 does not tell what was proposed
        self.last = action
        peer.emit("motion", action=action)
        return action

    def leave(self):
        self.last = None
        peer.emit("leave")

    def dropped(self, kind, type_name, **fields):
        action, self.last = self.last, None
        peer.emit("drop", action=action, kind=kind, type=type_name, **fields)
        return action

    def drop_text(self, type_name, data):
        return self.dropped("text", type_name, **peer.text_fields(data))

    def drop_files(self, type_name, data):
        # Decoded names without their scheme, as tkdnd gives them.
        names = self.tk.splitlist(data)
        return self.dropped("files", type_name, uris=["file://" + urllib.parse.quote(name) for name in names])

    def drop_color(self, type_name, data):
        try:
            color = [int(part, 0) for part in self.tk.splitlist(data)]
        except ValueError:  # Tk makes a string of a property whose format is 8
            peer.emit("drop-failed", type=type_name, reason="no list of numbers")
            return "refuse_drop"
        return self.dropped("color", type_name, **peer.color_fields(color))


def main():
    arguments = peer.parse_arguments()
    ended = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(0))
    side = Peer(arguments)

    def look():
        # Python handles a signal only when its own code runs.
        if ended:
            sys.stdout.flush()
            os._exit(ended[0])  # a drag that is still in its own loop must not keep the process
        side.root.after(50, look)

    def time_is_up():
        peer.emit("timeout")
        ended.append(3)

    if arguments.timeout:
        side.root.after(int(arguments.timeout * 1000), time_is_up)
    look()
    side.root.mainloop()


if __name__ == "__main__":
    main()
