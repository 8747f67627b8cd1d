#!/usr/bin/env python3
"""Applies each fault at each stage of a drag, on private X servers, and measures how long our side takes to recover.

    faults.py --tools DIRECTORY --host PROGRAM --work DIRECTORY [--only PATTERN] [--jobs N] [--self-test]

A cell is a side, a fault and a stage. Its peer (`peer.py`) waits at the stage until the fault has been applied. Then the user
and the peer go on, unless the fault keeps them from it. Our side has recovered when it has reported the end of the drag, or
has ended with its exit code. Another drag with a new peer must then succeed.

A cell fails if recovery takes longer than the stated limit, or ends in another way; if the pointer or the keyboard stays
grabbed; if the destination has a file that was not reported as saved, or lacks one that was; or if the next drag fails.
"""

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import hashlib
import json
import math
import os
import pathlib
import resource
import shutil
import signal
import sys
import threading
import time
import traceback
import typing

from peer import BEFORE_ENTER, CONVERTING, FINISHED, HOVERING, INCR, RELEASED, SAVING, STAGES, TRANSFER
from scene import NAME, Failure, Scene

# Limits in seconds. Those of docs/protocol.md: a Status, Finished, an answer or a part of a transfer, a silent source.
STATUS, FINISH, TRANSFER_PART, SILENT_SOURCE = 5, 30, 10, 5
# Of docs/decisions/0019-direct-save-target.md: a direct save in which nothing changes.
SAVE = 30
# Of docs/exit-codes.md: --grace, and the end of a tool after a signal.
GRACE, SIGNAL = 5, 0.3
# Of what is answered without a wait: 8 MiB are fetched and stored in this time.
AT_ONCE = 2
# Two processors are shared with other cells.
TOLERANCE = 1
# The length of a fault that passes.
SPELL = 1
# What a process may still allocate and write under its limits.
MEMORY, FILE_SIZE = 64 << 20, 64 << 10
SIGNED, UNSIGNED = 1 << 31, 1 << 32
# Seconds after the start of the server at which its clock passes the limit.
CLOCK_LEADS = (6, 20)
PASSED_EARLY = "the clock had passed before the stage was reached"

# From the drop to Finished.
SENT = (RELEASED, CONVERTING, INCR, SAVING)
SUCCESS, GIVEN = {"dropped"}, {"dropped", "delivered"}


class Side(typing.NamedTuple):
    name: str
    is_source: bool
    is_tool: bool

    @property
    def program(self):
        return self.name


SIDES = (
    Side("xdnd-source", True, True), Side("xdnd-probe", False, True), Side("c-source", True, False),
    Side("c-target", False, False))


@dataclasses.dataclass(frozen=True)
class Fault:
    """What happens, and what follows from it for both sides."""

    name: str
    apply: typing.Callable
    # The peer, or the X server, does nothing more.
    silences_peer: bool = False
    # Our side ends because of it.
    ends_ours: bool = False
    # The drag goes on and succeeds.
    passes: bool = False
    # Undoes a lasting fault before the next drag.
    undo: typing.Callable = lambda scene: None
    # The server's time that is passed.
    clock: int = 0


# ---- Faults

def kill_peer(scene):
    scene.peer.kill()


def stop_for_a_spell(program):
    """Stops a process, and continues it from another thread: the user goes on meanwhile."""
    program.signal(signal.SIGSTOP)
    threading.Timer(SPELL, program.signal, [signal.SIGCONT]).start()


def steal(scene):
    if not scene.operator.ask("steal")["is_owner"]:
        raise Failure("the selection could not be taken")


def delete_awareness(scene):
    scene.operator.ask("delete", scene.peer.window if scene.cell.side.is_source else scene.window, "XdndAware")
    time.sleep(0.2)


def delete_properties(scene):
    """Deletes the property that matters at the stage: the source's lists, its URI, or the property of the transfer."""
    stage, is_source = scene.cell.stage, scene.cell.side.is_source
    source = scene.operator.ask("owner")["window"]
    if stage in (CONVERTING, INCR) or stage == SAVING and not is_source:
        delete_transfer(scene, scene.peer.window if is_source else scene.window)
    elif stage == SAVING:
        scene.operator.ask("delete", source, "XdndDirectSave0")
    else:
        scene.operator.ask("delete", source, "XdndTypeList", "XdndActionList")


def delete_transfer(scene, target):
    """Deletes a property that one side has written, before the other side can read it."""
    if scene.cell.side.is_source:
        # The peer is held, and reads nothing.
        scene.gate.touch()
        scene.operator.ask("await", target, TRANSFER)
        scene.operator.ask("delete", target, TRANSFER)
        if scene.cell.stage == INCR:
            # Our side writes the next part, which the peer deletes unread.
            scene.operator.ask("await", target, TRANSFER)
    else:
        request = [event for event in scene.peer.events if event["event"] == "requested"][-1]
        scene.ours.signal(signal.SIGSTOP)
        scene.peer.tell("go")
        scene.operator.ask("await", request["window"], request["property"])
        scene.operator.ask("delete", request["window"], request["property"])
        scene.ours.signal(signal.SIGCONT)


def fill_disk(scene):
    block = bytes(64 << 10)
    with open(scene.disk / "filler", "wb", buffering=0) as file:
        try:
            while True:
                file.write(block)
        except OSError:
            pass


def limit_files(scene):
    set_limit(scene, resource.RLIMIT_FSIZE, FILE_SIZE)


def limit_descriptors(scene):
    used = {int(name) for name in os.listdir(f"/proc/{scene.ours.pid}/fd")}
    set_limit(scene, resource.RLIMIT_NOFILE, min(set(range(len(used) + 1)) - used))


def limit_memory(scene):
    lines = pathlib.Path(f"/proc/{scene.ours.pid}/status").read_text().splitlines()
    size = next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmSize:"))
    set_limit(scene, resource.RLIMIT_AS, size + MEMORY)


def set_limit(scene, limit, value):
    _, hard = resource.prlimit(scene.ours.pid, limit)
    resource.prlimit(scene.ours.pid, limit, (value, hard))


def lift_limit(limit):
    def lift(scene):
        if scene.ours.is_running():
            _, hard = resource.prlimit(scene.ours.pid, limit)
            resource.prlimit(scene.ours.pid, limit, (hard, hard))

    return lift


def is_graceful(cell):
    """Whether a signal lets a drop that was sent end first."""
    return cell.side.name == "xdnd-source" and cell.stage in SENT


def terminate(scene):
    scene.ours.signal(signal.SIGTERM)
    if is_graceful(scene.cell):
        # Otherwise the drop might be over before the signal is handled.
        time.sleep(0.2)


def pass_clock(scene):
    """Waits until the server's clock has passed the fault's time. It must have been less before."""
    wrap = scene.cell.fault.clock
    distance = lambda: (scene.operator.ask("time")["time"] - wrap) % UNSIGNED
    if distance() < SIGNED:
        raise Failure(PASSED_EARLY)
    while distance() >= SIGNED:
        time.sleep(0.05)
    scene.fault_at = time.monotonic()


FAULTS = (
    Fault("peer killed", kill_peer, silences_peer=True),
    Fault("peer stopped 1 s", lambda scene: stop_for_a_spell(scene.peer), passes=True),
    Fault("peer stopped for ever", lambda scene: scene.peer.signal(signal.SIGSTOP), silences_peer=True),
    Fault("window destroyed", lambda scene: scene.peer.ask("destroy")),
    Fault("window unmapped", lambda scene: scene.peer.ask("unmap")),
    Fault("selection stolen", steal),
    Fault("property deleted", delete_properties),
    Fault("XdndAware deleted", delete_awareness),
    Fault("server grabbed 1 s", lambda scene: scene.operator.ask("grab_server", SPELL), passes=True),
    Fault("server killed", lambda scene: scene.server.kill(), silences_peer=True, ends_ours=True),
    Fault("disk full", fill_disk, undo=lambda scene: (scene.disk / "filler").unlink()),
    Fault("file size limit", limit_files, undo=lift_limit(resource.RLIMIT_FSIZE)),
    Fault("no descriptors", limit_descriptors, undo=lift_limit(resource.RLIMIT_NOFILE)),
    Fault("memory limit", limit_memory, passes=True, undo=lift_limit(resource.RLIMIT_AS)),
    Fault("SIGTERM", terminate, ends_ours=True),
    Fault("SIGINT, peer silent", lambda scene: scene.ours.signal(signal.SIGINT), silences_peer=True, ends_ours=True),
    Fault("ours stopped 1 s", lambda scene: stop_for_a_spell(scene.ours), passes=True),
    Fault("clock passes 2^31 ms", pass_clock, passes=True, clock=SIGNED),
    Fault("clock passes 2^32 ms", pass_clock, passes=True, clock=UNSIGNED),
)

# ---- Cells


@dataclasses.dataclass(frozen=True)
class Cell:
    side: Side
    fault: Fault
    stage: str
    # The mode of `saboteur.py`, which stands between this program and the tool.
    sabotage: str = ""

    @property
    def title(self):
        return f"{self.side.name} / {self.fault.name} / {self.stage}" + (f" / {self.sabotage}" if self.sabotage else "")


def reason_against(cell):
    """Why a cell makes no sense; `None` if it does."""
    side, fault, stage = cell.side, cell.fault.name, cell.stage
    if fault in ("disk full", "file size limit"):
        if side.is_source and stage != SAVING:
            return "a source writes files only while it saves"
        if stage == FINISHED:
            return "all files are in place"
        if not side.is_source and stage == SAVING and fault == "file size limit":
            return "the source writes the file"
    if fault == "XdndAware deleted" and not side.is_source:
        return "a client that deletes the property ends the drops of that window, as with every toolkit"
    if fault == "disk full" and os.geteuid() != 0:
        return "needs root, for a file system of its own"
    if cell.fault.clock and os.geteuid() != 0:
        return "needs root, for a time namespace"
    return None


class Expectation(typing.NamedTuple):
    """Outcomes that are right, and the limit in seconds with its reason. Without outcomes, no end of a drag is due."""

    outcomes: set
    limit: float
    reason: str


def expectation(cell):
    if cell.fault.ends_ours:
        return expect_exit(cell)
    if cell.stage == FINISHED:
        return Expectation(set(), AT_ONCE, "the drag is over")
    if cell.fault.passes:
        return Expectation(SUCCESS, AT_ONCE + SPELL, "the fault passes")
    return (expect_of_source if cell.side.is_source else expect_of_target)(cell.side, cell.fault.name, cell.stage)


def expect_exit(cell):
    stage, fault = cell.stage, cell.fault.name
    if fault == "server killed":
        return Expectation({74}, AT_ONCE, "the connection is lost")
    if is_graceful(cell) and fault == "SIGTERM":
        return Expectation({0}, GRACE, "--grace")
    if is_graceful(cell):
        return Expectation({2, 4}, GRACE, "--grace")
    return Expectation({2}, SIGNAL, "the end after a signal")


def expect_of_source(side, fault, stage):
    at_once = lambda outcomes: Expectation(outcomes, AT_ONCE, "nothing is waited for")
    if fault in ("peer killed", "window destroyed"):
        if stage in (BEFORE_ENTER, HOVERING):
            return at_once({"no-target", "peer-died"} if stage == HOVERING else {"no-target"})
        return at_once({"peer-died"})
    if fault == "peer stopped for ever":
        if stage in (BEFORE_ENTER, HOVERING):
            return Expectation({"timed-out"}, STATUS, "a Status")
        # INCR cannot be delivered, and a promised file is saved without the target.
        outcomes = {INCR: {"timed-out", "transfer-failed"}, SAVING: {"timed-out", "dropped"}}
        return Expectation(outcomes.get(stage, {"timed-out"}), FINISH, "Finished")
    if fault == "window unmapped":
        return at_once({"no-target"} if stage in (BEFORE_ENTER, HOVERING) else SUCCESS)
    if fault == "selection stolen":
        if stage in (BEFORE_ENTER, HOVERING):
            return at_once({"cancelled"})
        return at_once({"cancelled", "refused", "nothing-requested"} if stage == RELEASED else GIVEN | {"cancelled"})
    if fault == "XdndAware deleted":
        return at_once({"no-target"} if stage in (BEFORE_ENTER, HOVERING) else SUCCESS)
    if fault == "property deleted":
        if stage == BEFORE_ENTER:
            # The peer sees no type that it knows.
            return at_once(SUCCESS | {"refused"})
        return at_once({"refused", "delivered", "transfer-failed"} if stage in (CONVERTING, INCR) else SUCCESS)
    if fault == "disk full":
        # E: the target would write to the same disk.
        return at_once({"transfer-failed"})
    if fault == "file size limit":
        # F: the target fetches the content.
        return at_once(GIVEN)
    if fault == "no descriptors":
        return at_once(GIVEN | {"transfer-failed", "refused"})
    raise ValueError(fault)


def expect_of_target(side, fault, stage):
    failed = {"transfer-failed", "refused", "rejected"}
    at_once = lambda outcomes: Expectation(outcomes, AT_ONCE, "nothing is waited for")
    if fault in ("peer killed", "window destroyed"):
        if stage == BEFORE_ENTER:
            return at_once(set())
        if stage == HOVERING:
            return Expectation({"left", "peer-died"}, SILENT_SOURCE, "the check of a silent source")
        return Expectation({"peer-died", "rejected"}, AT_ONCE, "the source's window is destroyed")
    if fault == "peer stopped for ever":
        if stage in (BEFORE_ENTER, HOVERING):
            return at_once(set())
        if stage == SAVING:
            return Expectation({"timed-out", "rejected"}, SAVE, "a direct save without a change")
        return Expectation({"timed-out", "rejected"}, TRANSFER_PART, "an answer or a part")
    if fault == "window unmapped":
        return at_once(SUCCESS)
    if fault == "selection stolen":
        if stage in (BEFORE_ENTER, HOVERING):
            return at_once(failed | {"left"})
        return at_once(SUCCESS)
    if fault == "property deleted":
        return at_once(failed if stage in (CONVERTING, INCR, SAVING) else SUCCESS)
    if fault in ("disk full", "file size limit"):
        return at_once(failed)
    if fault == "no descriptors":
        return at_once(failed | SUCCESS)
    raise ValueError(fault)


# ---- A run of a cell


class Result(typing.NamedTuple):
    cell: Cell
    seconds: float
    outcome: str
    failures: list
    output: str


def run(cell, options):
    """Runs a cell, again if the clock has passed its limit too early: it cannot be stopped."""
    for lead in CLOCK_LEADS:
        result = run_once(cell, options, lead)
        if PASSED_EARLY not in result.failures:
            break
    return result


def run_once(cell, options, clock_lead):
    work = options.work / f"{SIDES.index(cell.side)}-{cell.fault.name}-{cell.stage}-{cell.sabotage}".replace(" ", "-")
    scene = Scene(cell, options, work, clock_lead)
    failures, outcome, seconds = [], "", float("nan")
    try:
        scene.open()
        scene.come_to_stage()
        seconds, outcome = apply(cell, scene, failures)
    except Failure as failure:
        failures.append(str(failure))
    except Exception:  # A mistake here must not end the other cells.
        failures.append(traceback.format_exc())
    finally:
        scene.close()
    output = describe(scene, work) if failures else ""
    shutil.rmtree(work, ignore_errors=True)
    return Result(cell, seconds, outcome, failures, output)


def apply(cell, scene, failures):
    """Applies the fault, lets the drag go on, and looks at its end and at what is left. Returns the time and the outcome."""
    expected = expectation(cell)
    count = len(scene.ours.events)
    scene.fault_at = time.monotonic()
    cell.fault.apply(scene)
    go_on(cell, scene, failures)
    if cell.fault.ends_ours:
        seconds, outcome = wait_for_exit(scene, expected, failures)
    else:
        seconds, outcome = wait_for_end(cell, scene, expected, failures, count)
    if seconds > expected.limit + TOLERANCE:
        failures.append(f"recovery has taken {seconds:.1f} s; the limit is {expected.limit:g} s ({expected.reason})")
    check_files(cell, scene, outcome, failures)
    if not cell.fault.ends_ours:
        cell.fault.undo(scene)
        try:
            scene.drag_honestly()
        except Failure as failure:
            failures.append(f"the next honest drag: {failure}")
        else:
            check_finished(cell, scene, failures)
            end(scene, failures)
    return seconds, outcome


def go_on(cell, scene, failures):
    """The user goes on with the drag, and so does the peer unless the fault silences it."""
    is_running = cell.fault.name not in ("server killed",)
    is_dragging = cell.side.is_source and cell.stage in (BEFORE_ENTER, HOVERING)
    if cell.fault.ends_ours and is_dragging:
        if is_running:
            check_grab(scene, failures)
        return
    if not cell.fault.silences_peer:
        scene.peer.tell("go")
    if is_dragging:
        if cell.stage == BEFORE_ENTER:
            scene.move_to(scene.place)
            # A user who sees no answer releases the button after a while.
            scene.move_until(lambda: scene.ours.find({"proposal", "ended"}), 0.5 if not cell.fault.passes else SPELL + 1)
        else:
            x, y = scene.place
            scene.operator.ask("move", x + 7, y + 3)
        scene.release()
    scene.gate.touch()
    if cell.side.is_source and is_running:
        check_grab(scene, failures)


def check_grab(scene, failures):
    if not scene.wait_until_free(SPELL + TOLERANCE):
        failures.append("the pointer or the keyboard is still grabbed after the button was released")


def wait_for_exit(scene, expected, failures):
    code = scene.ours.wait_for_end(expected.limit + TOLERANCE + 2)
    seconds = time.monotonic() - scene.fault_at
    scene.ours.reader.join(1)
    if code is None:
        failures.append(f"still running after {seconds:.1f} s; the limit is {expected.limit:g} s ({expected.reason})")
    elif code not in expected.outcomes:
        failures.append(f"exit code {code} instead of {words(expected.outcomes)}")
    return seconds, f"exit {code}"


def wait_for_end(cell, scene, expected, failures, count):
    if not expected.outcomes:
        # No end is due. What has begun meanwhile ends with the next drag.
        if not scene.ours.is_running():
            raise Failure(f"the program has ended with {scene.ours.wait_for_end(0)}")
        return time.monotonic() - scene.fault_at, "ready"
    names = {"ended"} if cell.side.is_source else {"ended", "left"}
    event = scene.ours.wait(names, expected.limit + TOLERANCE + 15, count)
    if event is None:
        if (code := scene.ours.wait_for_end(0.5)) is not None:
            raise Failure(f"the program has ended with {code} instead of going on")
        raise Failure(f"the drag has not ended within {expected.limit + TOLERANCE + 15:g} s; the limit is"
                      f" {expected.limit:g} s ({expected.reason})")
    outcome = event.get("outcome", event["event"])
    if outcome not in expected.outcomes:
        failures.append(f"the drag has ended with {outcome} instead of {words(expected.outcomes)}")
    if outcome == "dropped":
        scene.peer.wait("finished", 2)
        scene.check_content(scene.peer, count, "the drag", scene.destination)
    return event["at"] - scene.fault_at, outcome


def words(values):
    return " or ".join(sorted(map(str, values)))


def check_files(cell, scene, outcome, failures):
    """Nothing is in the destination but whole files that were reported. A file may take a moment to be removed."""
    give_up = time.monotonic() + 2
    while problems := list(file_problems(cell, scene, outcome)):
        if time.monotonic() > give_up:
            failures.extend(problems)
            return
        time.sleep(0.1)


def file_problems(cell, scene, outcome):
    saved = {pathlib.Path(event["path"]) for event in scene.ours.events if event["event"] == "saved"}
    answers = {event["answer"] for event in scene.peer.events if event["event"] == "save-answer"}
    # The C library reports nothing but the answer to the target. After F, the peer has loaded the content instead.
    is_unsaid = not cell.side.is_tool and "F" not in answers and outcome == "dropped" and cell.stage == SAVING
    if cell.side.is_source and (answers == {"S"} or is_unsaid):
        saved.add(scene.destination / NAME)
    for path, _ in scene.files():
        if path not in saved:
            yield f"{path.relative_to(scene.destination)} is left in the destination and was not reported as saved"
    for path in saved:
        if not path.is_file():
            yield f"{path.name} was reported as saved and is not there"
        elif hashlib.sha256(path.read_bytes()).hexdigest() != scene.sum:
            yield f"{path.name} was reported as saved and is not whole"


def check_finished(cell, scene, failures):
    """A source gets exactly one Finished for its drop."""
    events = [event["event"] for event in scene.peer.events]
    if cell.side.is_source or cell.fault.silences_peer or cell.fault.name == "window destroyed" or "dropped" not in events:
        return
    scene.peer.wait("finished", 2)
    if (number := [event["event"] for event in scene.peer.events].count("finished")) != 1:
        failures.append(f"the source got {number} Finished for one drop")


def end(scene, failures):
    scene.ours.signal(signal.SIGTERM)
    code = scene.ours.wait_for_end(SIGNAL + GRACE + TOLERANCE)
    if code != 2:
        failures.append(f"after SIGTERM at the end: {'still running' if code is None else f'exit code {code}'} instead of 2")


def describe(scene, work):
    lines = []
    for program in scene.programs:
        for event in [event for event in program.events if event["event"] != "done"][-30:]:
            fields = {key: value for key, value in event.items() if key != "at"}
            fields["at"] = round(event["at"] - scene.fault_at, 3)
            lines.append(f"{program.title}: {json.dumps(fields)[:400]}")
    for log in sorted(work.glob("*.log")):
        text = log.read_text(errors="replace")
        lines += [f"{log.name}: {line[:400]}" for line in text.splitlines()[-10:] if not line.startswith("_XSERVTrans")]
    return "\n".join(f"    {line}" for line in lines)


# ---- The matrix


def cells(pattern):
    for side in SIDES:
        for fault in FAULTS:
            for stage in STAGES:
                cell = Cell(side, fault, stage)
                if not pattern or fnmatch.fnmatch(cell.title.lower(), f"*{pattern.lower()}*"):
                    yield cell


def run_all(chosen, options):
    """Runs cells side by side; the slowest first, since they only wait."""
    chosen = sorted(chosen, key=lambda cell: -expectation(cell).limit)
    results = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(run, cell, options) for cell in chosen]
        for future in concurrent.futures.as_completed(futures):
            result = future.result()
            results[result.cell] = result
            print(f"[{len(results)}/{len(chosen)}] {result.cell.title}: {result.outcome or 'no end'}, {result.seconds:.1f} s"
                  + "".join(f"\n    FAILED: {failure}" for failure in result.failures), file=sys.stderr, flush=True)
    return results


def print_tables(chosen, results, against):
    reasons = []
    for side in SIDES:
        if not any(cell.side == side for cell in chosen):
            continue
        print(f"\n### {side.name}\n")
        print("| fault |", " | ".join(STAGES), "|")
        print("| --- |", " | ".join("---:" for _ in STAGES), "|")
        for fault in FAULTS:
            row = []
            for stage in STAGES:
                cell = Cell(side, fault, stage)
                if cell in against:
                    if against[cell] not in reasons:
                        reasons.append(against[cell])
                    row.append(f"–{reasons.index(against[cell]) + 1}")
                else:
                    row.append(text(results.get(cell)))
            if any(row):
                print(f"| {fault.name} |", " | ".join(row), "|")
    print()
    for index, reason in enumerate(reasons):
        print(f"–{index + 1}: {reason}.")


def text(result):
    if result is None:
        return ""
    seconds = "" if math.isnan(result.seconds) else f"{result.seconds:.1f}"
    return f"{seconds} ✗".strip() if result.failures else seconds


def print_failures(results):
    failed = [result for result in results.values() if result.failures]
    if failed:
        print("\n### Failures\n")
    for result in failed:
        print(f"- {result.cell.title}")
        for failure in result.failures:
            print(f"  - {failure}")
        print(f"\n{result.output}\n")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/faults", description="Applies faults at each stage of a drag.")
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="the directory of xdnd-source and xdnd-probe")
    parser.add_argument("--host", type=pathlib.Path, required=True, help="the program that host.c is built into")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a directory for files")
    parser.add_argument("--only", metavar="PATTERN", help="only cells whose 'side / fault / stage' matches")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="cells at a time (default: 2)")
    parser.add_argument("--self-test", action="store_true", help="show that faulty programs fail")
    arguments = parser.parse_args()
    arguments.tools, arguments.host, arguments.work = map(
        pathlib.Path.resolve, (arguments.tools, arguments.host, arguments.work))
    return arguments


def main():
    options = parse_arguments()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: os._exit(1))
    if options.self_test:
        import self_test

        return self_test.run_all(options)
    chosen = list(cells(options.only))
    against = {cell: reason for cell in chosen if (reason := reason_against(cell))}
    results = run_all([cell for cell in chosen if cell not in against], options)
    if not results:
        print("no such cell", file=sys.stderr)
        return 64
    print_tables(chosen, results, against)
    print_failures(results)
    count = sum(bool(result.failures) for result in results.values())
    print(f"\n{len(results)} cells, {count} failed; {len(against)} make no sense.")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
