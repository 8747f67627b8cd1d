#!/usr/bin/env python3
"""Runs a tool, and makes it look faulty, to show that the matrix finds it: see self_test.py.

    saboteur.py MODE TOOL ARGUMENTS…
"""

import json
import os
import pathlib
import signal
import subprocess
import sys

import xlib

HONEST, HANG, DEAF, GRAB, PARTIAL, LOST, SHORT, CODE, SIGNALS, LATE = MODES = (
    "honest", "hang", "deaf", "grab", "partial", "lost", "short", "code", "signals", "late")
# Seconds by which a late tool reports the end of a drag.
DELAY = 6


def main():
    mode, *command = sys.argv[1:]
    prefix = ["setpriv", "--pdeathsig", "KILL"]
    tool = subprocess.Popen(prefix + command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: mode == SIGNALS or tool.send_signal(number))
    display = xlib.Display() if mode == GRAB else None
    directory = pathlib.Path(command[command.index("--save") + 1]) if "--save" in command else None
    for line in tool.stdout:
        event = json.loads(line)
        name = event["event"]
        if mode == HANG and name in ("proposal", "entered"):
            tool.send_signal(signal.SIGSTOP)
        elif mode == GRAB and name == "drop-sent":
            xlib.X11.XGrabPointer(display.handle, display.root, 0, 0, 1, 1, 0, 0, 0)
            display.sync()
        elif mode == PARTIAL and name == "dropped":
            (directory / ".partial").write_text("half")
        elif mode == LOST and name == "saved":
            pathlib.Path(event["path"]).unlink()
        elif mode == SHORT and name == "saved":
            os.truncate(event["path"], 10)
        elif mode == LATE and name == "ended":
            subprocess.run(["sleep", str(DELAY)], check=False)
        print(line, end="", flush=True)
        if mode == DEAF and name == "ended":
            tool.send_signal(signal.SIGSTOP)
    code = tool.wait()
    return 3 if mode == CODE else code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
