"""What the peers of all toolkits have in common: their command line, and the JSON lines they print."""

import argparse
import hashlib
import json
import pathlib
import re
import sys
import urllib.parse

ACTIONS = ("copy", "move", "link")


def parse_arguments(argv=None):
    parser = argparse.ArgumentParser(description="One side of a drag, for tests: JSON lines on the standard output.")
    parser.add_argument("role", choices=("source", "target"))
    parser.add_argument("--geometry", required=True, metavar="WxH+X+Y", type=_geometry)
    parser.add_argument("--actions", default=["copy"], type=_actions, help="source: offered; target: taken")
    parser.add_argument("--prefer", choices=ACTIONS, help="source: proposed; target: taken whatever is proposed")
    parser.add_argument("--accept", default=None, type=lambda text: text.split(","), metavar="TYPE,...",
                        help="target: the types it takes, best first; everything by default")
    content = parser.add_mutually_exclusive_group()
    content.add_argument("--text")
    content.add_argument("--uris", nargs="+", metavar="FILE")
    content.add_argument("--png", metavar="FILE")
    content.add_argument("--blob", nargs=2, metavar=("TYPE", "FILE"))
    parser.add_argument("--once", action="store_true", help="end after one drag or drop")
    parser.add_argument("--timeout", type=float, metavar="S", help="end after so many seconds, with code 3")
    arguments = parser.parse_args(argv)
    if arguments.role == "target":
        if "--actions" not in (sys.argv if argv is None else argv):
            arguments.actions = list(ACTIONS)
    elif not (arguments.text is not None or arguments.uris or arguments.png or arguments.blob):
        parser.error("a source needs --text, --uris, --png or --blob")
    if arguments.role == "source" and arguments.prefer and arguments.prefer not in arguments.actions:
        parser.error("--prefer is not among --actions")
    return arguments


def _geometry(text):
    match = re.fullmatch(r"(\d+)x(\d+)\+(-?\d+)\+(-?\d+)", text)
    if not match:
        raise argparse.ArgumentTypeError("not WxH+X+Y")
    return tuple(int(part) for part in match.groups())


def _actions(text):
    actions = text.split(",")
    if not set(actions) <= set(ACTIONS):
        raise argparse.ArgumentTypeError("not among " + ",".join(ACTIONS))
    return actions


def emit(event, **fields):
    """One line for one thing that happened."""
    print(json.dumps({"event": event, **fields}, ensure_ascii=False), flush=True)


def digest(data):
    """What a test compares: the number of bytes and their SHA-256."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def file_uris(paths):
    """The URIs of files, percent-encoded in full."""
    return [pathlib.Path(path).absolute().as_uri() for path in paths]


def uri_list(uris):
    """`text/uri-list` as RFC 2483 has it."""
    return "".join(uri + "\r\n" for uri in uris).encode()


def parse_uri_list(data):
    """The URIs in `text/uri-list`, without comments, and the decoded paths of those that are files."""
    lines = [line for line in data.decode("utf-8", "replace").rstrip("\0").splitlines() if line and line[0] != "#"]
    paths = [urllib.parse.unquote(urllib.parse.urlsplit(line).path) for line in lines if line.startswith("file:")]
    return {"uris": lines, "paths": paths}


def describe(type_name, data):
    """The fields of a drop for raw bytes of a type."""
    fields = {"type": type_name, **digest(data)}
    if type_name == "text/uri-list":
        fields.update(parse_uri_list(data))
    elif type_name.startswith("text/") or type_name == "UTF8_STRING":
        fields["text"] = data.decode("utf-8", "replace").rstrip("\0")
    return fields


class Announcement:
    """Says `ready` once, when the window is mapped and where it was asked to be, or stays where it is."""

    def __init__(self, arguments, origin, size, window, later):
        self.wanted, self.origin, self.size, self.window, self.later = arguments.geometry, origin, size, window, later
        self.last, self.rounds, self.done = None, 0, False

    def check(self):
        """To be called whenever the window is mapped, moved or resized, and by itself until it is said."""
        if self.done:
            return False
        now = (*self.size(), *self.origin())
        self.rounds = self.rounds + 1 if now == self.last else 0
        self.last = now
        # A window manager may put the frame where the window was asked to be, so "asked" cannot be waited for alone.
        if self.rounds >= 3:
            self.done = True
            emit("ready", window=self.window(), width=now[0], height=now[1], x=now[2], y=now[3])
            return False
        self.later(self.check)
        return False
