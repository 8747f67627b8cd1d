"""What the windows of scripts/gallery have in common: their command line, and the line that says where to press.

They are the standard widgets of a toolkit: a list and a text editor, in which drags and drops look as the toolkit makes
them look. Nothing is set that is only decoration.
"""

import argparse
import json
import os
import re


def parse_arguments():
    parser = argparse.ArgumentParser(description="A window to drag from or to, for pictures.")
    parser.add_argument("role", choices=("source", "taking", "refusing"))
    parser.add_argument("kind", choices=("text", "files"))
    parser.add_argument("--geometry", required=True, metavar="WxH+X+Y", type=_geometry)
    parser.add_argument("--selected", default=(0, 1), metavar="FROM,COUNT", type=_range, help="the rows to be dragged")
    parser.add_argument("content", nargs="*", help="the text, or the files")
    return parser.parse_args()


def _geometry(text):
    return tuple(int(part) for part in re.fullmatch(r"(\d+)x(\d+)\+(\d+)\+(\d+)", text).groups())


def _range(text):
    return tuple(int(part) for part in text.split(","))


def name_of(path):
    return os.path.basename(path)


def announce(x=0, y=0):
    """The window is there; what is to be dragged is at this place of the screen."""
    print(json.dumps({"event": "ready", "x": int(x), "y": int(y)}, separators=(",", ":")), flush=True)
