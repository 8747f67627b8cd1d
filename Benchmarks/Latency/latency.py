#!/usr/bin/env python3
"""Measures how a slow connection to the X server shows in a drag: the tools next to a GTK 3 program, as tables.

    latency.py --tools DIRECTORY --host PROGRAM [--delays MS,…] [--windows N,…] [--runs N] [--limit S] [--verbose]

Runs on $DISPLAY, which should be a private server with a window manager, through `scripts/bench latency`. One side of each
drag is behind `delay_proxy.py`, and the other side is one of the tools, directly on the server: it tells when messages
arrive. The pointer is moved directly on the server, too, through XTEST.

A program starts without a delay, which then begins with the drag: how long it takes to start is not measured here. Each
drag has fresh programs, since that is how the tools are used. Runs are interleaved, and the medians are printed.

In further drags, the program behind the proxy is `latency-host`, which uses the library and tells how long a turn of its event
loop has lasted and slept at most.
"""

import argparse
import collections
import json
import os
import pathlib
import queue
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import typing

import xlib

HERE = pathlib.Path(__file__).resolve().parent
GTK3_PEER = HERE.parent.parent / "Tests" / "Peers" / "gtk3_peer.py"
# Debian's, which has the modules of GTK, whichever other comes first in PATH.
DEBIAN_PYTHON = "/usr/bin/python3"

# The two sides of a drag are above the other windows, which keep to the lower part of a screen of 1280 × 1024.
SOURCE_GEOMETRY, TARGET_GEOMETRY = "300x240+40+40", "300x240+700+40"
OTHERS_TOP, OTHERS_SIZE = 360, (180, 120)
SCREEN = (1280, 1024)

# Seconds between the pointer's movements by a pixel while it waits for an answer, as in a hand that does not keep still.
JITTER_INTERVAL = 0.02
# Seconds for which a program may go on with its initialization after `ready`.
SETTLING = 0.3
# The third is `latency-host`.
OURS, GTK3, HOST = KINDS = ("ours", "GTK 3", "event loop")


class Failure(Exception):
    """A drag that ended otherwise than with a drop, or a program that ended too early."""


class TooLong(Failure):
    """A cell that was ended at the time limit."""


class Deadline:
    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def rest(self):
        rest = self.end - time.monotonic()
        if rest <= 0:
            raise TooLong
        return rest

    def sleep(self, seconds):
        time.sleep(min(seconds, self.rest()))


class Program:
    """A running program that prints JSON lines.

    An event's `at` is a time of this process's monotonic clock. Where the program says its own `time` (seconds since it
    started, to the millisecond), that counts instead of the moment at which the line was read: the offset between the two
    clocks is the smallest difference that any line has had.
    """

    def __init__(self, command, **environment):
        self.name = os.path.basename(command[0])
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **environment})
        self.lines, self.events = queue.Queue(), []
        self.offset = float("inf")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line))
        self.lines.put(None)

    def _take(self, item):
        if item is None:
            raise Failure(f"{self.name} has ended")
        arrival, line = item
        event = json.loads(line)
        event["arrival"] = arrival
        if "time" in event:
            self.offset = min(self.offset, arrival - event["time"])
        self.events.append(event)

    def listen(self):
        """Takes the lines that are there."""
        while True:
            try:
                self._take(self.lines.get_nowait())
            except queue.Empty:
                return

    def find(self, name, since=0, condition=lambda event: True):
        """The first event of this name, of those from an index on."""
        self.listen()
        return next((event for event in self.events[since:] if event["event"] == name and condition(event)), None)

    def wait(self, name, deadline, since=0, condition=lambda event: True):
        while (event := self.find(name, since, condition)) is None:
            try:
                self._take(self.lines.get(timeout=deadline.rest()))
            except queue.Empty:
                raise TooLong from None
        return event

    def at(self, event):
        return event["time"] + self.offset if "time" in event else event["arrival"]

    def end(self):
        stop(self.process)


def stop(process):
    """Asks a child process to end, and kills it if it does not."""
    process.terminate()
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Waits(typing.NamedTuple):
    """Round trips in a part of a drag, and the sum of their lengths."""

    count: int
    milliseconds: float
    requests: dict


class Turn(typing.NamedTuple):
    """The longest turn of an event loop in a drag: how long it lasted and kept the processor, the longest that a turn of the
    drag has slept, and what the library has called its program for meanwhile."""

    milliseconds: float
    processor: float
    slept: float
    during: str


class Proxy:
    """`delay_proxy.py` in front of $DISPLAY."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, HERE / "delay_proxy.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.display = self.process.stdout.readline().strip()
        if not self.display:
            raise RuntimeError("the proxy does not start")

    def ask(self, command):
        print(command, file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()

    def waits(self):
        """What the side behind the proxy has waited for since the last reset: see `delay_proxy.py`."""
        report = json.loads(self.ask("report"))
        self.ask("reset")
        return Waits(report["round_trips"], report["waiting"] * 1000, report["requests"])

    def idle(self):
        """Seconds since a program behind the proxy has last sent anything."""
        return json.loads(self.ask("report"))["idle"]

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            stop(self.process)


class Bench:
    """Drags on one display."""

    def __init__(self, arguments, content):
        self.arguments, self.content = arguments, content
        self.display = xlib.Display(os.environ["DISPLAY"])
        self.proxy = Proxy()
        self.programs = []
        self.windows = 0

    def close(self):
        self.end_drag()
        self.proxy.end()
        self.display.close()

    def open_windows(self, count):
        """Adds top-level windows until there are so many, and waits until the window manager has them all."""
        width, height = OTHERS_SIZE
        room = (SCREEN[0] - width, SCREEN[1] - OTHERS_TOP - height)
        for index in range(self.windows, count):
            # Steps without a common divisor with the room: windows overlap each other, and no two are in the same place.
            self.display.open_window(
                index * 67 % room[0], OTHERS_TOP + index * 41 % room[1], width, height, f"Window {index}")
        self.windows = count
        self.display.sync()
        give_up = time.monotonic() + 300
        while self.display.client_count() < count:
            if time.monotonic() > give_up:
                raise RuntimeError(f"the window manager does not map {count} windows")
            time.sleep(0.2)
        time.sleep(1)

    # Programs

    def start(self, command, is_delayed):
        display = self.proxy.display if is_delayed else os.environ["DISPLAY"]
        program = Program(command, DISPLAY=display)
        self.programs.append(program)
        return program

    def tool(self, name, geometry, *options, is_delayed):
        # A limit of its own, for the case that this process is killed and cannot end it.
        limit = int(self.arguments.limit) + 60
        return self.start(
            [self.arguments.tools / name, "--json", "--geometry", geometry, "--timeout", limit, *options], is_delayed)

    def peer(self, role, geometry):
        return self.start(
            [DEBIAN_PYTHON, GTK3_PEER, role, "--geometry", geometry, "--content", self.content,
             "--timeout", self.arguments.limit + 60], True)

    def host(self, role, geometry):
        return self.start([self.arguments.host, role, geometry], True)

    def source(self, kind, is_delayed=True):
        if kind == OURS:
            return self.tool("xdnd-source", SOURCE_GEOMETRY, "--text", "Hello", is_delayed=is_delayed)
        return self.host("source", SOURCE_GEOMETRY) if kind == HOST else self.peer("source", SOURCE_GEOMETRY)

    def target(self, kind, is_delayed=True):
        if kind == OURS:
            return self.tool("xdnd-probe", TARGET_GEOMETRY, "--verbose", is_delayed=is_delayed)
        return self.host("target", TARGET_GEOMETRY) if kind == HOST else self.peer("target", TARGET_GEOMETRY)

    def end_drag(self):
        """Releases the button and ends the programs, whatever has become of the drag."""
        self.display.release()
        self.proxy.ask("delay 0")
        for program in self.programs:
            program.end()
        self.programs = []

    # A drag

    def measure(self, role, kind, delay):
        """One drag with one side behind the proxy.

        Returns the lengths of its parts in milliseconds, by name, and for `HOST` the longest turn, which is otherwise `None`.
        """
        deadline = Deadline(self.arguments.limit)
        try:
            source = self.source(kind) if role == "source" else self.source(OURS, is_delayed=False)
            target = self.target(kind) if role == "target" else self.target(OURS, is_delayed=False)
            places = grab_point(source.wait("ready", deadline)), grab_point(target.wait("ready", deadline))
            deadline.sleep(SETTLING)
            self.proxy.ask(f"delay {delay}")
            deadline = Deadline(self.arguments.limit)
            part = self.measure_source if role == "source" else self.measure_target
            parts = part(source, target, *places, delay / 1000, deadline)
            return parts, longest_turn(source if role == "source" else target, deadline) if kind == HOST else None
        finally:
            self.end_drag()

    def begin_drag(self, source_place, target_place, delay, deadline):
        """Presses the button, and moves the pointer to the target. Returns the time of the motion beyond the threshold."""
        x, y = source_place
        self.display.move(x, y)
        deadline.sleep(0.1 + 2 * delay)
        self.display.press()
        deadline.sleep(0.1 + 4 * delay)
        self.display.move(x + 3, y + 2)
        self.proxy.ask("reset")
        begin = time.monotonic()
        for step in (0.05, 0.35, 0.65, 1):
            self.display.move(*(round(a + (b - a) * step) for a, b in zip(source_place, target_place)))
        return begin

    def move_until(self, place, deadline, condition):
        step = 0
        while (event := condition()) is None:
            step ^= 1
            self.display.move(place[0] + step, place[1])
            deadline.sleep(JITTER_INTERVAL)
        return event

    def settle(self, delay, deadline):
        """Waits until the side behind the proxy has done all that the motions have caused."""
        quiet = SETTLING + 4 * delay
        deadline.sleep(quiet)
        while (idle := self.proxy.idle()) < quiet:
            deadline.sleep(quiet - idle)

    def measure_source(self, source, target, source_place, target_place, delay, deadline):
        begin = self.begin_drag(source_place, target_place, delay, deadline)
        entered = self.move_until(target_place, deadline, lambda: target.find("entered"))
        waits = self.proxy.waits()
        self.move_until(
            target_place, deadline, lambda: target.find("position", condition=lambda event: "proposed" in event))
        self.settle(delay, deadline)
        self.proxy.ask("reset")
        count = len(source.events)
        release = time.monotonic()
        self.display.release()
        dropped = target.wait("dropped", deadline)
        ended = source.wait("ended" if "time" in source.events[0] else "drag-end", deadline, since=count)
        if ended.get("outcome", "dropped") != "dropped" or not ended.get("success", True):
            raise Failure(f"the drag ended otherwise: {ended}")
        late = self.proxy.waits()
        return {
            "motion → Enter": (milliseconds(target.at(entered) - begin), waits),
            "release → Drop": (milliseconds(target.at(dropped) - release), None),
            "release → end": (milliseconds(source.at(ended) - release), late),
        }

    def measure_target(self, source, target, source_place, target_place, delay, deadline):
        self.begin_drag(source_place, target_place, delay, deadline)
        proposal = self.move_until(
            target_place, deadline, lambda: source.find("proposal", condition=lambda event: "operation" in event))
        waits = self.proxy.waits()
        entered = source.find("target", condition=lambda event: "window" in event)
        self.settle(delay, deadline)
        self.proxy.ask("reset")
        self.display.release()
        ended = source.wait("ended", deadline)
        sent = source.find("drop-sent")
        if ended["outcome"] != "dropped" or sent is None:
            raise Failure(f"the drag ended otherwise: {ended}")
        return {
            "Enter → Status": (milliseconds(proposal["time"] - entered["time"]), waits),
            "Drop → Finished": (milliseconds(ended["time"] - sent["time"]), self.proxy.waits()),
        }


def longest_turn(host, deadline):
    end = host.wait("drag-end", deadline)
    if not end["success"]:
        raise Failure(f"the drag ended otherwise: {end}")
    return Turn(end["milliseconds"], end["processor"], end["slept"], end["during"])


def grab_point(ready):
    """Where to press or drop: the centre of the first row, if the window has rows, or of the window."""
    if ready.get("rows"):
        return ready["rows"][0]["x"], ready["rows"][0]["y"]
    return ready["x"] + ready["width"] // 2, ready["y"] + ready["height"] // 2


def milliseconds(seconds):
    return max(seconds, 0) * 1000


class Results:
    """What the runs of one cell have measured: lengths by part, the longest turns, and why runs have failed."""

    def __init__(self):
        self.parts = collections.defaultdict(list)
        self.turns = []
        self.failures = []
        self.is_too_long = False

    def median(self, part):
        lengths = [length for length, _ in self.parts[part]]
        return statistics.median(lengths) if lengths and not self.is_too_long else None

    def text(self, part, limit):
        if self.is_too_long:
            return f"> {limit:g} s"
        length = self.median(part)
        return "failed" if length is None else f"{length:.0f}"

    def turn(self, limit):
        """The median of the longest turns and that of the longest sleeps, as four cells of a table."""
        if self.is_too_long:
            return f"> {limit:g} s", "", "", ""
        if not self.turns:
            return "failed", "", "", ""
        turn = sorted(self.turns)[(len(self.turns) - 1) // 2]
        slept = statistics.median(each.slept for each in self.turns)
        return f"{slept:.1f}", f"{turn.milliseconds:.1f}", f"{turn.processor:.1f}", turn.during

    def waits(self, part):
        waits = [waits for _, waits in self.parts[part] if waits]
        if self.is_too_long or not waits:
            return ""
        return f"{statistics.median(each.count for each in waits):.0f} · " \
            f"{statistics.median(each.milliseconds for each in waits):.0f}"


PARTS = {
    "source": ("motion → Enter", "release → Drop", "release → end"),
    "target": ("Enter → Status", "Drop → Finished"),
}


def print_table(arguments, results):
    print("| role | windows | ms each way | interval | ours, ms | GTK 3, ms | ours / GTK 3 | ours waits | GTK 3 waits |")
    print("| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for role in arguments.roles:
        for windows in arguments.windows:
            for delay in arguments.delays:
                ours, theirs = (results[role, windows, delay, kind] for kind in (OURS, GTK3))
                for part in PARTS[role]:
                    pair = ours.median(part), theirs.median(part)
                    ratio = f"{pair[0] / pair[1]:.2f}" if None not in pair and pair[1] else ""
                    print("|", " | ".join((
                        role, str(windows), f"{delay:g}", part, ours.text(part, arguments.limit),
                        theirs.text(part, arguments.limit), ratio, ours.waits(part), theirs.waits(part))), "|")


def print_turns(arguments, results):
    print("| role | windows | ms each way | longest sleep, ms | longest turn, ms | computing, ms | during |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for role in arguments.roles:
        for windows in arguments.windows:
            for delay in arguments.delays:
                turn = results[role, windows, delay, HOST].turn(arguments.limit)
                print("|", " | ".join((role, str(windows), f"{delay:g}", *turn)), "|")


def measure_all(arguments, bench):
    results = collections.defaultdict(Results)
    for windows in arguments.windows:
        bench.open_windows(windows)
        for run in range(arguments.runs):
            for delay in arguments.delays:
                for role in arguments.roles:
                    for kind in KINDS:
                        measure_cell(bench, results[role, windows, delay, kind], role, kind, delay, windows, run)
    return results


def measure_cell(bench, cell, role, kind, delay, windows, run):
    if cell.is_too_long:
        return
    parts = {}
    what = f"{role} {kind}, {windows} windows, {delay:g} ms, run {run + 1}"
    try:
        parts, turn = bench.measure(role, kind, delay)
        for part, values in parts.items():
            cell.parts[part].append(values)
        text = ", ".join(f"{part} {length:.0f} ms" for part, (length, _) in parts.items())
        if turn:
            cell.turns.append(turn)
            text += f", longest turn {turn.milliseconds:.1f} ms, computing {turn.processor:.1f} ({turn.during})," \
                f" longest sleep {turn.slept:.1f} ms"
    except TooLong:
        cell.is_too_long = True
        text = f"ended after {bench.arguments.limit:g} s"
    except Failure as failure:
        cell.failures.append(str(failure))
        text = f"failed: {failure}"
    print(f"{what}: {text}", file=sys.stderr, flush=True)
    if bench.arguments.verbose:
        print_waits(parts)


def print_waits(parts):
    for part, (_, waits) in parts.items():
        if waits:
            requests = ", ".join(f"{count} {name}" for name, count in waits.requests.items())
            print(f"  {part} waits for {requests or 'nothing'}", file=sys.stderr, flush=True)


def numbers(convert):
    return lambda text: sorted({convert(part) for part in text.split(",")})


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/bench latency", description="Measures drags over a slow connection.")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the directory of xdnd-source and xdnd-probe")
    parser.add_argument(
        "--host", type=pathlib.Path, required=True, help="latency-host, the program whose event loop is measured")
    parser.add_argument(
        "--delays", type=numbers(float), default=[0, 25, 75], metavar="MS,…", help="each way (default: 0,25,75)")
    parser.add_argument(
        "--windows", type=numbers(int), default=[10, 200, 1000], metavar="N,…",
        help="other top-level windows on the display (default: 10,200,1000)")
    parser.add_argument("--roles", type=lambda text: text.split(","), default=list(PARTS), metavar="ROLE,…",
                        help="source, target (default: both)")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="of which the median is printed (default: 5)")
    parser.add_argument("--limit", type=float, default=60, metavar="S", help="for one drag (default: 60)")
    parser.add_argument("--verbose", action="store_true", help="print which requests each drag waits for")
    arguments = parser.parse_args()
    if not set(arguments.roles) <= set(PARTS):
        parser.error("the roles are source and target")
    return arguments


def main():
    arguments = parse_arguments()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as content:
        json.dump({"kind": "text", "text": "Hello", "actions": ["copy"]}, content)
        content.flush()
        bench = Bench(arguments, content.name)
        try:
            results = measure_all(arguments, bench)
        finally:
            bench.close()
    print_table(arguments, results)
    print()
    print_turns(arguments, results)
    return 1 if any(cell.failures for cell in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
