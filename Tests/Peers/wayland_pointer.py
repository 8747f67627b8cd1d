#!/usr/bin/python3
"""A pointer for a Wayland compositor that has the protocol wlr-virtual-pointer, such as sway.

    wayland_pointer.py WIDTH HEIGHT FILE     the size of the screen, and a pipe

It reads `move X Y`, `press` and `release` from the pipe, a line for each, and prints `done` and the number of the line when
the compositor has seen it. XTEST is no substitute: it moves the pointer of Xwayland only over X11 windows that the
compositor's pointer is over.
"""

import os
import socket
import struct
import sys
import time

DISPLAY = 1  # the object that is there from the start
LEFT_BUTTON = 0x110


class Connection:
    """As much of the wire as is needed: numbers, names, and waiting until the server has seen all requests."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
        self.buffer, self.last, self.names = b"", DISPLAY, {}
        self.registry = self.create()
        self.send(DISPLAY, 1, "I", self.registry)
        self.synchronize()

    def create(self):
        self.last += 1
        return self.last

    def send(self, target, opcode, form="", *arguments, before=b""):
        body = before + struct.pack("=" + form, *arguments)
        self.socket.sendall(struct.pack("=IHH", target, opcode, 8 + len(body)) + body)

    def bind(self, interface):
        new, name = self.create(), interface.encode() + b"\0"
        padded = name + bytes(-len(name) % 4)
        head = struct.pack("=II", self.names[interface], len(name)) + padded
        self.send(self.registry, 0, "II", 1, new, before=head)
        return new

    def synchronize(self):
        callback = self.create()
        self.send(DISPLAY, 0, "I", callback)
        sender = None
        while sender != callback:
            sender, opcode, body = self.receive()
            if (sender, opcode) == (DISPLAY, 0):
                sys.exit(f"the compositor refuses: {body[12:].decode(errors='replace')}")
            if (sender, opcode) == (self.registry, 0):
                name, size = struct.unpack_from("=II", body)
                self.names[body[8:8 + size - 1].decode()] = name

    def receive(self):
        sender, opcode, size = struct.unpack("=IHH", self.read(8))
        return sender, opcode, self.read(size - 8)

    def read(self, count):
        while len(self.buffer) < count:
            more = self.socket.recv(65536)
            if not more:
                sys.exit("the compositor has ended")
            self.buffer += more
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data


class Pointer:
    def __init__(self, connection, width, height):
        self.connection, self.size = connection, (width, height)
        manager = connection.bind("zwlr_virtual_pointer_manager_v1")
        self.id = connection.create()
        connection.send(manager, 0, "II", 0, self.id)
        connection.synchronize()

    def move(self, x, y):
        self.send(1, "IIII", int(x), int(y), *self.size)

    def press(self):
        self.send(2, "II", LEFT_BUTTON, 1)

    def release(self):
        self.send(2, "II", LEFT_BUTTON, 0)

    def send(self, opcode, form, *arguments):
        now = int(time.monotonic() * 1000) & 0xFFFFFFFF
        self.connection.send(self.id, opcode, "I" + form, now, *arguments)
        self.connection.send(self.id, 4)  # the end of what belongs together
        self.connection.synchronize()


pointer = Pointer(Connection(), int(sys.argv[1]), int(sys.argv[2]))
with open(sys.argv[3]) as hand:
    for number, line in enumerate(hand, 1):
        verb, *arguments = line.split()
        {"move": pointer.move, "press": pointer.press, "release": pointer.release}[verb](*arguments)
        print("done", number, flush=True)
