"""What the peers of all toolkits have in common: their command line, and the JSON lines they print.

A peer reads what to drag, or what to take, from a JSON file each time a drag begins: one process serves many drags.
Both sides read the same members, and each ignores what is the other's.

    kind     text, html, link, color, image, data or files
    actions  source: what is offered (copy by default)
    take     target: the action to take whatever is proposed; what is proposed by default

    text     text, html    the text
    html     html          the HTML
    uri      link          the address
    title    link          what it is called
    color    color         red, green, blue, alpha, each 0...65535
    path     image, data   the file: a PNG to be decoded, or any bytes
    type     data          the type of the bytes
    uris     files         the files, as URIs: names need not be UTF-8
"""

import argparse
import hashlib
import json
import re
import sys

ACTIONS = ("copy", "move", "link")


def parse_arguments(argv=None):
    parser = argparse.ArgumentParser(description="One side of a drag, for tests: JSON lines on the standard output.")
    parser.add_argument("role", choices=("source", "target"))
    parser.add_argument("--geometry", required=True, metavar="WxH+X+Y", type=_geometry)
    parser.add_argument("--content", required=True, metavar="FILE", help="what to drag or take; read at each drag")
    parser.add_argument("--timeout", type=float, metavar="S", help="end after so many seconds, with code 3")
    return parser.parse_args(argv)


def _geometry(text):
    match = re.fullmatch(r"(\d+)x(\d+)\+(-?\d+)\+(-?\d+)", text)
    if not match:
        raise argparse.ArgumentTypeError("not WxH+X+Y")
    return tuple(int(part) for part in match.groups())


class Content:
    """What the file says now."""

    def __init__(self, path):
        with open(path, "rb") as file:
            members = json.load(file)
        self.kind = members["kind"]
        self.actions = members.get("actions", ["copy"])
        self.take = members.get("take")
        self.text, self.html = members.get("text"), members.get("html")
        self.uri, self.title = members.get("uri"), members.get("title")
        self.color = members.get("color")
        self.path, self.type = members.get("path"), members.get("type")
        self.uris = members.get("uris")

    def data(self):
        with open(self.path, "rb") as file:
            return file.read()

    # A link as the two browsers put it: both have the title, and `text/uri-list` has none.

    def moz_url(self):
        """`text/x-moz-url`: UTF-16 in the byte order of the machine, without a mark."""
        return f"{self.uri}\n{self.title}".encode("utf-16-le")

    def netscape_url(self):
        """`_NETSCAPE_URL`: the same in UTF-8."""
        return f"{self.uri}\n{self.title}".encode()

    def uri_list(self):
        return (self.uri + "\r\n").encode()


def emit(event, **fields):
    """One line for one thing that happened, in one write: other programs may write into the same pipe."""
    sys.stdout.write(json.dumps({"event": event, **fields}, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def digest(data):
    """What a test compares: the number of bytes and their SHA-256."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def text_fields(text):
    """What a target says about text; a lone surrogate is shown as a question mark."""
    data = text.encode("utf-8", "replace")
    return {"text": data.decode(), **digest(data)}


def link_fields(text):
    """What a target says about an address with its title in the next line."""
    uri, _, title = text.rstrip("\0").partition("\n")
    return {"uri": uri.rstrip("\r"), "title": title.rstrip("\r\n")}


def color_fields(parts):
    """What a target says about a colour: red, green, blue, alpha."""
    return {"color": " ".join(str(part) for part in parts)}


def image_fields(width, height, stride, rgba):
    """What a target says about a picture: its size, and the digest of its lines of red, green, blue, alpha."""
    lines = (rgba[stride * line:stride * line + 4 * width] for line in range(height))
    return {"width": width, "height": height, **digest(b"".join(lines))}


def parse_uri_list(data):
    """The URIs in `text/uri-list`, without comments."""
    lines = data.decode("utf-8", "surrogateescape").rstrip("\0").splitlines()
    return [line for line in lines if line and line[0] != "#"]


class Announcement:
    """Says `ready` once, when the window is mapped and where it was asked to be, or stays where it is."""

    # A window manager may put the frame where the window was asked to be; a frame is not wider than this.
    FRAME = 60

    def __init__(self, arguments, origin, size, window, later, move=lambda: None):
        """`move` is called again and again while the window is elsewhere: a window manager may have missed it."""
        self.wanted, self.origin, self.size, self.window, self.later = arguments.geometry, origin, size, window, later
        self.move, self.last, self.rounds, self.done = move, None, 0, False

    def check(self):
        """To be called whenever the window is mapped, moved or resized, and by itself until it is said."""
        if self.done:
            return False
        now = (*self.size(), *self.origin())
        self.rounds = self.rounds + 1 if now == self.last else 0
        self.last = now
        asked = self.wanted[2:]
        is_there = all(abs(now[2 + axis] - asked[axis]) <= self.FRAME for axis in (0, 1))
        if not is_there and self.rounds % 10 == 9:
            self.move()
        if self.rounds >= (3 if is_there else 100):
            self.done = True
            emit("ready", window=self.window(), width=now[0], height=now[1], x=now[2], y=now[3])
            return False
        self.later(self.check)
        return False
