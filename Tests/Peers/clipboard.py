"""What the clipboard peers of all toolkits have in common: their command line, and what they say of what they pasted."""

import argparse
import pathlib

import peer


def parse_arguments(argv=None):
    parser = argparse.ArgumentParser(description="Copies or pastes, for tests: JSON lines on the standard output.")
    parser.add_argument("mode", choices=("copy", "paste"))
    parser.add_argument("--primary", action="store_true", help="the primary selection instead of the clipboard")
    parser.add_argument("--type", help="paste: the type to ask for; by default text in the toolkit's own way")
    content = parser.add_mutually_exclusive_group()
    content.add_argument("--text")
    content.add_argument("--uris", nargs="+", metavar="FILE")
    content.add_argument("--png", metavar="FILE")
    content.add_argument("--blob", nargs=2, metavar=("TYPE", "FILE"))
    arguments = parser.parse_args(argv)
    if arguments.mode == "copy" and not (arguments.text is not None or arguments.uris or arguments.png
                                         or arguments.blob):
        parser.error("copying needs --text, --uris, --png or --blob")
    return arguments


def typed_content(arguments):
    """Type and bytes of what is copied, if it is not text."""
    if arguments.uris:
        uris = [pathlib.Path(path).absolute().as_uri() for path in arguments.uris]
        return "text/uri-list", "".join(uri + "\r\n" for uri in uris).encode()
    kind, path = ("image/png", arguments.png) if arguments.png else arguments.blob
    with open(path, "rb") as file:
        return kind, file.read()


def report(types, type_name, data):
    """`pasted`, or `empty` if nothing came."""
    if data is None:
        peer.emit("empty", types=types)
    else:
        fields = {"uris": peer.parse_uri_list(data)} if type_name == "text/uri-list" else {}
        peer.emit("pasted", types=types, type=type_name, **peer.digest(data), **fields)
