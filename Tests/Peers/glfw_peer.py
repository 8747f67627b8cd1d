#!/usr/bin/python3
"""A drop target with GLFW 3; see peer.py for what it prints. GLFW takes files only, and drags nothing.

Debian's Python has no module for GLFW: the library is called as it is.
"""

import ctypes
import os
import signal
import sys
import time
import urllib.parse

import peer

CLIENT_API, NO_API = 0x22001, 0
VISIBLE = 0x20004
WAIT_SECONDS = 0.02

DropCallback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p))


def load():
    library = ctypes.CDLL("libglfw.so.3")
    library.glfwCreateWindow.restype = ctypes.c_void_p
    library.glfwCreateWindow.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
    library.glfwGetX11Window.restype = ctypes.c_ulong
    for name in ("glfwGetX11Window", "glfwShowWindow", "glfwWindowShouldClose"):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    for name in ("glfwGetWindowPos", "glfwGetWindowSize"):
        getattr(library, name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    library.glfwSetWindowPos.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    library.glfwSetDropCallback.argtypes = [ctypes.c_void_p, DropCallback]
    library.glfwWaitEventsTimeout.argtypes = [ctypes.c_double]
    return library


@DropCallback
def dropped(_, count, paths):
    # The names need not be UTF-8.
    peer.emit("drop", uris=["file://" + urllib.parse.quote(paths[index]) for index in range(count)])


class Peer:
    def __init__(self, arguments):
        self.glfw = load()
        if not self.glfw.glfwInit():
            sys.exit("GLFW has no display")
        width, height, x, y = arguments.geometry
        self.glfw.glfwWindowHint(CLIENT_API, NO_API)
        self.glfw.glfwWindowHint(VISIBLE, 0)
        self.window = self.glfw.glfwCreateWindow(width, height, b"glfw target", None, None)
        self.glfw.glfwSetDropCallback(self.window, dropped)
        self.glfw.glfwSetWindowPos(self.window, x, y)
        self.glfw.glfwShowWindow(self.window)
        self.later = None
        ready = peer.Announcement(
            arguments, lambda: self.pair("glfwGetWindowPos"), lambda: self.pair("glfwGetWindowSize"),
            lambda: self.glfw.glfwGetX11Window(self.window), self.do_later,
            lambda: self.glfw.glfwSetWindowPos(self.window, x, y))
        self.later = ready.check

    def do_later(self, action):
        self.later = action

    def pair(self, question):
        first, second = ctypes.c_int(), ctypes.c_int()
        getattr(self.glfw, question)(self.window, ctypes.byref(first), ctypes.byref(second))
        return first.value, second.value

    def run(self, deadline):
        """Until the window is closed, or the time is up."""
        while deadline is None or time.monotonic() < deadline:
            action, self.later = self.later, None
            if action:
                action()
            self.glfw.glfwWaitEventsTimeout(WAIT_SECONDS)
            if self.glfw.glfwWindowShouldClose(self.window):
                return 0
        peer.emit("timeout")
        return 3


def main():
    arguments = peer.parse_arguments()
    if arguments.role != "target":
        sys.exit("GLFW drags nothing")
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    return Peer(arguments).run(arguments.timeout and time.monotonic() + arguments.timeout)


if __name__ == "__main__":
    sys.exit(main())
