#!/usr/bin/python3
"""A drop target with SDL 2; see peer.py for what it prints. SDL 2 takes files and text, and drags nothing.

Debian's Python has no module for SDL 2 without pygame: the library is called as it is.
"""

import ctypes
import os
import signal
import sys
import time

import peer

INIT_VIDEO = 0x20
WINDOW_SHOWN, DISABLED = 4, 0
QUIT = 0x100
DROP_FILE, DROP_TEXT, DROP_BEGIN, DROP_COMPLETE = 0x1000, 0x1001, 0x1002, 0x1003
WAIT_MILLISECONDS = 20


class DropEvent(ctypes.Structure):
    """`SDL_DropEvent`, padded to the size of `SDL_Event`."""

    _fields_ = [
        ("type", ctypes.c_uint32), ("timestamp", ctypes.c_uint32), ("file", ctypes.c_void_p),
        ("window", ctypes.c_uint32), ("padding", ctypes.c_uint8 * 128)]


def load():
    library = ctypes.CDLL("libSDL2-2.0.so.0")
    library.SDL_CreateWindow.restype = ctypes.c_void_p
    library.SDL_CreateWindow.argtypes = [ctypes.c_char_p] + [ctypes.c_int] * 4 + [ctypes.c_uint32]
    for name in ("SDL_GetWindowPosition", "SDL_GetWindowSize"):
        getattr(library, name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    library.SDL_SetWindowPosition.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    library.SDL_free.argtypes = [ctypes.c_void_p]
    return library


class Peer:
    def __init__(self, arguments):
        self.sdl = load()
        if self.sdl.SDL_Init(INIT_VIDEO) != 0:
            sys.exit("SDL 2 has no display")
        width, height, x, y = arguments.geometry
        self.window = self.sdl.SDL_CreateWindow(b"sdl2 target", x, y, width, height, WINDOW_SHOWN)
        self.later = self.files = self.texts = None
        ready = peer.Announcement(
            arguments, lambda: self.pair("SDL_GetWindowPosition"), lambda: self.pair("SDL_GetWindowSize"), lambda: 0,
            self.do_later, lambda: self.sdl.SDL_SetWindowPosition(self.window, x, y))
        self.later = ready.check

    def do_later(self, action):
        self.later = action

    def pair(self, question):
        first, second = ctypes.c_int(), ctypes.c_int()
        getattr(self.sdl, question)(self.window, ctypes.byref(first), ctypes.byref(second))
        return first.value, second.value

    def run(self, deadline):
        """Until the window is closed, or the time is up."""
        event = DropEvent()
        while deadline is None or time.monotonic() < deadline:
            action, self.later = self.later, None
            if action:
                action()
            if self.sdl.SDL_WaitEventTimeout(ctypes.byref(event), WAIT_MILLISECONDS):
                if event.type == QUIT:
                    return 0
                self.handle(event)
        peer.emit("timeout")
        return 3

    def handle(self, event):
        if event.type == DROP_BEGIN:
            self.files, self.texts = [], []
        elif event.type in (DROP_FILE, DROP_TEXT):
            value = ctypes.string_at(event.file)
            self.sdl.SDL_free(event.file)
            (self.files if event.type == DROP_FILE else self.texts).append(value)
        elif event.type == DROP_COMPLETE:
            # SDL gives text line by line.
            peer.emit(
                "drop", action="copy", files=[os.fsdecode(name) for name in self.files],
                text=b"\n".join(self.texts).decode("utf-8", "replace"))


def main():
    arguments = peer.parse_arguments()
    if arguments.role != "target":
        sys.exit("SDL 2 drags nothing")
    # SDL asks to quit when it is told to end, as it does when its window is closed.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    return Peer(arguments).run(arguments.timeout and time.monotonic() + arguments.timeout)


if __name__ == "__main__":
    sys.exit(main())
