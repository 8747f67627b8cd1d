#!/usr/bin/env python3
"""A proxy for an X display that delays each direction by a fixed time and does not limit the bandwidth.

    delay_proxy.py [--delay MS] [DISPLAY]

Listens on the Unix socket of a free display, forwards to DISPLAY (by default $DISPLAY), and prints the name of the new
display. Ends at the end of its standard input, from which it reads commands, and prints a line for each:

    delay MS    Delays what arrives from now on. Prints `ok`.
    reset       Starts counting anew. Prints `ok`.
    report      Prints a JSON object: `round_trips`; `waiting` and `idle`, in seconds; `requests`, replies by request.

A round trip begins when the client sends a request and ends when the reply to it reaches the client; overlapping ones
count once, since the client waits for them together. `waiting` is the sum of their lengths. With Xlib, whose replies are
awaited at once, that is how long the program was blocked; with asynchronous replies it is an upper bound. `idle` is the
time since a client has last sent anything.
"""

import argparse
import collections
import contextlib
import json
import os
import re
import select
import signal
import socket
import struct
import sys
import time

SOCKET = "/tmp/.X11-unix/X%d"
LOCK = "/tmp/.X%d-lock"
FIRST_DISPLAY, LAST_DISPLAY = 100, 999
CHUNK = 1 << 16
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
QUERY_EXTENSION, FIRST_EXTENSION = 98, 128

# The core protocol's requests with a reply that drag and drop needs; others are shown by their opcodes. XSync is a
# GetInputFocus.
REQUESTS = {
    3: "GetWindowAttributes", 14: "GetGeometry", 15: "QueryTree", 16: "InternAtom", 17: "GetAtomName", 20: "GetProperty",
    21: "ListProperties", 23: "GetSelectionOwner", 26: "GrabPointer", 31: "GrabKeyboard", 38: "QueryPointer",
    40: "TranslateCoordinates", 43: "GetInputFocus", 44: "QueryKeymap", 47: "QueryFont", 84: "AllocColor", 92: "LookupColor",
    101: "GetKeyboardMapping", 119: "GetModifierMapping",
}


class FreeDisplay:
    """A free display number, reserved as X servers do it: by a lock file with the process id, and a socket."""

    def __init__(self):
        for self.number in range(FIRST_DISPLAY, LAST_DISPLAY + 1):
            if os.path.exists(SOCKET % self.number):
                continue
            try:
                lock = os.open(LOCK % self.number, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o444)
            except FileExistsError:
                continue
            os.write(lock, b"%10d\n" % os.getpid())
            os.close(lock)
            self.listener = socket.socket(socket.AF_UNIX)
            try:
                self.listener.bind(SOCKET % self.number)
            except OSError:
                os.unlink(LOCK % self.number)
                raise
            self.listener.listen()
            self.listener.setblocking(False)
            return
        raise SystemExit("delay_proxy: no display number is free")

    def release(self):
        self.listener.close()
        os.unlink(SOCKET % self.number)
        os.unlink(LOCK % self.number)


class Waits:
    """Round trips of one client; see the head of the file."""

    def __init__(self):
        self.count, self.seconds, self.end = 0, 0.0, 0.0
        self.last_request = time.monotonic()
        self.requests = collections.Counter()

    def add(self, request, begin, end):
        self.requests[request] += 1
        if begin >= self.end:
            self.count += 1
        begin = max(begin, self.end)
        if end > begin:
            self.seconds += end - begin
            self.end = end


class Conversation:
    """Follows the requests and replies of one connection, to pair each reply with the time of its request."""

    def __init__(self, waits):
        self.waits = waits
        self.order = None
        self.sent, self.received = bytearray(), bytearray()
        self.sequence, self.pending = 0, collections.deque()
        self.extensions = {}  # names by major opcode
        self.server_is_set_up = False

    def request_bytes(self, data, now):
        self.waits.last_request = now
        self.sent += data
        while (length := self.request_length()) and len(self.sent) >= length:
            if self.order is None:
                self.order = "<" if self.sent[0] == ord("l") else ">"
            else:
                self.sequence = (self.sequence + 1) & 0xFFFF
                self.pending.append((self.sequence, self.request_name(), now))
            del self.sent[:length]

    def request_name(self):
        """Of the first request in `sent`: with the minor opcode for an extension, with the name for QueryExtension."""
        opcode, minor = self.sent[:2]
        if opcode >= FIRST_EXTENSION:
            return f"{self.extensions.get(opcode, opcode)}.{minor}"
        if opcode == QUERY_EXTENSION:
            (name,) = struct.unpack_from(self.order + "H", self.sent, 4)
            return f"QueryExtension {self.sent[8:8 + name].decode('latin-1')}"
        return REQUESTS.get(opcode, str(opcode))

    def request_length(self):
        """Of the first message in `sent`; `None` while too little of it is known."""
        if self.order is None:
            if len(self.sent) < 12:
                return None
            name, data = struct.unpack_from("<HH" if self.sent[0] == ord("l") else ">HH", self.sent, 6)
            return 12 + padded(name) + padded(data)
        if len(self.sent) < 4:
            return None
        (words,) = struct.unpack_from(self.order + "H", self.sent, 2)
        if words == 0:  # BIG-REQUESTS
            if len(self.sent) < 8:
                return None
            (words,) = struct.unpack_from(self.order + "I", self.sent, 4)
        return 4 * words

    def reply_bytes(self, data, due):
        self.received += data
        while self.order and len(self.received) >= 8:
            kind = self.received[0]
            if not self.server_is_set_up:
                length = 8 + 4 * struct.unpack_from(self.order + "H", self.received, 6)[0]
            elif kind in (1, 35):  # a reply, a generic event
                length = 32 + 4 * struct.unpack_from(self.order + "I", self.received, 4)[0]
            else:
                length = 32
            if len(self.received) < length:
                return
            if self.server_is_set_up and kind == 1:
                request = self.replied(struct.unpack_from(self.order + "H", self.received, 2)[0], due)
                if request.startswith("QueryExtension "):
                    self.extensions[self.received[9]] = request.split()[1]
            self.server_is_set_up = True
            del self.received[:length]

    def replied(self, sequence, due):
        """Counts a round trip. Returns the request's name, which is empty if the reply is not its first."""
        # Requests before this one have no reply, or had it. A request with several replies is counted at the first.
        if any(number == sequence for number, _, _ in self.pending):
            while self.pending:
                number, request, begin = self.pending.popleft()
                if number == sequence:
                    self.waits.add(request, begin, due)
                    return request
        return ""


def padded(length):
    return (length + 3) & ~3


class Direction:
    """Bytes on their way from one socket to another, each chunk with the time at which it is due."""

    def __init__(self, source, target, observe):
        self.source, self.target, self.observe = source, target, observe
        self.queue = collections.deque()
        self.ended = False

    def read(self, now, delay):
        try:
            data = self.source.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.ended = not data
        # Never before what has been read before it, also if the delay has become shorter.
        due = max(now + delay, self.queue[-1][0] if self.queue else 0)
        if data:
            self.observe(data, now, due)
        self.queue.append((due, data))

    def write(self, now):
        """Returns whether the connection still stands."""
        while self.queue and self.queue[0][0] <= now:
            due, data = self.queue[0]
            if not data:
                return False
            try:
                count = self.target.send(data)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if count < len(data):
                self.queue[0] = (due, data[count:])
                return True
            self.queue.popleft()
        return True

    def is_stuck(self, now):
        """Whether bytes are due that the target does not take."""
        return bool(self.queue) and self.queue[0][0] <= now


class Connection:
    def __init__(self, client, server, waits):
        self.sockets = (client, server)
        conversation = Conversation(waits)
        self.directions = (
            Direction(client, server, lambda data, now, _: conversation.request_bytes(data, now)),
            Direction(server, client, lambda data, _, due: conversation.reply_bytes(data, due)))

    def close(self):
        for end in self.sockets:
            end.close()


class Proxy:
    def __init__(self, upstream, delay):
        self.upstream, self.delay = upstream, delay
        self.display = FreeDisplay()
        self.connections, self.waits = [], Waits()
        self.commands = b""

    def run(self):
        print(f":{self.display.number}", flush=True)
        while self.turn():
            pass

    def turn(self):
        now = time.monotonic()
        directions = [each for connection in self.connections for each in connection.directions]
        readable = [each.source for each in directions if not each.ended]
        writable = [each.target for each in directions if each.is_stuck(now)]
        dues = [each.queue[0][0] - now for each in directions if each.queue and not each.is_stuck(now)]
        ready, _, _ = select.select(
            [self.display.listener, sys.stdin, *readable], writable, [], min(dues, default=None))
        now = time.monotonic()
        for each in directions:
            if each.source in ready:
                each.read(now, self.delay)
        for connection in self.connections[:]:
            if not all([each.write(time.monotonic()) for each in connection.directions]):
                connection.close()
                self.connections.remove(connection)
        if self.display.listener in ready:
            self.accept()
        return self.read_commands() if sys.stdin in ready else True

    def accept(self):
        client, _ = self.display.listener.accept()
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self.upstream)
        except OSError:
            client.close()
            return
        client.setblocking(False)
        server.setblocking(False)
        self.connections.append(Connection(client, server, self.waits))

    def read_commands(self):
        data = os.read(sys.stdin.fileno(), CHUNK)
        *lines, self.commands = (self.commands + data).split(b"\n")
        for line in lines:
            print(self.obey(line.decode().split()), flush=True)
        return bool(data)

    def obey(self, words):
        match words:
            case ["delay", milliseconds]:
                self.delay = float(milliseconds) / 1000
                return "ok"
            case ["reset"]:
                self.waits.__init__()
                return "ok"
            case ["report"]:
                idle = time.monotonic() - self.waits.last_request
                return json.dumps({
                    "round_trips": self.waits.count, "waiting": round(self.waits.seconds, 6), "idle": round(idle, 6),
                    "requests": dict(self.waits.requests.most_common())})
        return "unknown command"

    def close(self):
        # A second signal must not keep the lock file from being removed.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        for connection in self.connections:
            connection.close()
        self.display.release()


def main():
    parser = argparse.ArgumentParser(description="Delays an X display. Ends at the end of its standard input.")
    parser.add_argument("--delay", type=float, default=0, metavar="MS", help="in each direction (default: 0)")
    parser.add_argument("display", nargs="?", default=os.environ.get("DISPLAY", ""))
    arguments = parser.parse_args()
    match = re.fullmatch(r":(\d+)(\.\d+)?", arguments.display)
    if not match:
        parser.error(f"'{arguments.display}' is no local display such as :1")
    for number in SIGNALS:
        signal.signal(number, lambda *_: sys.exit(1))
    with contextlib.closing(Proxy(SOCKET % int(match[1]), arguments.delay / 1000)) as proxy:
        proxy.run()


if __name__ == "__main__":
    main()
