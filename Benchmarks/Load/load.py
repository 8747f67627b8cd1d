#!/usr/bin/env python3
"""Measures the library and the tools under load, as tables.

    load.py --tools DIRECTORY --clients DIRECTORY [--scale N] [--runs N] [NAME…]

Runs on $DISPLAY, which should be a private server without other clients, through `scripts/load`. The clients are the
programs of this directory, and Examples/C/greeting.c.

Each case has a size n and its double. A case fails if a tool dies; if an honest drop or paste after the load does not
succeed in time; if the memory exceeds its bound; or if the time at 2n is more than `RATIO_LIMIT` times the time at n and
more than `RATIO_FLOOR`. Short cases are repeated, and the medians count; of memory, the largest.
"""

import argparse
import os
import pathlib
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Latency"))

import xlib  # noqa: E402 (from the directory above)
from latency import Deadline, Failure, Program, TooLong, grab_point, stop  # noqa: E402

SOURCE_GEOMETRY, TARGET_GEOMETRY = "300x240+40+40", "300x240+700+40"
RATIO_LIMIT = 3
# Seconds. Below, the noise of a busy machine exceeds what is measured.
RATIO_FLOOR = 0.5
# Seconds until an honest drop has succeeded after a flood: sources give up on a silent target after 5 to 10 s.
RECOVERY_LIMIT = 10
# Seconds for which a request may wait for others before it is refused: 30 in docs/protocol.md, without the time in which
# it is sent.
PATIENCE = 29.5
# Seconds for everything else, as for a user who waits at a window.
WORK_LIMIT = 30
# Seconds in which the last requestor is served: it may wait for PATIENCE, and the transfer itself takes its time.
REQUEST_LIMIT = 40
# Seconds after which a run is ended.
RUN_LIMIT = 120
# A case that takes longer in its first run is not repeated.
SHORT = 5

# The exit status of a tool whose transfer failed: docs/exit-codes.md.
TRANSFER_FAILED = 6

# MiB. A tool needs 30 to 36 with its window; `scripts/bench memory` allows 48.
TOOL_MEMORY = 48
# Bytes for each event: Xlib keeps an unread one in 208, and the tool may copy it once.
EVENT_MEMORY = 512
# Bytes for each file of a list: a URI, a path, a title, and the row itself.
ENTRY_MEMORY = 2048
# Bytes for each registered window: its target, and an area of its own.
WINDOW_MEMORY = 8192


class Listener(Program):
    """A program of whose lines only the events of some names are kept: a flood makes many others."""

    def __init__(self, command, names):
        self.names = names
        super().__init__(command)

    def _take(self, item):
        if item is None or item[1].split('"', 4)[3] in self.names:
            super()._take(item)

    def memory(self, key="VmHWM"):
        """MiB: the most that the process has held, or with VmRSS what it holds now."""
        try:
            lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        except OSError:
            lines = []
        sizes = [int(line.split()[1]) / 1024 for line in lines if line.startswith(key + ":")]
        if not sizes:
            raise Failure(f"{self.name} has died: status {self.process.poll()}")
        return sizes[0]


class Measurement:
    """One run: seconds that count, the most memory in MiB, and other columns by name."""

    def __init__(self, seconds, memory, columns, failures=()):
        self.seconds, self.memory, self.columns, self.failures = seconds, memory, columns, list(failures)


class Case:
    """What is measured at two sizes. `bound` is the memory in MiB that a size may take, `limit` the seconds."""

    def __init__(self, name, size, measure, bound, limit=WORK_LIMIT):
        self.name, self.size, self.measure, self.bound, self.limit = name, size, measure, bound, limit
        self.runs = {size: [], 2 * size: []}
        self.failures = []

    def run(self, bench, run):
        for size, measurements in self.runs.items():
            if run and (not measurements or measurements[0].seconds > SHORT):
                continue
            if size > self.size and not self.runs[self.size]:
                continue
            try:
                measurement = self.measure(size)
                text = f"{measurement.seconds:.2f} s, {measurement.memory:.0f} MiB"
                measurements.append(measurement)
                self.failures += [f"{size}: {failure}" for failure in measurement.failures]
            except (Failure, TooLong) as failure:
                text = str(failure) or "not done in time"
                self.failures.append(f"{size}: {text}")
            finally:
                bench.end_programs()
            print(f"{self.name}, {size}, run {run + 1}: {text}", file=sys.stderr, flush=True)

    def median(self, size):
        return statistics.median(each.seconds for each in self.runs[size]) if self.runs[size] else None

    @property
    def ratio(self):
        single, double = self.median(self.size), self.median(2 * self.size)
        return double / single if single and double else None

    def check(self):
        """Adds what exceeds its limit."""
        for size, measurements in self.runs.items():
            if not measurements:
                continue
            if self.median(size) > self.limit:
                self.failures.append(f"{size}: {self.median(size):.1f} s, more than {self.limit} s")
            memory, bound = max(each.memory for each in measurements), self.bound(size)
            if memory > bound:
                self.failures.append(f"{size}: {memory:.0f} MiB, more than {bound:.0f} MiB")
        if self.ratio and self.ratio > RATIO_LIMIT and self.median(2 * self.size) > RATIO_FLOOR:
            self.failures.append(f"the time at {2 * self.size} is {self.ratio:.1f} times the time at {self.size}")

    def rows(self):
        """The first columns, and the others by name."""
        for size, measurements in self.runs.items():
            ratio = f"{self.ratio:.2f}" if self.ratio and size != self.size else ""
            bound = f"{self.bound(size):.0f}"
            if not measurements:
                yield (self.name, f"{size}", "failed", ratio, "", bound), {}
                continue
            middle = sorted(measurements, key=lambda each: each.seconds)[(len(measurements) - 1) // 2]
            memory = max(each.memory for each in measurements)
            yield (self.name, f"{size}", f"{self.median(size):.2f}", ratio, f"{memory:.0f}", bound), middle.columns


def print_table(title, cases):
    rows = [row for case in cases for row in case.rows()]
    # A column's place is that of its first row; a dictionary keeps the order.
    columns = list({name: None for _, others in rows for name in others})
    names = "", "n", "s", "ratio", "MiB", "bound", *columns
    print(f"### {title}\n")
    print("|", " | ".join(names), "|")
    print("| --- |", " | ".join(["---:"] * (len(names) - 1)), "|")
    for first, others in rows:
        print("|", " | ".join([*first, *(others.get(name, "") for name in columns)]), "|")
    print(flush=True)


def event_bound(size):
    return TOOL_MEMORY + size * EVENT_MEMORY / 2**20


def entry_bound(size):
    return TOOL_MEMORY + size * ENTRY_MEMORY / 2**20


def fixed_bound(size):
    return TOOL_MEMORY


class Bench:
    """Programs on one display."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.display = xlib.Display(os.environ["DISPLAY"])
        self.programs = []
        self.work = pathlib.Path(tempfile.mkdtemp())

    # Programs

    def start(self, command, names):
        program = Listener(command, {"ready", *names})
        self.programs.append(program)
        return program

    def tool(self, name, *options, names=()):
        return self.start([self.arguments.tools / name, "--json", "--timeout", 2 * RUN_LIMIT, *options], names)

    def probe(self, *options, names=(), geometry=TARGET_GEOMETRY):
        return self.tool("xdnd-probe", "--geometry", geometry, *options, names=names)

    def client(self, name, *options, names=()):
        return self.start([self.arguments.clients / name, *options], names)

    def end_programs(self):
        """Releases the button and ends the programs, whatever has become of them."""
        self.display.release()
        for program in reversed(self.programs):
            program.end()
        self.programs = []

    # Drops

    def drop_on(self, window, deadline):
        """An honest drop by `xdnd-source`, repeated until it succeeds. Returns how many it took."""
        for attempt in range(1, 1000):
            command = [self.arguments.tools / "xdnd-source", "--to", str(window), "--text", "Hello"]
            try:
                done = subprocess.run(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                    timeout=deadline.rest())
            except subprocess.TimeoutExpired:
                raise Failure("no honest drop succeeded in time") from None
            if done.returncode == 0:
                return attempt
            deadline.sleep(0.05)

    def begin_drag(self, source, source_place, target_place, deadline):
        """Presses the button on the source, and moves the pointer until the target would take a drop. Returns the press."""
        x, y = source_place
        self.display.move(x, y)
        deadline.sleep(0.2)
        begin, count = time.monotonic(), len(source.events)
        self.display.press()
        deadline.sleep(0.05)
        for step in (0.02, 0.3, 0.6, 1):
            self.display.move(*(round(a + (b - a) * step) for a, b in zip(source_place, target_place)))
        jitter = 0
        while source.find("proposal", since=count, condition=lambda event: "operation" in event) is None:
            jitter ^= 1
            self.display.move(target_place[0] + jitter, target_place[1])
            deadline.sleep(0.02)
        return begin

    def release(self, source, deadline):
        """Returns the outcome of the drag."""
        count = len(source.events)
        self.display.release()
        return source.wait("ended", deadline, since=count)["outcome"]

    # Floods

    def flood_target(self, kind, size):
        deadline = Deadline(RUN_LIMIT)
        probe = self.probe()
        ready = probe.wait("ready", deadline)
        deadline.sleep(0.5)
        return self.measure_flood(kind, size, probe, ready["window"], ready["window"], (), deadline,
                                  lambda: self.drop_on(ready["window"], deadline))

    def flood_source(self, kind, size, is_forged=False):
        """The flood is sent during a drag to xdnd-probe. A forged one names the target's window as its own."""
        deadline = Deadline(RUN_LIMIT)
        names = "entered", "drag-began", "proposal", "ended"
        source = self.tool("xdnd-source", "--geometry", SOURCE_GEOMETRY, "--text", "Hello", names=names)
        probe = self.probe(names=names)
        ready, target = source.wait("ready", deadline), probe.wait("ready", deadline)
        places = grab_point(ready), grab_point(target)
        deadline.sleep(0.5)
        self.begin_drag(source, *places, deadline)
        window = probe.wait("entered", deadline)["source"]
        peer = (target["window"],) if is_forged else ()

        def drop():
            for attempt in range(1, 1000):
                if self.release(source, deadline) == "dropped":
                    return attempt
                self.begin_drag(source, *places, deadline)

        return self.measure_flood(kind, size, source, window, ready["window"], peer, deadline, drop)

    def measure_flood(self, kind, size, tool, window, pinged, peer, deadline, drop):
        before = tool.memory("VmRSS")
        flood = self.client("flood", kind, size, window, pinged, *peer, names=("sent", "processed"))
        begin = time.monotonic()
        sent = flood.wait("sent", deadline)
        sent_at = time.monotonic()
        attempts = drop()
        end = time.monotonic()
        processed = flood.wait("processed", deadline)
        failures = []
        if end - sent_at > RECOVERY_LIMIT:
            failures.append(f"the drop succeeded {end - sent_at:.1f} s after the flood, more than {RECOVERY_LIMIT} s")
        memory = tool.memory()
        return Measurement(end - begin, memory, {
            "sent, s": f"{sent['seconds']:.2f}", "processed, s": f"{processed['seconds']:.2f}",
            "drop after, s": f"{end - sent_at:.2f}", "attempts": str(attempts),
            "longest ping, s": f"{processed['longest_ping']:.2f}", "growth, MiB": f"{memory - before:.0f}"}, failures)

    # Requestors

    def request(self, size, content, expected, clients):
        deadline = Deadline(RUN_LIMIT)
        source = self.tool("xdnd-source", "--clipboard", "--type", f"application/x-load={content}", names=("copied",))
        source.wait("copied", deadline)
        before = source.memory("VmRSS")
        requestors = self.client(
            "requestors", "CLIPBOARD", "application/x-load", size, min(size, clients), names=("requested",))
        requested = requestors.wait("requested", deadline)
        begin = time.monotonic()
        paste = [self.arguments.tools / "xdnd-probe", "--clipboard", "--accept", "application/x-load", "--output",
                 self.work / "pasted"]
        attempts = 1
        while subprocess.run(
                paste, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                timeout=deadline.rest()).returncode:
            attempts += 1
            deadline.sleep(0.05)
        pasted, failures = time.monotonic() - begin, []
        if (self.work / "pasted").stat().st_size != expected:
            failures.append("the paste is not whole")
        if requested["served"] and not requested["shortest"] == requested["longest"] == expected:
            failures.append(f"a requestor got {requested['shortest']} of {expected} bytes")
        if pasted > RECOVERY_LIMIT:
            failures.append(f"the paste succeeded after {pasted:.1f} s, more than {RECOVERY_LIMIT} s")
        if requested["unanswered"]:
            failures.append(f"{requested['unanswered']} were not answered")
        # One client has a share of the waiting requests, and is refused beyond that at once.
        if clients > 1 and requested["refused"] and requested["first_refused"] < PATIENCE:
            failures.append(f"{requested['refused']} were refused, the first after {requested['first_refused']:.1f} s")
        memory = source.memory()
        return Measurement(requested["last"], memory, {
            "served": str(requested["served"]), "refused": str(requested["refused"]),
            "first after, s": f"{requested['first_refused']:.2f}" if requested["refused"] else "",
            "median, s": f"{requested['median']:.2f}",
            "paste after, s": f"{pasted:.2f}", "growth, MiB": f"{memory - before:.0f}"}, failures)

    # Windows and programs

    def register(self, size):
        deadline = Deadline(RUN_LIMIT)
        program = self.client("windows", size, names=("loaded",))
        ready = program.wait("ready", deadline)
        before = program.memory("VmRSS")
        begin = time.monotonic()
        attempts = self.drop_on(ready["window"], deadline)
        dropped = time.monotonic() - begin
        if not program.wait("loaded", deadline)["bytes"]:
            raise Failure("the text did not arrive")
        seconds = ready["registering"] + ready["processing"]
        return Measurement(seconds, program.memory(), {
            "register, s": f"{ready['registering']:.3f}", "each, µs": f"{ready['registering'] / size * 1e6:.0f}",
            "process, s": f"{ready['processing']:.3f}", "drop, s": f"{dropped:.3f}", "attempts": str(attempts),
            "before the drop, MiB": f"{before:.1f}"})

    def open_programs(self, size, kind):
        """Programs with a target each; the last one is an xdnd-probe, and above the others."""
        deadline = Deadline(RUN_LIMIT)
        begin = time.monotonic()
        for index in range(size - 1):
            if kind == "greeting":
                self.client("greeting")
            else:
                self.probe(geometry=f"200x150+{index * 67 % 1080}+{300 + index * 41 % 570}")
        if kind == "greeting":
            deadline.sleep(1 + size * 0.02)
        else:
            for program in self.programs:
                program.wait("ready", deadline)
        names = "entered", "drag-began", "proposal", "ended"
        source = self.tool("xdnd-source", "--geometry", SOURCE_GEOMETRY, "--text", "Hello", names=names)
        probe = self.probe(names=names)
        places = grab_point(source.wait("ready", deadline)), grab_point(probe.wait("ready", deadline))
        opened = time.monotonic() - begin
        deadline.sleep(1)
        pressed = self.begin_drag(source, *places, deadline)
        entered = probe.at(probe.wait("entered", deadline)) - pressed
        released = time.monotonic()
        outcome = self.release(source, deadline)
        dropped = time.monotonic() - released
        if outcome != "dropped":
            raise Failure(f"the drop on the last one ended otherwise: {outcome}")
        dead = sum(program.process.poll() is not None for program in self.programs)
        if dead:
            raise Failure(f"{dead} of the programs have died")
        return Measurement(entered + dropped, source.memory(), {
            "press → Enter, s": f"{entered:.3f}", "release → end, s": f"{dropped:.3f}", "opened, s": f"{opened:.1f}"})

    # Large offers

    def offer(self, size, what):
        deadline = Deadline(RUN_LIMIT)
        probe = self.probe(names=("ended", "data", "failed"))
        window = probe.wait("ready", deadline)["window"]
        deadline.sleep(0.3)
        before = probe.memory("VmRSS")
        source = self.client("offer", window, what, size, names=("answered", "finished"))
        source.wait("ready", deadline)
        answered, finished = source.wait("answered", deadline), source.wait("finished", deadline)
        memory = probe.memory()
        source.end()
        return self.with_drop(probe, window, deadline, finished["seconds"], memory, before, {
            "answered, s": f"{answered['seconds']:.2f}", "accepted": str(finished["accepted"])})

    def with_drop(self, probe, window, deadline, seconds, memory, before, columns, failures=()):
        """Adds an honest drop afterwards."""
        done, failures = time.monotonic(), list(failures)
        attempts = self.drop_on(window, deadline)
        dropped = time.monotonic() - done
        if dropped > RECOVERY_LIMIT:
            failures.append(f"the drop succeeded after {dropped:.1f} s, more than {RECOVERY_LIMIT} s")
        return Measurement(seconds, max(memory, probe.memory()), {
            **columns, "drop after, s": f"{dropped:.2f}", "attempts": str(attempts), "growth, MiB": f"{memory - before:.0f}"},
            failures)

    def paste_targets(self, size):
        """xdnd-probe pastes from an owner with so many TARGETS."""
        deadline = Deadline(RUN_LIMIT)
        source = self.client("offer", 0, "targets", size)
        source.wait("ready", deadline)
        begin = time.monotonic()
        probe = self.tool("xdnd-probe", "--clipboard", names=("offered", "data", "failed", "ended"))
        memory = 0
        try:
            while not probe.find("data"):
                memory = max(memory, probe.memory())
                deadline.sleep(0.005)
        except Failure:
            pass  # It has ended, as it does when it has the content.
        seconds = time.monotonic() - begin
        status = probe.process.wait(deadline.rest())
        failed = next((event["reason"] for event in probe.events if event["event"] == "failed"), "")
        # It may refuse a list that is longer than its limit.
        if status and not (status == TRANSFER_FAILED and "limit" in failed):
            raise Failure(f"xdnd-probe ended with {status}")
        return Measurement(seconds, memory, {"accepted": str(int(status == 0))})

    def drag_types(self, size):
        return self.drag_all(size, [f"--type=x/{index}=a" for index in range(size)])

    def drag_files(self, size):
        return self.drag_all(size, ["-0"], self.make_list(size))

    def make_list(self, size):
        """A file with the names of so many files, each of which exists."""
        folder = self.work / "files"
        folder.mkdir(exist_ok=True)
        for index in range(size):
            path = folder / f"{index:07}"
            if not path.exists():
                path.touch()
        names = self.work / f"names-{size}"
        names.write_bytes(b"".join(bytes(folder / f"{index:07}") + b"\0" for index in range(size)))
        return names

    def drag_all(self, size, options, names=os.devnull):
        """`xdnd-source --to` drags all to an xdnd-probe. The memory is that of the one that holds more."""
        deadline = Deadline(RUN_LIMIT)
        probe = self.probe(names=("ended", "failed"))
        window = probe.wait("ready", deadline)["window"]
        before = probe.memory("VmRSS")
        begin = time.monotonic()
        errors = self.work / "errors"
        with open(names, "rb") as standard_input, open(errors, "wb") as standard_error:
            source = subprocess.Popen(
                [self.arguments.tools / "xdnd-source", "--to", str(window), "--timeout", str(RUN_LIMIT), *options],
                stdin=standard_input, stdout=subprocess.DEVNULL, stderr=standard_error)
        # The kernel tells the most memory of a child when it has ended.
        try:
            _, status, usage = self.wait_for(source, deadline)
        except TooLong:
            stop(source)
            raise Failure(f"xdnd-source has not dropped them in {RUN_LIMIT} s") from None
        seconds = time.monotonic() - begin
        if status:
            raise Failure(f"xdnd-source ended with {status}: {errors.read_text(errors='replace')[:300]}")
        failures = self.check_end(probe)
        memory = probe.memory()
        return self.with_drop(
            probe, window, deadline, seconds, max(memory, usage.ru_maxrss / 1024), before, {"accepted": "1"}, failures)

    def check_end(self, probe):
        """Waits until xdnd-probe has printed that the drop has ended. Returns failures."""
        try:
            outcome = probe.wait("ended", Deadline(RECOVERY_LIMIT))["outcome"]
        except TooLong:
            return ["xdnd-probe has not printed `ended`, although its output is read"]
        return [] if outcome == "dropped" else [f"the drop ended otherwise: {outcome}"]

    def wait_for(self, process, deadline):
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                return pid, process.returncode, usage
            deadline.sleep(0.01)

    def drag_rows(self, size):
        """The pointer drags the heading of a window with so many rows to an xdnd-probe."""
        deadline = Deadline(RUN_LIMIT)
        names = "list-ended", "drag-began", "proposal", "ended"
        probe = self.probe(names=names)
        target = probe.wait("ready", deadline)
        before = probe.memory("VmRSS")
        command = f'exec "$0" "$@" <"{self.make_list(size)}"'
        listed = time.monotonic()
        source = self.start(
            ["sh", "-c", command, self.arguments.tools / "xdnd-source", "--json", "--geometry", SOURCE_GEOMETRY, "-0",
             "--timeout", RUN_LIMIT], names)
        ready = source.wait("ready", deadline)
        source.wait("list-ended", deadline)
        listed = time.monotonic() - listed
        deadline.sleep(1)
        begin = time.monotonic()
        # The heading is at the upper edge of the window.
        self.begin_drag(source, (ready["x"] + 60, ready["y"] + 20), grab_point(target), deadline)
        entered = time.monotonic() - begin
        outcome = self.release(source, deadline)
        dropped = time.monotonic() - begin
        if outcome != "dropped":
            raise Failure(f"the drag ended otherwise: {outcome}")
        failures = self.check_end(probe)
        memory = max(probe.memory(), source.memory())
        return self.with_drop(
            probe, target["window"], deadline, listed + dropped, memory, before,
            {"accepted": "1", "listed, s": f"{listed:.2f}", "press → proposal, s": f"{entered:.2f}"}, failures)


KINDS = ("enter", "position", "leave", "drop", "status", "finished", "request", "property", "notify")


def floods(bench, scale):
    size = 50_000 // scale
    return [
        ("Floods at xdnd-probe", [
            Case(kind, size, lambda size, kind=kind: bench.flood_target(kind, size), event_bound, RUN_LIMIT)
            for kind in (*KINDS, "visit", "visit-drop")]),
        ("Floods at xdnd-source during a drag", [
            *(Case(kind, size, lambda size, kind=kind: bench.flood_source(kind, size), event_bound, RUN_LIMIT)
              for kind in KINDS),
            *(Case(f"{kind}, forged", size, lambda size, kind=kind: bench.flood_source(kind, size, True), event_bound,
                   RUN_LIMIT) for kind in ("status", "finished"))])]


LONG_CONTENT = 4 << 20  # bytes: by INCR


def requestors(bench, scale):
    # Fewer than a hundred of one client wait for nothing, so that the first that waits looks like growth.
    size = max(500 // scale, 100)
    (bench.work / "long").write_bytes(os.urandom(LONG_CONTENT))
    return [("Requestors of a clipboard, half of which never read", [
        Case(f"{words} content, {'one client' if clients == 1 else 'a client each'}", size,
             lambda size, content=content, expected=expected, clients=clients:
             bench.request(size, content, expected, clients), fixed_bound, REQUEST_LIMIT)
        for words, content, expected in (("short", "Hello", 5), ("long", f"@{bench.work / 'long'}", LONG_CONTENT))
        for clients in (2000, 1)])]


def windows(bench, scale):
    return [("Windows that one program registers", [
        Case("windows", size, bench.register, lambda size: TOOL_MEMORY + size * WINDOW_MEMORY / 2**20)
        for size in (10, 100, 1000 // scale)])]


def programs(bench, scale):
    return [("Programs with a target on one display", [
        Case(kind, 50 // scale, lambda size, kind=kind: bench.open_programs(size, kind), fixed_bound)
        for kind in ("xdnd-probe", "greeting")])]


def types(bench, scale):
    return [("Types", [
        *(Case(f"{what} of a hostile source", 500_000 // scale, lambda size, what=what: bench.offer(size, what), fixed_bound)
          for what in ("types", "actions")),
        Case("TARGETS of a hostile clipboard", 500_000 // scale, bench.paste_targets, fixed_bound),
        Case("types of xdnd-source", 500, bench.drag_types, entry_bound)])]


def items(bench, scale):
    return [("Items", [
        Case("files of xdnd-source --to", 50_000 // scale, bench.drag_files, entry_bound),
        Case("rows of xdnd-source", 50_000 // scale, bench.drag_rows, entry_bound),
        Case("entries of a hostile source", 50_000 // scale, lambda size: bench.offer(size, "entries"), entry_bound),
        Case("entries of a hostile source", 500_000 // scale, lambda size: bench.offer(size, "entries"),
             # Of a longer list, 100 000 are read; the bytes are held while they are.
             lambda size: entry_bound(100_000) + size * 100 / 2**20)])]


GROUPS = {
    "floods": floods, "requestors": requestors, "windows": windows, "programs": programs, "types": types, "items": items}


def measure_group(bench, name, arguments):
    failures = []
    for title, cases in GROUPS[name](bench, arguments.scale):
        cases = [case for case in cases if arguments.only in case.name]
        for run in range(arguments.runs):
            for case in cases:
                case.run(bench, run)
        for case in cases:
            case.check()
            failures += [f"{title}: {case.name}: {failure}" for failure in case.failures]
        if cases:
            print_table(title, cases)
    return failures


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/load", description="Measures the library and the tools under load.")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the directory of xdnd-source and xdnd-probe")
    parser.add_argument("--clients", type=pathlib.Path, required=True, help="the directory of the compiled clients")
    parser.add_argument("--scale", type=int, default=1, metavar="N", help="divides each number, for a quick look")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="of which the median counts (default: 3)")
    parser.add_argument("--only", default="", metavar="WORDS", help="measure the cases whose name has these words")
    parser.add_argument("names", nargs="*", default=list(GROUPS), metavar="NAME", help=", ".join(GROUPS))
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(GROUPS):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    return arguments


def main():
    arguments = parse_arguments()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    # Room for the arguments of a program: a quarter of its stack, and 6 MiB at most.
    limit = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if limit == resource.RLIM_INFINITY or limit >= 64 << 20:
        resource.setrlimit(resource.RLIMIT_STACK, (64 << 20, limit))
    bench = Bench(arguments)
    failures = []
    for name in arguments.names:
        failures += measure_group(bench, name, arguments)
    bench.display.close()
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
