"""A cell's surroundings: a private X server, the program under test, and its peers."""

import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

from peer import BEFORE_ENTER, CONTENT_TYPE, CONVERTING, FINISHED, HOVERING, INCR, OTHER_TYPES, SAVING

HERE = pathlib.Path(__file__).resolve().parent
PEER = HERE / "peer.py"
NAME = "saved.bin"
# Where the first and the second target are. The first one may stay on the screen.
PLACES = ((400, 20), (400, 260))
# So many seconds a tool may run.
PROCESS_LIMIT = 240
# Bytes of the file system that becomes full.
DISK = 24 << 20


class Failure(Exception):
    """What a cell has found."""


class Program:
    """A process that prints JSON lines. Its children are in its process group."""

    def __init__(self, command, environment, log, prefix=()):
        self.name = pathlib.Path(str(command[0])).name
        self.events, self.condition, self.is_over = [], threading.Condition(), False
        self.log = open(log, "ab")
        self.process = subprocess.Popen(
            [*prefix, *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
            env=environment, start_new_session=True)
        self.pid = self.process.pid
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            now = time.monotonic()
            try:
                event = json.loads(line)
            except ValueError:
                event = {"event": "text", "line": line.decode(errors="replace")}
            if not isinstance(event, dict):
                event = {"event": "number", "value": event}
            with self.condition:
                self.events.append({**event, "at": now})
                self.condition.notify_all()
        with self.condition:
            self.is_over = True
            self.condition.notify_all()

    def find(self, names, since=0):
        return next((event for event in self.events[since:] if event["event"] in names), None)

    def wait(self, names, limit, since=0):
        """The first of these events from an index on; `None` if it does not come in time."""
        names = {names} if isinstance(names, str) else set(names)
        end = time.monotonic() + limit
        with self.condition:
            while (event := self.find(names, since)) is None:
                rest = end - time.monotonic()
                if rest <= 0 or self.is_over:
                    return None
                self.condition.wait(rest)
        return event

    def expect(self, names, limit=10, since=0):
        event = self.wait(names, limit, since)
        if event is None:
            raise Failure(f"{self.name}: no {names} within {limit:g} s")
        return event

    def tell(self, *command):
        try:
            self.process.stdin.write(json.dumps(command).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            pass

    def ask(self, *command, limit=10):
        count = len(self.events)
        self.tell(*command)
        return self.expect("done", limit, count)

    def signal(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def is_running(self):
        return self.process.poll() is None

    def wait_for_end(self, limit):
        """The exit code, negative for a signal; `None` if the process goes on."""
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            return None

    def kill(self):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()
        self.log.close()


class Scene:
    def __init__(self, cell, options, work, clock_lead):
        self.cell, self.options, self.work, self.clock_lead = cell, options, work, clock_lead
        self.programs = []
        self.disk = work / "disk"
        self.gate, self.content = work / "gate", work / "content"
        self.is_mounted = False
        self.target_count = 0
        self.fault_at = time.monotonic()

    # Set-up

    def open(self):
        self.disk.mkdir(parents=True)
        if self.cell.fault.name == "disk full":
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", self.disk], check=True, timeout=20)
            self.is_mounted = True
        self.destination, self.second = self.disk / "destination", self.disk / "second"
        for directory in (self.destination, self.second, self.work / "home"):
            directory.mkdir()
        self.write_content()
        self.environment = {
            **os.environ, "HOME": str(self.work / "home"), "XDG_CACHE_HOME": str(self.work / "home" / "cache"),
            "XDG_DATA_HOME": str(self.work / "home" / "data"), "TMPDIR": str(self.work)}
        self.start_server()
        self.operator = self.start([sys.executable, PEER, "operator"], "operator")
        self.operator.expect("ready")
        self.operator.ask("move", 700, 600)
        self.start_ours()

    def write_content(self):
        size = {INCR: 8 << 20, SAVING: 4 << 20}.get(self.cell.stage, 300 << 10)
        if self.cell.fault.name == "memory limit" and self.cell.stage == INCR:
            size = 160 << 20
        block = hashlib.sha256(self.cell.title.encode()).digest() * (8 << 10)
        data = b"".join(index.to_bytes(8, "big") + block[8:] for index in range(size // len(block) + 1))[:size]
        self.content.write_bytes(data)
        self.sum, self.size = hashlib.sha256(data).hexdigest(), size

    def start_server(self):
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", "800x640x24", "-nolisten", "tcp", "-noreset"]
        if wrap := self.cell.fault.clock:
            now, lead = time.clock_gettime(time.CLOCK_MONOTONIC), self.clock_lead
            offset = wrap / 1000 - lead - now
            while offset < 0:
                offset += (1 << 32) / 1000
            command = ["unshare", "--time", f"--monotonic={round(offset)}", "--fork", "--kill-child", *command]
        self.server = self.start(command, "server")
        number = self.server.expect("number", 20)["value"]
        self.environment["DISPLAY"] = f":{number}"

    def start(self, command, log, prefix=()):
        # The process is killed with the thread of its cell, however this program ends.
        prefix = ["setpriv", "--pdeathsig", "KILL", *prefix]
        program = Program(command, self.environment, self.work / f"{log}.log", prefix)
        program.title = log
        self.programs.append(program)
        return program

    def start_ours(self):
        side = self.cell.side
        if side.is_tool:
            command = [self.options.tools / side.program, "--json", "--geometry", "300x240+20+20", "--timeout", PROCESS_LIMIT]
            command += self.source_options() if side.is_source else ["--save", self.destination]
        elif side.is_source:
            is_held = self.cell.stage in (CONVERTING, SAVING)
            command = [self.options.host, "source", self.command() if is_held else f"@{self.content}"]
            command += [NAME] if self.cell.stage == SAVING else []
        else:
            command = [self.options.host, "target", self.destination]
        prefix = [sys.executable, HERE / "saboteur.py", self.cell.sabotage] if self.cell.sabotage else []
        self.ours = self.start(command, "ours", [str(part) for part in prefix])
        ready = self.ours.expect("ready", 20)
        self.window = ready["window"]
        row = (ready.get("rows") or [{"x": ready["x"] + 100, "y": ready["y"] + 100}])[0]
        self.row = row["x"], row["y"]
        time.sleep(0.2)

    def command(self):
        """The shell command whose output is the content. It waits for the gate at a stage that is held."""
        wait = f"i=0; while [ ! -e {self.gate} ] && [ $i -lt 9000 ]; do sleep 0.02; i=$((i + 1)); done"
        if self.cell.stage == CONVERTING:
            return f"{wait}; exec cat {self.content}"
        if self.cell.stage == SAVING:
            half = self.size // 2
            return f"head -c {half} {self.content}; {wait}; exec tail -c +{half + 1} {self.content}"
        return f"exec cat {self.content}"

    def source_options(self):
        if self.cell.stage == SAVING:
            return ["--save-as", NAME, "--type", f"{CONTENT_TYPE}=!{self.command()}"]
        content = f"!{self.command()}" if self.cell.stage == CONVERTING else f"@{self.content}"
        options = ["--exact", "--type", f"{CONTENT_TYPE}={content}"]
        for kind in OTHER_TYPES:
            options += ["--type", f"{kind}=other"]
        return options

    # Peers

    def start_peer(self, stage="none", directory=None):
        if self.cell.side.is_source:
            x, y = PLACES[self.target_count]
            self.target_count += 1
            command = [sys.executable, PEER, "target", stage, "--at", f"{x},{y}"]
            if self.cell.stage == SAVING:
                command += ["--save-in", directory or self.destination]
            self.place = x + 150, y + 100
        else:
            command = [sys.executable, PEER, "source", stage, "--to", self.window, "--content", self.content]
            if self.cell.stage == SAVING:
                command += ["--save-as", NAME]
        peer = self.start(command, "peer")
        peer.window = peer.expect("ready", 20)["window"]
        return peer

    # The user

    def press(self):
        x, y = self.row
        self.operator.ask("move", x, y)
        self.operator.ask("button", True)
        count = len(self.ours.events)
        for step in (4, 8, 14, 20):
            self.operator.ask("move", x + step, y + step // 2)
        self.ours.expect("drag-began", 10, count)

    def move_to(self, place):
        x, y = place
        for step in (-40, -20, -6, 0):
            self.operator.ask("move", x + step, y)

    def release(self):
        self.operator.ask("button", False)
        self.released_at = time.monotonic()

    def move_until(self, condition, limit):
        """Moves the pointer to and fro over the target, as a hand that does not keep still."""
        end = time.monotonic() + limit
        x, y = self.place
        step = 0
        while not (result := condition()) and time.monotonic() < end:
            step ^= 2
            self.operator.ask("move", x + step, y)
            time.sleep(0.02)
        return result

    def wait_until_free(self, limit):
        end = time.monotonic() + limit
        while not self.operator.ask("can_grab")["free"]:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    # The way to a stage

    def come_to_stage(self):
        stage = self.cell.stage
        self.peer = self.start_peer(stage)
        if not self.cell.side.is_source:
            self.peer.expect("held", 20)
        else:
            self.press()
            if stage != BEFORE_ENTER:
                self.move_to(self.place)
                self.move_until(lambda: self.ours.find({"proposal"}), 10)
                if stage != HOVERING:
                    self.release()
                self.peer.expect("held", 20)
        if stage == SAVING:
            # The first half of the file has no name yet.
            time.sleep(0.2)
        if stage == FINISHED:
            self.ours.expect("ended", 10)
        time.sleep(0.1)

    def files(self):
        """All files and directories in the destination, hidden ones, too, with the size of the files."""
        found = []
        for path in self.destination.rglob("*"):
            try:
                found.append((path, 0 if path.is_dir() else path.stat().st_size))
            except OSError:
                pass
        return found

    # An honest drag

    def drag_honestly(self):
        """Returns the event with which the drag ended."""
        self.gate.touch()
        count = len(self.ours.events)
        if self.cell.side.is_source:
            self.operator.ask("button", False)
            peer = self.start_peer(directory=self.second)
            self.press()
            self.move_to(self.place)
            self.move_until(lambda: self.ours.find({"proposal"}, count), 10)
            self.release()
        else:
            peer = self.start_peer()
        ended = self.ours.wait("ended", 20, count)
        if ended is None:
            raise Failure("no end within 20 s" + self.tail(count))
        if ended["outcome"] != "dropped":
            raise Failure(f"an end with {ended['outcome']}" + self.tail(count))
        if not (finished := peer.wait("finished", 5)) or not finished["success"]:
            raise Failure("no success for the peer" + self.tail(count))
        self.check_content(peer, count, "the drag", self.second)
        return ended

    def tail(self, count):
        return "".join(f"\n    {json.dumps(event)}" for event in self.ours.events[count:][-8:])

    def check_content(self, peer, count, what, directory):
        """The content of a drag that has succeeded is there, and whole."""
        saved = [event for event in self.ours.events[count:] if event["event"] == "saved"]
        if not self.cell.side.is_source or self.cell.stage == SAVING:
            content = peer.find({"content"}) if self.cell.side.is_source else None
            if content:
                self.check_sum(content["sha256"], what)
                return
            if not saved and self.cell.side.is_source and not self.cell.side.is_tool:
                # The C library reports nothing but the answer to the target.
                saved = [{"path": directory / NAME}]
                self.wait_until_whole(directory / NAME)
            if not saved:
                raise Failure(f"{what}: dropped, but nothing was saved")
            for event in saved:
                path = pathlib.Path(event["path"])
                if not path.is_file():
                    raise Failure(f"{what}: {path.name} was reported as saved and is not there")
                self.check_sum(hashlib.sha256(path.read_bytes()).hexdigest(), f"{what}: {path.name}")
        else:
            content = peer.find({"content"})
            if not content:
                raise Failure(f"{what}: dropped, but the target has no content")
            self.check_sum(content["sha256"], what)

    def wait_until_whole(self, path):
        """Waits for a file that is still being saved: after 3 s the answer does not wait for it."""
        end = time.monotonic() + 5
        while not (path.is_file() and path.stat().st_size == self.size) and time.monotonic() < end:
            time.sleep(0.05)

    def check_sum(self, found, what):
        if found != self.sum:
            raise Failure(f"{what}: the content is not whole")

    def close(self):
        for program in reversed(self.programs):
            program.signal(signal.SIGCONT)
            program.kill()
        if self.is_mounted:
            subprocess.run(["umount", "--lazy", self.disk], timeout=20, check=False)
