#!/usr/bin/env python3
"""The other clients of a cell on $DISPLAY, on bare Xlib: a drag source, a drop target, and an operator.

    peer.py source STAGE --to WINDOW --content FILE [--save-as NAME]
    peer.py target STAGE --at X,Y [--save-in DIRECTORY]
    peer.py operator

Prints JSON lines, and reads commands as JSON arrays, one a line. A source or target prints {"event":"held"} when it has come
to STAGE, and then processes no event of the server until the command ["go"]. Otherwise both keep to the protocol. The
operator moves the pointer as the user does, and is the third client that takes selections, deletes properties and grabs the
server.
"""

import argparse
import hashlib
import json
import os
import pathlib
import select
import sys
import time
import urllib.parse

import xlib

BEFORE_ENTER, HOVERING, RELEASED, CONVERTING, INCR, SAVING, FINISHED = STAGES = (
    "before-enter", "hovering", "released", "converting", "incr", "saving", "finished")
CONTENT_TYPE, DIRECT_SAVE, OCTETS = "application/x-faults", "XdndDirectSave0", "application/octet-stream"
SELECTION, TRANSFER = "XdndSelection", "FAULTS_TRANSFER"
# More than three types, so that they are in XdndTypeList. The others have no content.
OTHER_TYPES = ["application/x-faults-2", "application/x-faults-3", "application/x-faults-4"]
WHOLE_LIMIT, PART = 1 << 20, 256 << 10
# The part of an INCR transfer at which a peer waits.
HELD_PART = 3
VERSION = 5


class Client:
    """A connection, commands on standard input, and reports on standard output."""

    def __init__(self):
        self.display = xlib.Display()
        self.is_held = False
        self.after_hold = None
        self.input = b""

    def report(self, event, **fields):
        print(json.dumps({"event": event, **fields}), flush=True)

    def hold(self, then=None):
        """Waits for ["go"], and then calls a function."""
        self.display.flush()
        self.is_held, self.after_hold = True, then
        self.report("held")

    def come_to(self, stage, then=None):
        """Waits at the stage of the command line, and goes on at any other."""
        if stage == self.stage:
            self.stage = None
            self.hold(then)
        elif then:
            then()

    def do_go(self):
        self.is_held, then, self.after_hold = False, self.after_hold, None
        if then:
            then()

    def do_end(self):
        raise SystemExit

    def run(self):
        while True:
            while not self.is_held and (event := self.display.next_event()):
                self.process(event)
            # XPending has flushed. Another flush could read events that select does not see.
            ready, _, _ = select.select([0] + ([] if self.is_held else [self.display.descriptor]), [], [], 60)
            if 0 in ready:
                self.read_commands()

    def read_commands(self):
        data = os.read(0, 4096)
        if not data:
            raise SystemExit
        *lines, self.input = (self.input + data).split(b"\n")
        for line in lines:
            name, *arguments = json.loads(line)
            getattr(self, "do_" + name)(*arguments)

    # Windows

    def do_destroy(self):
        self.display.destroy(self.window)
        self.display.sync()
        self.report("done")

    def do_unmap(self):
        self.display.unmap(self.window)
        self.display.sync()
        self.report("done")


class Target(Client):
    def __init__(self, arguments):
        super().__init__()
        self.stage, self.directory = arguments.stage, arguments.save_in
        x, y = map(int, arguments.at.split(","))
        self.window = self.display.open_window(x, y, 300, 200, "Target")
        self.display.set_property(self.window, "XdndAware", "ATOM", [VERSION])
        self.display.map(self.window)
        self.display.sync()
        self.source, self.time = 0, 0
        self.has_answered = self.is_wanted = False
        self.parts, self.announced, self.received = None, 0, bytearray()
        self.place = None
        self.report("ready", window=self.window, x=x, y=y, width=300, height=200)
        if self.stage == BEFORE_ENTER:
            self.hold()

    def process(self, event):
        if event.type == xlib.CLIENT_MESSAGE:
            name = self.display.name(event.client.message_type)
            self.receive(name, [value & 0xFFFFFFFF for value in event.client.data])
        elif event.type == xlib.SELECTION_NOTIFY:
            self.take_answer(event.selection)
        elif event.type == xlib.PROPERTY_NOTIFY and event.property.state == xlib.NEW_VALUE and self.parts is not None:
            if event.property.atom == self.display.atom(TRANSFER):
                self.take_part()

    def receive(self, name, data):
        if name == "XdndEnter":
            self.source, self.has_answered = data[0], False
            types = self.types(data)
            self.is_wanted = CONTENT_TYPE in types
            self.report("entered", source=self.source, types=types)
        elif name == "XdndPosition" and data[0] == self.source:
            self.send("XdndStatus", int(self.is_wanted), 0, 0, self.display.atom("XdndActionCopy") if self.is_wanted else 0)
            if self.is_wanted and not self.has_answered:
                self.has_answered = True
                self.come_to(HOVERING)
        elif name == "XdndLeave":
            self.report("left")
        elif name == "XdndDrop" and data[0] == self.source:
            self.time = data[2]
            self.report("dropped")
            self.come_to(RELEASED, self.request)

    def types(self, data):
        if data[1] & 1:
            kind, atoms = self.display.get_property(self.source, "XdndTypeList")
            return [self.display.name(atom) for atom in atoms] if kind == "ATOM" else []
        return [self.display.name(atom) for atom in data[2:5] if atom]

    def send(self, name, *values):
        self.display.send_message(self.source, name, self.window, *values)
        self.display.flush()

    def request(self):
        if self.directory:
            kind, name = self.display.get_property(self.source, DIRECT_SAVE)
            name = bytes(name).rstrip(b"\0").decode() if kind else "unnamed"
            self.place = pathlib.Path(self.directory) / name
            uri = f"file://{os.uname().nodename}{urllib.parse.quote(str(self.place))}"
            self.display.set_property(self.source, DIRECT_SAVE, "text/plain", uri.encode())
            self.convert(DIRECT_SAVE)
            self.come_to(SAVING)
        else:
            self.convert(CONTENT_TYPE)
            self.come_to(CONVERTING)

    def convert(self, kind):
        self.display.convert(SELECTION, kind, TRANSFER, self.window, self.time)
        self.display.flush()

    def take_answer(self, answer):
        target = self.display.name(answer.target)
        kind, data = self.display.get_property(self.window, TRANSFER) if answer.property else ("", b"")
        if kind == "INCR":
            self.parts, self.announced, self.received = 0, data[0] if data else 0, bytearray()
            self.display.delete_property(self.window, TRANSFER)
            return
        self.display.delete_property(self.window, TRANSFER)
        if target == DIRECT_SAVE:
            self.report("save-answer", answer=bytes(data).decode(errors="replace"))
            if data == b"S":
                self.finish(True)
            elif data == b"F":
                self.convert(OCTETS)
            else:
                self.finish(False)
        elif kind:
            self.take_content(data)
        else:
            self.finish(False)

    def take_part(self):
        kind, data = self.display.get_property(self.window, TRANSFER)
        if not kind:
            return
        self.parts += 1
        self.received += data
        take = lambda: self.display.delete_property(self.window, TRANSFER)
        if not data:
            take()
            self.parts = None
            if len(self.received) < self.announced:
                self.finish(False)
            else:
                self.take_content(self.received)
        elif self.parts == HELD_PART:
            self.come_to(INCR, take)
        else:
            take()

    def take_content(self, data):
        self.report("content", bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
        self.finish(True)

    def finish(self, is_success):
        action = self.display.atom("XdndActionCopy") if is_success else 0
        self.send("XdndFinished", int(is_success), action)
        self.report("finished", success=is_success, place=str(self.place) if self.place else None)
        self.come_to(FINISHED)


class Source(Client):
    def __init__(self, arguments):
        super().__init__()
        self.stage, self.target = arguments.stage, arguments.to
        self.name = arguments.save_as
        self.content = pathlib.Path(arguments.content).read_bytes()
        self.window = self.display.open_window(1, 1, 10, 10, "Source")
        self.display.map(self.window)
        self.display.observe(self.target)
        self.request = None
        self.transfer = None  # of INCR: requestor, property, offset
        self.has_dropped = self.has_ended = False
        self.time = self.display.server_time(self.window)
        self.display.own(SELECTION, self.window, self.time)
        types = ([DIRECT_SAVE] if self.name else []) + [CONTENT_TYPE] + OTHER_TYPES + ([OCTETS] if self.name else [])
        self.display.set_property(self.window, "XdndTypeList", "ATOM", [self.display.atom(name) for name in types])
        self.display.set_property(self.window, "XdndActionList", "ATOM", [self.display.atom("XdndActionCopy")])
        if self.name:
            self.display.set_property(self.window, DIRECT_SAVE, "text/plain", self.name.encode())
        self.kinds = types
        self.display.sync()
        self.report("ready", window=self.window)
        self.come_to(BEFORE_ENTER, self.enter)

    def send(self, name, *values):
        self.display.send_message(self.target, name, self.window, *values)
        self.display.flush()

    def enter(self):
        if not self.is_aware():
            self.report("unaware")
            return
        first = [self.display.atom(name) for name in self.kinds[:3]]
        self.send("XdndEnter", VERSION << 24 | 1, *first)
        self.send_position()
        if self.stage == RELEASED:
            self.drop()

    def is_aware(self):
        return self.display.get_property(self.target, "XdndAware")[0] == "ATOM"

    def send_position(self):
        x, y = 100, 100
        self.send("XdndPosition", 0, x << 16 | y, self.time, self.display.atom("XdndActionCopy"))

    def drop(self):
        self.has_dropped = True
        self.send("XdndDrop", 0, self.time)
        self.report("dropped")
        self.come_to(RELEASED)

    def process(self, event):
        if event.type == xlib.CLIENT_MESSAGE:
            name = self.display.name(event.client.message_type)
            data = [value & 0xFFFFFFFF for value in event.client.data]
            if name == "XdndStatus" and not self.has_dropped:
                self.report("status", accepted=bool(data[1] & 1))
                if data[1] & 1:
                    self.come_to(HOVERING, self.drop)
                else:
                    self.send("XdndLeave")
                    self.report("refused")
            elif name == "XdndFinished":
                self.report("finished", success=bool(data[1] & 1))
                if not self.has_ended:
                    self.has_ended = True
                    self.come_to(FINISHED)
        elif event.type == xlib.SELECTION_REQUEST:
            self.take_request(event.request)
        elif event.type == xlib.SELECTION_CLEAR:
            self.report("cleared")
        elif event.type == xlib.PROPERTY_NOTIFY and event.property.state == xlib.DELETED and self.transfer:
            if (event.property.window, event.property.atom) == self.transfer[:2]:
                self.send_part()

    def take_request(self, request):
        target, name = self.display.name(request.target), self.display.name(request.property)
        copy = xlib.SelectionRequest.from_buffer_copy(request)
        self.report("requested", type=target, window=copy.requestor, property=name)
        if target == "TARGETS":
            atoms = [self.display.atom(kind) for kind in ["TARGETS"] + self.kinds]
            self.display.set_property(copy.requestor, name, "ATOM", atoms)
            self.display.answer(copy, name)
        elif target == CONTENT_TYPE or (target == OCTETS and self.name):
            self.come_to(CONVERTING, lambda: self.send_content(copy, target, name))
        elif target == DIRECT_SAVE and self.name:
            self.save(copy, name)
        else:
            self.display.answer(copy, "")

    def send_content(self, request, kind, name):
        self.display.observe(request.requestor)
        if len(self.content) <= WHOLE_LIMIT:
            self.display.set_property(request.requestor, name, kind, self.content)
        else:
            self.display.set_property(request.requestor, name, "INCR", [len(self.content)])
            self.transfer, self.kind, self.offset, self.parts = (request.requestor, request.property), kind, 0, 0
        self.display.answer(request, name)
        self.display.flush()

    def send_part(self):
        window, atom = self.transfer
        data = self.content[self.offset:self.offset + PART]
        self.offset += len(data)
        self.parts += 1
        if not data:
            self.transfer = None
        write = lambda: self.display.set_property(window, self.display.name(atom), self.kind, data)
        if self.parts == HELD_PART:
            self.come_to(INCR, write)
        else:
            write()

    def save(self, request, name):
        kind, uri = self.display.get_property(self.window, DIRECT_SAVE)
        path = urllib.parse.unquote(urllib.parse.urlparse(bytes(uri).rstrip(b"\0").decode()).path) if kind else ""
        if not path.startswith("/"):
            self.answer_save(request, name, b"E")
            return
        middle = len(self.content) // 2
        try:
            with open(path, "xb") as file:
                file.write(self.content[:middle])
        except OSError as error:
            self.report("cannot-save", reason=str(error))
            self.come_to(SAVING, lambda: self.answer_save(request, name, b"F"))
            return
        self.come_to(SAVING, lambda: self.save_rest(request, name, path, middle))

    def save_rest(self, request, name, path, middle):
        try:
            with open(path, "r+b") as file:
                file.seek(middle)
                file.write(self.content[middle:])
            answer = b"S"
        except OSError as error:
            self.report("cannot-save", reason=str(error))
            answer = b"F"
        self.answer_save(request, name, answer)

    def answer_save(self, request, name, answer):
        self.display.set_property(request.requestor, name, "STRING", answer)
        self.display.answer(request, name)
        self.display.flush()


class Operator(Client):
    def __init__(self, _):
        super().__init__()
        self.stage = None
        self.window = self.display.open_window(0, 0, 1, 1, "Operator")
        self.display.sync()
        self.report("ready", window=self.window)

    def process(self, event):
        if event.type == xlib.SELECTION_REQUEST:
            self.display.answer(event.request, "")

    def done(self, **fields):
        self.display.sync()
        self.report("done", **fields)

    def do_move(self, x, y):
        self.display.move(x, y)
        self.done()

    def do_button(self, is_down):
        self.display.button(int(is_down))
        self.done()

    def do_steal(self):
        self.display.own(SELECTION, self.window, self.display.server_time(self.window))
        self.done(is_owner=self.display.owner(SELECTION) == self.window)

    def do_owner(self):
        self.done(window=self.display.owner(SELECTION))

    def do_await(self, window, name):
        self.display.await_property(window, name)
        self.done()

    def do_delete(self, window, *names):
        for name in names:
            self.display.delete_property(window, name)
        self.done()

    def do_grab_server(self, seconds):
        self.display.grab_server()
        self.report("grabbed")
        time.sleep(seconds)
        self.display.ungrab_server()
        self.done()

    def do_can_grab(self):
        self.done(free=self.display.can_grab())

    def do_time(self):
        self.done(time=self.display.server_time(self.window))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=["source", "target", "operator"])
    parser.add_argument("stage", nargs="?", default="none")
    parser.add_argument("--to", type=int)
    parser.add_argument("--at")
    parser.add_argument("--content")
    parser.add_argument("--save-as")
    parser.add_argument("--save-in")
    arguments = parser.parse_args()
    {"source": Source, "target": Target, "operator": Operator}[arguments.role](arguments).run()


if __name__ == "__main__":
    sys.exit(main())
