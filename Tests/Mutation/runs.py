#!/usr/bin/env python3
"""Runs the tests with one mutant after another, and reports which survive.

    runs.py run DIRECTORY TESTS      DIRECTORY has the mutants; TESTS is the program with the tests
    runs.py report DIRECTORY         prints the tables, and fails if a survivor has no explanation

The tests of a mutant's room come first; then the mutants that are left are run with all tests. A run ends at the first issue
that a test records, at a crash, or after four times as long as the tests take without a mutant. DIRECTORY/results.tsv gets a line for each; mutants that have one are not run again.
"""

import fcntl
import json
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import time

import mutants

HERE = pathlib.Path(__file__).parent
EXPLAINED = HERE / "survivors.txt"
# Tests of the sources' text, which is not that of the package here.
SKIPPED = r"LayeringTests|XlibRoomsTests|ToolWindowRoomsTests|LazySequenceTests|WhereToFindTests|DocumentTests"
# Where the tests of a room are.
TESTS = {
    "Wire": ("Tests/XDnDTests/Wire",),
    "Content": ("Tests/XDnDTests/Content",),
    "Machines": ("Tests/XDnDTests/Machines",),
    "Grab": ("Tests/XDnDTests/Machines",),
    "Driver": ("Tests/XDnDTests/Driver", "Tests/XDnDTests/Simulation"),
    "Files": ("Tests/FileOperationsTests", "Tests/XDnDTests/Session"),
    "FileOperations": ("Tests/FileOperationsTests",),
}
# The least part of the mutants, in percent, that the tests must notice.
BAR = 90


class Outcome:
    """`killed`, `timed-out`, `crashed` or `survived`, and the first words about it."""

    def __init__(self, result, seconds, reason=""):
        self.result, self.seconds, self.reason = result, seconds, reason


def suites(room):
    """A filter for the tests of a room."""
    names = set()
    for folder in TESTS[room]:
        for path in pathlib.Path(folder).rglob("*.swift"):
            names.update(re.findall(r"(?:struct|class) (\w+)", path.read_text()))
    return r"\.(%s)/" % "|".join(sorted(names))


def test(directory, program, mutant, limit, *options):
    """Runs tests until the first issue."""
    environment = {**os.environ, "XDND_MUTANT": str(mutant), "XDND_QUICK_TESTS": "1", "SWIFT_BACKTRACE": "enable=no"}
    command = [
        str(HERE / "sandbox"), str(directory), str(program), "--testing-library", "swift-testing",
        "--experimental-maximum-parallelization-width", "10", "--skip", SKIPPED, *options,
    ]
    begin = time.monotonic()
    process = subprocess.Popen(
        command, cwd=directory / "tree", env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)
    try:
        return follow(process, begin, limit)
    finally:
        # The sandbox ends all that runs in it.
        process.kill()
        process.wait()


def follow(process, begin, limit):
    fcntl.fcntl(process.stdout, fcntl.F_SETFL, os.O_NONBLOCK)
    selector = selectors.DefaultSelector()
    selector.register(process.stdout, selectors.EVENT_READ)
    rest, tail, last = b"", [], ""
    while True:
        left = begin + limit - time.monotonic()
        if left <= 0:
            return Outcome("timed-out", limit, f"after {last}" if last else "")
        if not selector.select(left):
            continue
        data = process.stdout.read()
        if data is None:
            continue
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            text = line.decode(errors="replace")
            tail = [*tail[-19:], text]
            if match := re.search(r"Test (.*?) (?:recorded an issue|failed after)", text):
                return Outcome("killed", time.monotonic() - begin, match[1])
            if match := re.search(r"Test (.*?) (?:passed|started)", text):
                last = match[1]
    status = process.wait()
    seconds = time.monotonic() - begin
    if status == 0 and any("Test run with" in line and "passed" in line for line in tail):
        return Outcome("survived", seconds)
    # Of a trap, the message says where.
    reason = next((line for line in tail if "Fatal error" in line or "error:" in line), tail[-1] if tail else "")
    return Outcome("crashed", seconds, f"status {status}: {reason}"[:300])


def run(directory, program):
    directory, program = pathlib.Path(directory).resolve(), pathlib.Path(program).resolve()
    data = mutants.load(directory)
    chosen = [mutant for mutant in data["mutants"] if not mutant["rejected"]][: data["count"]]
    log = directory / "results.tsv"
    done = read_results(directory)

    limit = time_limit(directory, program)
    left = [mutant for mutant in chosen if mutant["number"] not in done]
    with log.open("a") as lines:
        for step in ("its room's tests", "all tests"):
            print(f"{len(left)} mutants, each with {step}", flush=True)
            survivors = []
            for index, mutant in enumerate(left, 1):
                options = ("--filter", suites(mutant["room"])) if step != "all tests" else ()
                outcome, limit = judge(directory, program, mutant["number"], limit, options)
                reason = outcome.reason.replace("\t", " ")
                print(f"{index}/{len(left)} {outcome.result} {outcome.seconds:.1f} s "
                      f"{mutant['path']}:{mutant['line']} {reason}", flush=True)
                if outcome.result == "survived" and step != "all tests":
                    survivors.append(mutant)
                    continue
                print(mutant["number"], outcome.result, f"{outcome.seconds:.1f}", reason, sep="\t", file=lines, flush=True)
            left = survivors


def time_limit(directory, program):
    """Four times as long as the tests take without a mutant. Checks the check, once for each build."""
    stamp = directory / "checked.json"
    build = program.stat().st_mtime
    if stamp.exists() and (known := json.loads(stamp.read_text()))["build"] == build:
        return known["limit"]
    clean = test(directory, program, 0, 900)
    if clean.result != "survived":
        sys.exit(f"the tests fail without a mutant: {clean.reason}")
    limit = 4 * clean.seconds
    print(f"The tests take {clean.seconds:.0f} s without a mutant; a run is ended after {limit:.0f} s.", flush=True)
    null = test(directory, program, mutants.NULL_MUTANT, limit)
    if null.result != "survived":
        sys.exit(f"self-check: a mutant that changes nothing was {null.result}: {null.reason}")
    sure = test(directory, program, mutants.SURE_MUTANT, limit)
    if sure.result != "killed":
        sys.exit(f"self-check: a mutant that breaks XdndFinished {sure.result}")
    print(f"Self-check: a mutant that changes nothing survived; one that breaks XdndFinished was killed by {sure.reason}.",
          flush=True)
    stamp.write_text(json.dumps({"build": build, "limit": limit}))
    return limit


def judge(directory, program, mutant, limit, options):
    """Runs tests with a mutant. Returns the outcome, and the time limit from now on."""
    outcome = test(directory, program, mutant, limit, *options)
    if outcome.result == "timed-out":
        # Other programs may have slowed the tests down.
        new_limit = 4 * test(directory, program, 0, 900).seconds
        if new_limit > 1.5 * limit:
            return test(directory, program, mutant, new_limit, *options), new_limit
    return outcome, limit


def read_results(directory):
    """The results by the numbers of the mutants; the last one counts."""
    log = pathlib.Path(directory) / "results.tsv"
    results = {}
    if log.exists():
        for line in log.read_text().splitlines():
            number, result, seconds, reason = line.split("\t", 3)
            results[int(number)] = Outcome(result, float(seconds), reason)
    return results


def forget_survivors(directory):
    """Removes the survivors without an explanation from the results, so that they are run again."""
    log = pathlib.Path(directory) / "results.tsv"
    explanations = read_explanations()
    explained = {
        mutant["number"] for mutant in mutants.load(directory)["mutants"]
        if (mutant["path"], mutant["before"], mutant["after"]) in explanations}
    lines = [line.split("\t") for line in log.read_text().splitlines()]
    kept = [line for line in lines if line[1] != "survived" or int(line[0]) in explained]
    log.write_text("".join("\t".join(line) + "\n" for line in kept))


def read_explanations():
    """The reasons by file, line and mutant."""
    explanations, path, before, after, reason = {}, None, None, None, []

    def finish():
        if before is not None:
            if after is None or not reason:
                sys.exit(f"{EXPLAINED}: the mutant of '{before}' has no reason")
            explanations[path, before, after] = " ".join(reason)

    for line in EXPLAINED.read_text().splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("Sources/"):
            finish()
            path, before, after, reason = line.strip(), None, None, []
        elif line.startswith("- "):
            finish()
            before, after, reason = line[2:].strip(), None, []
        elif line.startswith("+ "):
            after = line[2:].strip()
        elif line.strip():
            reason.append(line.strip())
    finish()
    return explanations


def report(directory):
    data = mutants.load(directory)
    results = read_results(directory)
    chosen = [mutant for mutant in data["mutants"] if not mutant["rejected"]][: data["count"]]
    tested = [mutant for mutant in chosen if mutant["number"] in results]
    explanations = read_explanations()

    def outcome(mutant):
        return results[mutant["number"]].result

    print(f"\nSeed {data['seed']}, {data['found']} mutants found, {len(tested)} of {len(chosen)} run; "
          f"{sum(mutant['rejected'] for mutant in data['mutants'])} did not compile and were replaced.\n")
    print("| | mutants | killed | by a crash | by a time-out | survived |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    rows = [(room, lambda item, room=room: item["room"] == room) for room in mutants.ROOMS]
    rows += [(kind, lambda item, kind=kind: item["kind"] == kind) for kind in mutants.KINDS]
    for name, belongs in [*rows, ("all", lambda item: True)]:
        counts = [outcome(mutant) for mutant in tested if belongs(mutant)]
        survived = counts.count("survived")
        print(f"| {name} | {len(counts)} | {len(counts) - survived} | {counts.count('crashed')} | "
              f"{counts.count('timed-out')} | {survived} |")
    survivors = [mutant for mutant in tested if outcome(mutant) == "survived"]
    unexplained = 0
    if survivors:
        print("\nSurvivors:")
    for mutant in survivors:
        reason = explanations.get((mutant["path"], mutant["before"], mutant["after"]))
        unexplained += reason is None
        print(f"{mutant['path']}:{mutant['line']}\n- {mutant['before']}\n+ {mutant['after']}\n"
              f"  {reason or 'NOT EXPLAINED'}")
    for path, before, after in explanations:
        if not pathlib.Path(path).exists() or before not in {
            line.strip() for line in pathlib.Path(path).read_text().splitlines()
        }:
            print(f"note: {EXPLAINED.name} explains a line that {path} has no more: {before}")
    killed = len(tested) - len(survivors)
    share = 100 * killed / max(1, len(tested))
    print(f"\n{killed} of {len(tested)} mutants killed: {share:.1f} %; {len(survivors)} survived, "
          f"{unexplained} of them without an explanation in Tests/Mutation/survivors.txt.")
    if share < BAR:
        sys.exit(f"less than {BAR} % of the mutants were killed")
    if unexplained:
        sys.exit("write a test for each unexplained survivor, or explain it in Tests/Mutation/survivors.txt")


if __name__ == "__main__":
    # A stopped run leaves no tests behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    command, *arguments = sys.argv[1:]
    if command == "run":
        run(*arguments)
    elif command == "report":
        report(*arguments)
    elif command == "forget-survivors":
        forget_survivors(*arguments)
    else:
        sys.exit(__doc__)
